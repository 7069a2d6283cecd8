// Elements from a law written once for any scalar-like T; values and blocks come from jets.
//
// ForceElement: a law has `static constexpr int size` (k) and
//   void force(const T& t, const T* q, const T* v, T* f) const    gyroscopic terms included
//   bool uses_velocity() const
// and may have
//   void mass(const T* q, T* M) const            k × k row-major, symmetric; may depend on q
//   S potential(const S& t, const S* q) const    [J]
//   bool has_power() const                       f does work that is no potential's: counted as fᵀv
// ConstraintElement: a law has `static constexpr int size, rows` and
//   void constraint(const T& t, const T* q, T* phi) const
// and may have
//   static constexpr bool time_dependent         t is used: prescribed motion, which has a power
// Either may have
//   bool fills(ElementBlock, int i, int j) const   entries of blocks that can differ from zero; all
//   by default, and ∂R/∂v of laws that use velocities only
//   Law at(const S* chart) const    the law in the reference orientations of its nodes (4 numbers
//   each): what the functions above then refer to; such elements have no record
#pragma once

#include <algorithm>
#include <array>

#include "base/numbers/jet.hpp"
#include "problems/elements/element.hpp"

namespace daemark {

template <class S, class Law>
concept LawOnChart = requires(const Law& law, const S* chart) {
  law.at(chart);
};

/// The law on the point's chart; itself where it is flat.
template <class S, class Law>
decltype(auto) placed(const Law& law, const S* chart) {
  if constexpr (LawOnChart<S, Law>)
    return law.at(chart);
  else
    return (law);
}

template <class S, class Law>
class ForceElement final : public Element<S> {
 public:
  static constexpr int k = Law::size;
  static constexpr bool with_mass = requires(const Law& law, const S* q, S* M) { law.mass(q, M); };

  /// Throws BadInput where the number of coordinates is not the law's.
  ForceElement(std::vector<int> coordinates, Law law, std::vector<int> charts = {})
      : Element<S>(std::move(coordinates), {}, std::move(charts)), law_(std::move(law)) {
    if (this->size() != k) throw BadInput("element: coordinates do not fit the law's size");
  }

  bool has_inertia() const override { return with_mass; }
  bool has_force() const override { return true; }
  bool fills(ElementBlock block, int i, int j) const override {
    if constexpr (requires { law_.fills(block, i, j); }) return law_.fills(block, i, j);
    if (block == ElementBlock::mass) return with_mass;
    return block == ElementBlock::residual_q ||
           (block == ElementBlock::residual_v && law_.uses_velocity());
  }

  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>&,
                const ElementValues<S>& out) override {
    const Law& law = placed(law_, p.chart);
    if constexpr (with_mass) write_mass(law, p, out);
    if (!out.residual_q && !out.residual_v) {
      if (out.force) law.force(p.t, p.q, p.v, out.force);
    } else if (law.uses_velocity()) {
      write_derivatives<2 * k>(law, p, out);
    } else {
      write_derivatives<k>(law, p, out);
    }
  }

  bool has_record() const override { return !LawOnChart<S, Law>; }
  void record(const ElementPoint<Var>& p, const ElementRecord<S>& out) override {
    if constexpr (!LawOnChart<S, Law>) {
      law_.force(p.t, p.q, p.v, out.force);
      if constexpr (with_mass) multiply_mass(law_, p.q, p.a, out.inertia);
    }
  }

  S kinetic_energy(const ElementPoint<S>& p) override {
    S sum(0);
    if constexpr (with_mass) {
      std::array<S, k> momentum;
      multiply_mass(placed(law_, p.chart), p.q, p.v, momentum.data());
      for (int i = 0; i < k; ++i) sum += momentum[i] * p.v[i];
    }
    return sum / S(2);
  }
  S potential_energy(const ElementPoint<S>& p) override {
    if constexpr (requires { law_.potential(p.t, p.q); })
      return placed(law_, p.chart).potential(p.t, p.q);
    else
      return S(0);
  }
  bool has_power() const override {
    if constexpr (requires { law_.has_power(); })
      return law_.has_power();
    else
      return false;
  }
  S power(const ElementPoint<S>& p) override {
    std::array<S, k> f;
    placed(law_, p.chart).force(p.t, p.q, p.v, f.data());
    S sum(0);
    for (int i = 0; i < k; ++i) sum += f[i] * p.v[i];
    return sum;
  }

 private:
  template <class T>
  static void multiply_mass(const Law& law, const T* q, const T* x, T* product) {
    std::array<T, k * k> M;
    law.mass(q, M.data());
    for (int i = 0; i < k; ++i) {
      product[i] = T(0);
      for (int j = 0; j < k; ++j) product[i] += M[i * k + j] * x[j];
    }
  }
  static void write_mass(const Law& law, const ElementPoint<S>& p, const ElementValues<S>& out) {
    if (out.mass) law.mass(p.q, out.mass);
    if (out.inertia) multiply_mass(law, p.q, p.a, out.inertia);
  }

  /// `seeds` derivatives: by q and, where the velocities matter, by v.
  template <int seeds>
  static void write_derivatives(const Law& law, const ElementPoint<S>& p,
                                const ElementValues<S>& out) {
    using D = Dual<S, seeds>;
    std::array<D, k> q, v, f;
    for (int i = 0; i < k; ++i) {
      q[i] = D::variable(p.q[i], i);
      v[i] = seeds > k ? D::variable(p.v[i], (k + i) % seeds) : D(p.v[i]);
    }
    law.force(D(p.t), q.data(), v.data(), f.data());
    for (int i = 0; i < k; ++i) {
      if (out.force) out.force[i] = f[i].value;
      for (int j = 0; j < k; ++j) {
        if (out.residual_q) out.residual_q[i * k + j] = -f[i].grad[j];
        if (out.residual_v)
          out.residual_v[i * k + j] = seeds > k ? -f[i].grad[seeds - k + j] : S(0);
      }
    }
    if constexpr (with_mass)
      if (out.residual_q) add_inertia_stiffness(law, p, out.residual_q);
  }
  static void add_inertia_stiffness(const Law& law, const ElementPoint<S>& p, S* residual_q) {
    using D = Dual<S, k>;
    std::array<D, k> q, a, inertia;
    for (int i = 0; i < k; ++i) q[i] = D::variable(p.q[i], i), a[i] = D(p.a[i]);
    multiply_mass(law, q.data(), a.data(), inertia.data());
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) residual_q[i * k + j] += inertia[i].grad[j];
  }

  Law law_;
};

template <class S, class Law>
class ConstraintElement final : public Element<S> {
 public:
  static constexpr int k = Law::size, r = Law::rows;

  /// Throws BadInput where the numbers of coordinates or rows are not the law's.
  ConstraintElement(std::vector<int> coordinates, std::vector<Quantity> rows, Law law,
                    std::vector<int> charts = {})
      : Element<S>(std::move(coordinates), std::move(rows), std::move(charts)),
        law_(std::move(law)) {
    if (this->size() != k || static_cast<int>(this->rows().size()) != r)
      throw BadInput("element: coordinates or rows do not fit the law's size");
  }

  bool fills(ElementBlock block, int i, int j) const override {
    if constexpr (requires { law_.fills(block, i, j); }) return law_.fills(block, i, j);
    return block == ElementBlock::gradient || block == ElementBlock::curvature ||
           block == ElementBlock::residual_q;
  }

  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                const ElementValues<S>& out) override {
    for (S* block : {out.residual_q, out.residual_v})
      if (block) std::fill_n(block, k * k, S(0));  // Gᵀλ is the assembly's
    if (!out.levels()) return;
    using D = Dual<S, 2 * k>;
    std::array<TimeJet<D>, k> z;
    for (int i = 0; i < k; ++i)
      z[i] = {D::variable(p.q[i], i), D::variable(p.v[i], k + i), D(p.a[i])};
    std::array<TimeJet<D>, r> phi;
    const Law& law = placed(law_, p.chart);
    law.constraint(TimeJet<D>(D(p.t), D(S(1)), D(S(0))), z.data(), phi.data());
    for (int row = 0; row < r; ++row) {
      if (out.position) out.position[row] = phi[row].value.value;
      if (out.velocity) out.velocity[row] = phi[row].rate.value;
      if (out.acceleration) out.acceleration[row] = phi[row].second.value;
      for (int i = 0; i < k; ++i) {
        const int at = row * k + i;
        if (out.gradient) out.gradient[at] = phi[row].value.grad[i];
        if (out.curvature_q)
          out.curvature_q[at] =
              w.velocity * phi[row].rate.grad[i] + w.acceleration * phi[row].second.grad[i];
        if (out.curvature_v) out.curvature_v[at] = w.acceleration * phi[row].second.grad[k + i];
      }
    }
  }

  void multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) override {
    using D = Dual<S, k>;
    using DD = Dual<D, k>;
    std::array<DD, k> z;
    for (int i = 0; i < k; ++i) z[i] = DD::variable(D::variable(p.q[i], i), i);
    std::array<DD, r> phi;
    const Law& law = placed(law_, p.chart);
    law.constraint(DD(D(p.t)), z.data(), phi.data());
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        S sum = p.lambda[0] * phi[0].grad[i].grad[j];
        for (int row = 1; row < r; ++row) sum += p.lambda[row] * phi[row].grad[i].grad[j];
        stiffness[i * k + j] = sum;
      }
  }

  bool has_record() const override { return !LawOnChart<S, Law>; }
  void record(const ElementPoint<Var>& p, const ElementRecord<S>& out) override {
    if constexpr (!LawOnChart<S, Law>) {
      using D = Dual<Var, k>;
      std::array<D, k> z;
      for (int i = 0; i < k; ++i) z[i] = D::variable(p.q[i], i);
      std::array<D, r> phi;
      law_.constraint(D(p.t), z.data(), phi.data());
      for (int row = 0; row < r; ++row) {
        out.position[row] = phi[row].value;
        for (int i = 0; i < k; ++i) out.gradient[row * k + i] = phi[row].grad[i];
      }
    }
  }

  bool has_power() const override {
    if constexpr (requires { Law::time_dependent; })
      return Law::time_dependent;
    else
      return false;
  }
  /// λᵀ ∂Φ/∂t.
  S power(const ElementPoint<S>& p) override {
    std::array<TimeJet<S>, k> z;
    for (int i = 0; i < k; ++i) z[i] = TimeJet<S>(p.q[i]);
    std::array<TimeJet<S>, r> phi;
    placed(law_, p.chart).constraint(TimeJet<S>(p.t, S(1), S(0)), z.data(), phi.data());
    S sum(0);
    for (int row = 0; row < r; ++row) sum += p.lambda[row] * phi[row].rate;
    return sum;
  }

 private:
  Law law_;
};

}  // namespace daemark
