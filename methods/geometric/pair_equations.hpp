// Equations of one step of a partitioned Runge–Kutta pair (pair_method.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "methods/geometric/pair_method.hpp"
#include "methods/geometric/step_equations.hpp"
#include "problems/system/force_structure.hpp"

namespace daemark {

// Stages of a partitioned Runge–Kutta pair on a mechanism, positions by one tableau and momenta by
// another (Jay 1996):
//
//   Q_i = q₀ + h Σ_j a_ij V_j,   P_i = p₀ + h Σ_j â_ij F_j,   P_i = M(Q_i) V_i,    i = 1..s
//   q₁ = q₀ + h Σ_j b_j V_j,     p₁ = p₀ + h Σ_j b̂_j F_j,     p₁ = M(q₁) v₁
//   F_j = f + Ṁ v − Gᵀ Λ_j at (t_j, Q_j, V_j): the rate of p = M v on M v̇ + Gᵀλ = f
//
// with the constraints
//   positions    Φ(t_i, Q_i) = 0, i = 2..s                (a first row of zeros; last row b)
//   velocities   Σ_j a_ij Φ̇(t_j, Q_j, V_j) = 0, i = 2..s  (Jay 2003: combinations of stages)
// and, in both, Φ̇(t₁, q₁, v₁) = 0, or Λ_s = 0 where the end is not projected.
//
// On velocities, where M is singular (quaternions, massless bodies), M v would not determine V_i
// and the order would fall to 2: Jay's theorem wants an invertible derivative of the momenta. There
//   p = M v + Gᵀ Φ̇,
// whose derivative M + GᵀG is, and which on the constraints is the same.
//
// Unknowns: V_1 .. V_s, v₁, h Λ_1 .. h Λ_s. Rows of positions are divided by h. The Newton matrix
// leaves ∂(Ṁ v)/∂q out, which is of size h² in it and zero for constant M.
template <class S>
class PairEquations final : public StepEquations<S> {
 public:
  PairEquations(MechanicalSystem<S>& mechanism, const PairForm& form)
      : mechanism_(mechanism),
        form_(form),
        n_(mechanism.coordinates()),
        m_(mechanism.constraints()),
        s_(form.stages()),
        constant_mass_(force_structure(mechanism).constant_mass),
        held_(!by_positions() && m_ > 0 && !definite_mass(mechanism)) {
    const auto narrow = [](const std::vector<wide>& row, std::vector<S>& to) {
      for (const wide& x : row) to.push_back(from_wide<S>(x));
    };
    for (int i = 0; i < s_; ++i) narrow(form.position.A[i], a_), narrow(form.momentum.A[i], hat_);
    narrow(form.position.b, a_), narrow(form.momentum.b, hat_), narrow(form.position.c, c_);
    c_.emplace_back(1);
    for (std::vector<S>* x : {&q0_, &v0_, &p0_}) x->assign(n_, S(0));
    chart_.assign(mechanism.chart_size(), S(0));
    zeros_.assign(std::max(n_, m_), S(0)), lambda_.assign(m_, S(0));
    const std::size_t kq = mechanism.residual_q_pattern().size();
    sum_.assign(std::max(kq, static_cast<std::size_t>(mechanism.curvature_pattern().size())), S(0));
    moved_.assign(n_, S(0)), moved_mass_.assign(mechanism.mass_pattern().size(), S(0));
    ones_.assign(m_, S(1));
    for (int k = 0; k < m_; ++k) diagonal_.entries.emplace_back(k, k);
    stages_.resize(s_ + 1);
    for (Stage& stage : stages_) {
      for (std::vector<S>* x : {&stage.q, &stage.momentum, &stage.force}) x->assign(n_, S(0));
      stage.violation.assign(m_, S(0));
      stage.momentum_q.assign(kq, S(0)), stage.force_q.assign(kq, S(0));
      stage.force_v.assign(mechanism.residual_v_pattern().size(), S(0));
      stage.mass.assign(mechanism.mass_pattern().size(), S(0)), stage.mass_rate = stage.mass;
      stage.gradient.assign(mechanism.gradient_pattern().size(), S(0));
      stage.curvature.assign(mechanism.curvature_pattern().size(), S(0));
    }
    if (held_) find_products();
    PlaceSink sink;
    write_dynamics(sink);
    write_constraints(sink);
    this->lay_out((s_ + 1) * n_ + s_ * m_, sink.take(),
                  {s_ + 1, s_ + 1, constant_mass_ ? 0 : s_ + 1});
  }

  /// A step h from the state.
  template <class T>
  void begin(const State<T>& state, const T& h) {
    copy_as(state.y, q0_), copy_as(state.y, v0_, q0_.size());
    copy_as(state.chart, chart_);
    begin_at(static_cast<S>(state.t), static_cast<S>(h));
  }
  int unknowns_of(int stage) const { return stage * n_; }  ///< V_i, i = 0..s
  int multiplier_of(int stage) const { return (s_ + 1) * n_ + stage * m_; }
  /// q₁ of a solution.
  void end_position(const S* x, S* q1) { positions_of(s_, x, q1); }
  const S& node(int stage) const { return c_[stage]; }

 protected:
  void residual(const S* x, S* r, S* jacobian) override {
    for (int i = 0; i <= s_; ++i) evaluate_stage(i, x, jacobian != nullptr);
    for (int i = 0; i <= s_; ++i) {
      S* const row = r + unknowns_of(i);
      for (int k = 0; k < n_; ++k) row[k] = stages_[i].momentum[k] - p0_[k];
      for (int j = 0; j < s_; ++j) {
        const S weight = h_ * hat(i, j);
        if (weight == 0) continue;
        for (int k = 0; k < n_; ++k) row[k] -= weight * stages_[j].force[k];
      }
    }
    for (int i = 1; i < s_; ++i) {
      S* const row = r + multiplier_of(i - 1);
      if (by_positions()) {
        for (int k = 0; k < m_; ++k) row[k] = stages_[i].violation[k] / h_;
        continue;
      }
      std::fill_n(row, m_, S(0));
      for (int j = 0; j < s_; ++j)
        for (int k = 0; k < m_; ++k) row[k] += a(i, j) * stages_[j].violation[k];
    }
    const S* const last =
        form_.projects_end ? stages_[s_].violation.data() : x + multiplier_of(s_ - 1);
    std::copy_n(last, m_, r + multiplier_of(s_ - 1));
    if (!jacobian) return;
    ValueSink<S> sink(jacobian);
    write_dynamics(sink);
    write_constraints(sink);
  }

 private:
  /// What one stage contributes.
  struct Stage {
    std::vector<S> q, momentum, force, violation;
    // derivatives: ∂P/∂q, M, ∂F/∂q, ∂F/∂v by parts, G, ∂Φ̇/∂q
    std::vector<S> momentum_q, mass, force_q, force_v, mass_rate, gradient, curvature;
  };

  using Products = std::vector<std::pair<int, int>>;

  void begin_at(const S& t, const S& h) {
    t_ = t, h_ = h;
    MotionValues<S> out;
    out.inertia = p0_.data();
    mechanism_.evaluate({t, q0_.data(), v0_.data(), v0_.data(), zeros_.data(), chart_.data()}, {},
                        out);
  }
  void positions_of(int stage, const S* x, S* q) {
    std::copy(q0_.begin(), q0_.end(), q);
    for (int j = 0; j < s_; ++j) {
      const S weight = h_ * a(stage, j);
      if (weight == 0) continue;
      const S* const v = x + unknowns_of(j);
      for (int k = 0; k < n_; ++k) q[k] += weight * v[k];
    }
  }
  void evaluate_stage(int i, const S* x, bool with_jacobian) {
    Stage& stage = stages_[i];
    const bool end = i == s_;
    positions_of(i, x, stage.q.data());
    if (!end)
      for (int k = 0; k < m_; ++k) lambda_[k] = x[multiplier_of(i) + k] / h_;
    const S* const v = x + unknowns_of(i);
    const MotionPoint<S> point{
        t_ + c_[i] * h_, stage.q.data(), v, v, end ? zeros_.data() : lambda_.data(), chart_.data()};
    MotionValues<S> out;
    out.inertia = stage.momentum.data(), out.residual = stage.force.data();
    (by_positions() && !end ? out.position : out.velocity) = stage.violation.data();
    if (with_jacobian || held_) out.gradient = stage.gradient.data();
    if (with_jacobian) {
      out.mass = stage.mass.data();
      out.residual_v = stage.force_v.data(), out.curvature_q = stage.curvature.data();
    }
    if (!constant_mass_)
      out.residual_q = stage.momentum_q.data();
    else if (with_jacobian)
      out.residual_q = stage.force_q.data();
    mechanism_.evaluate(point, {S(0), S(1), S(0)}, out);
    for (int k = 0; k < n_; ++k) stage.force[k] = stage.momentum[k] - stage.force[k];
    if (!constant_mass_) add_mass_rate(stage, point, with_jacobian);
    if (held_) {
      const auto& g = mechanism_.gradient_pattern().entries;
      for (std::size_t k = 0; k < g.size(); ++k)
        stage.momentum[g[k].second] += stage.gradient[k] * stage.violation[g[k].first];
    }
    if (!with_jacobian) return;
    for (std::vector<S>* derivative : {&stage.force_q, &stage.force_v})
      for (S& value : *derivative) value = -value;
  }
  /// Without accelerations the derivative of R is that of the forces; with them it is more by
  /// ∂(M v)/∂q, and Ṁ v is that times v.
  void add_mass_rate(Stage& stage, MotionPoint<S> point, bool with_jacobian) {
    point.a = zeros_.data();
    MotionValues<S> out;
    out.residual_q = stage.force_q.data();
    mechanism_.evaluate(point, {}, out);
    const Pattern& pattern = mechanism_.residual_q_pattern();
    for (int k = 0; k < pattern.size(); ++k) {
      const auto [i, j] = pattern.entries[k];
      stage.momentum_q[k] -= stage.force_q[k];
      stage.force[i] += stage.momentum_q[k] * point.v[j];
    }
    if (!with_jacobian) return;
    // Ṁ by a difference along v: for the Newton matrix alone.
    double speed = 0;
    for (int k = 0; k < n_; ++k) speed = std::max(speed, std::abs(to_double(point.v[k])));
    const S step(1e-5 / (1 + speed));
    std::fill(stage.mass_rate.begin(), stage.mass_rate.end(), S(0));
    out = {};
    out.mass = moved_mass_.data(), point.q = moved_.data();
    for (const int sign : {1, -1}) {
      for (int k = 0; k < n_; ++k) moved_[k] = stage.q[k] + S(sign) * step * point.v[k];
      mechanism_.evaluate(point, {}, out);
      for (std::size_t k = 0; k < moved_mass_.size(); ++k)
        stage.mass_rate[k] += moved_mass_[k] / (S(2 * sign) * step);
    }
  }
  /// Entries of G, and of ∂Φ̇/∂q, in the row of each entry of G.
  void find_products() {
    const auto& g = mechanism_.gradient_pattern().entries;
    for (auto [to, pattern] : {std::pair(&squares_, &mechanism_.gradient_pattern()),
                               std::pair(&bends_, &mechanism_.curvature_pattern())})
      for (std::size_t i = 0; i < g.size(); ++i)
        for (int j = 0; j < pattern->size(); ++j)
          if (pattern->entries[j].first == g[i].first) to->emplace_back(i, j);
  }
  /// weight · Gᵀ times the other block of the stage.
  template <class Sink>
  void add_product(Sink& sink, const Products& products, const Pattern& pattern, const Stage& stage,
                   const std::vector<S>& values, const S& weight, int row, int column) {
    for (const auto& [i, j] : products)
      sink.add_one(row + mechanism_.gradient_pattern().entries[i].second,
                   column + pattern.entries[j].second, weight * stage.gradient[i] * values[j]);
  }
  /// Σ_j weight(j) · block of stage j, where a weight that is zero by the coefficients is left out.
  template <class Part>
  bool sum_over_stages(int i, int k, const std::vector<S>& rows, Part part, const S& factor) {
    bool any = false;
    std::fill(sum_.begin(), sum_.end(), S(0));
    for (int j = 0; j < s_; ++j) {
      const S coefficient = rows[i * s_ + j] * a(j, k);
      if (coefficient == 0) continue;
      any = true;
      const std::vector<S>& values = part(stages_[j]);
      for (std::size_t e = 0; e < values.size(); ++e) sum_[e] += factor * coefficient * values[e];
    }
    return any;
  }
  /// Blocks of the rows of momenta.
  template <class Sink>
  void write_dynamics(Sink& sink) {
    const Pattern &mass = mechanism_.mass_pattern(), &q = mechanism_.residual_q_pattern();
    const auto force_q = [](const Stage& stage) -> const std::vector<S>& { return stage.force_q; };
    for (int i = 0; i <= s_; ++i) {
      const int row = unknowns_of(i);
      sink.add(mass, stages_[i].mass, S(1), row, row);
      if (held_)
        add_product(sink, squares_, mechanism_.gradient_pattern(), stages_[i], stages_[i].gradient,
                    S(1), row, row);
      for (int k = 0; k < s_; ++k) {
        const int column = unknowns_of(k);
        const S step = h_ * hat(i, k);
        if (sum_over_stages(i, k, hat_, force_q, -h_ * h_)) sink.add(q, sum_, S(1), row, column);
        if (!constant_mass_ && a(i, k) != 0)
          sink.add(q, stages_[i].momentum_q, h_ * a(i, k), row, column);
        if (held_ && a(i, k) != 0)
          add_product(sink, bends_, mechanism_.curvature_pattern(), stages_[i],
                      stages_[i].curvature, h_ * a(i, k), row, column);
        if (hat(i, k) == 0) continue;
        sink.add(mechanism_.residual_v_pattern(), stages_[k].force_v, -step, row, column);
        sink.add_transposed(mechanism_.gradient_pattern(), stages_[k].gradient, hat(i, k), row,
                            multiplier_of(k));
        if (constant_mass_) continue;
        sink.add(q, stages_[k].momentum_q, -step, row, column);
        sink.add(mass, stages_[k].mass_rate, -step, row, column);
      }
    }
  }
  /// Blocks of the rows of constraints.
  template <class Sink>
  void write_constraints(Sink& sink) {
    const Pattern &g = mechanism_.gradient_pattern(), &curvature = mechanism_.curvature_pattern();
    const auto bend = [](const Stage& stage) -> const std::vector<S>& { return stage.curvature; };
    for (int i = 1; i < s_; ++i)
      for (int k = 0; k < s_; ++k) {
        const int row = multiplier_of(i - 1), column = unknowns_of(k);
        if (a(i, k) != 0)
          sink.add(g, stages_[by_positions() ? i : k].gradient, a(i, k), row, column);
        if (!by_positions() && sum_over_stages(i, k, a_, bend, h_))
          sink.add(curvature, sum_, S(1), row, column);
      }
    const int row = multiplier_of(s_ - 1);
    if (!form_.projects_end) {
      sink.add(diagonal_, ones_, S(1), row, row);
      return;
    }
    sink.add(g, stages_[s_].gradient, S(1), row, unknowns_of(s_));
    for (int k = 0; k < s_; ++k)
      sink.add(curvature, stages_[s_].curvature, h_ * a(s_, k), row, unknowns_of(k));
  }
  const S& a(int i, int j) const { return a_[i * s_ + j]; }
  const S& hat(int i, int j) const { return hat_[i * s_ + j]; }
  bool by_positions() const { return form_.constraints == PairForm::Constraints::positions; }

  MechanicalSystem<S>& mechanism_;
  PairForm form_;
  int n_, m_, s_;
  bool constant_mass_;
  bool held_;  ///< GᵀΦ̇ is a part of the momenta
  Products squares_, bends_;
  std::vector<S> a_, hat_, c_;  ///< rows 0..s, the last b, b̂ at 1
  S t_{}, h_{};
  std::vector<S> q0_, v0_, p0_, chart_, zeros_, lambda_, sum_, moved_, moved_mass_, ones_;
  Pattern diagonal_;
  std::vector<Stage> stages_;  ///< the last is the end
};

}  // namespace daemark
