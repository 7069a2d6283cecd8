// Rows of velocities from a law written once: g(t, q) v + c(t, q) = 0, with no Φ behind them. A law
// has `static constexpr int size, rows` and, for any scalar-like T,
//   void velocity(const T& t, const T* q, const T* v, T* rate) const     linear in v
// and may have
//   static constexpr bool driven    c differs from zero: what holds the velocity has a power
//   Law at(const S* chart) const    as in element_laws.hpp
// A MotionLaw enters c by motion_value(law, t).
#pragma once

#include "problems/elements/element_laws.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

/// law(t), with its rate where t carries derivatives.
template <class S>
S motion_value(const MotionLaw& law, const S& t) {
  return law_value<S>(law)(TimeJet<S>(t)).value;
}
template <class S, int n>
Dual<S, n> motion_value(const MotionLaw& law, const Dual<S, n>& t) {
  const auto rate_of = [&law](const auto& at) {
    using T = std::remove_cvref_t<decltype(at)>;
    return law_value<T>(law)(TimeJet<T>(at, T(1), T(0))).rate;
  };
  if constexpr (requires { t.value.grad; })  // derivatives by q and v, of which t has none
    return t.chain(motion_value(law, t.value), S(rate_of(t.value.value)));
  else
    return t.chain(motion_value(law, t.value), rate_of(t.value));
}

template <class S, class Law>
class VelocityElement final : public Element<S> {
 public:
  static constexpr int k = Law::size, r = Law::rows;

  /// Throws BadInput where the numbers of coordinates or rows are not the law's.
  VelocityElement(std::vector<int> coordinates, std::vector<Quantity> rows, Law law,
                  std::vector<int> charts = {})
      : Element<S>(std::move(coordinates), std::move(rows), std::move(charts)),
        law_(std::move(law)) {
    if (this->size() != k || static_cast<int>(this->rows().size()) != r)
      throw BadInput("element: coordinates or rows do not fit the law's size");
  }

  RowLevel level() const override { return RowLevel::velocity; }
  bool fills(ElementBlock block, int, int) const override {
    return block == ElementBlock::gradient || block == ElementBlock::curvature ||
           block == ElementBlock::residual_q;
  }

  /// The row, its rate and their derivatives by q and v in one go.
  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                const ElementValues<S>& out) override {
    for (S* block : {out.residual_q, out.residual_v})
      if (block) std::fill_n(block, k * k, S(0));  // Gᵀλ is the assembly's
    if (!out.levels()) return;
    using D = Dual<S, 2 * k>;
    using Jet = Dual<D, 1>;
    const auto moving = [](const D& value, const D& rate) {
      Jet jet(value);
      jet.grad[0] = rate;
      return jet;
    };
    std::array<Jet, k> q, v;
    for (int i = 0; i < k; ++i) {
      const D velocity = D::variable(p.v[i], k + i);
      q[i] = moving(D::variable(p.q[i], i), velocity), v[i] = moving(velocity, D(p.a[i]));
    }
    std::array<Jet, r> row;
    const Law& law = placed(law_, p.chart);
    law.velocity(moving(D(p.t), D(S(1))), q.data(), v.data(), row.data());
    for (int i = 0; i < r; ++i) {
      const D &value = row[i].value, &rate = row[i].grad[0];
      if (out.position) out.position[i] = S(0);
      if (out.velocity) out.velocity[i] = value.value;
      if (out.acceleration) out.acceleration[i] = rate.value;
      for (int j = 0; j < k; ++j) {
        const int at = i * k + j;
        if (out.gradient) out.gradient[at] = value.grad[k + j];
        if (out.curvature_q)
          out.curvature_q[at] = w.velocity * value.grad[j] + w.acceleration * rate.grad[j];
        if (out.curvature_v) out.curvature_v[at] = w.acceleration * rate.grad[k + j];
      }
    }
  }

  /// g does not depend on v: its derivatives are found at rest.
  void multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) override {
    using D = Dual<S, k>;
    using DD = Dual<D, k>;
    std::array<DD, k> q, v;
    for (int i = 0; i < k; ++i) q[i] = DD(D::variable(p.q[i], i)), v[i] = DD::variable(D(S(0)), i);
    std::array<DD, r> row;
    const Law& law = placed(law_, p.chart);
    law.velocity(DD(D(p.t)), q.data(), v.data(), row.data());
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        S sum(0);
        for (int s = 0; s < r; ++s) sum += p.lambda[s] * row[s].grad[i].grad[j];
        stiffness[i * k + j] = sum;
      }
  }

  bool has_record() const override { return !LawOnChart<S, Law>; }
  void record(const ElementPoint<Var>& p, const ElementRecord<S>& out) override {
    if constexpr (!LawOnChart<S, Law>) {
      using D = Dual<Var, k>;
      std::array<D, k> q, v;
      for (int i = 0; i < k; ++i) q[i] = D(p.q[i]), v[i] = D::variable(p.v[i], i);
      std::array<D, r> row;
      law_.velocity(D(p.t), q.data(), v.data(), row.data());
      for (int s = 0; s < r; ++s) {
        out.position[s] = row[s].value;
        for (int i = 0; i < k; ++i) out.gradient[s * k + i] = row[s].grad[i];
      }
    }
  }

  bool has_power() const override {
    if constexpr (requires { Law::driven; })
      return Law::driven;
    else
      return false;
  }
  /// λᵀc.
  S power(const ElementPoint<S>& p) override {
    const std::array<S, k> rest{};
    std::array<S, r> row;
    placed(law_, p.chart).velocity(p.t, p.q, rest.data(), row.data());
    S sum(0);
    for (int s = 0; s < r; ++s) sum += p.lambda[s] * row[s];
    return sum;
  }

 private:
  Law law_;
};

}  // namespace daemark
