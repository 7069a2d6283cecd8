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
// Unknowns: V_1 .. V_s, v₁, h Λ_1 .. h Λ_s. Rows of positions are divided by h. The Newton matrix
// leaves ∂(Ṁ v)/∂q out, which is of size h² in it and zero for constant M.
#pragma once

#include "methods/core/tableau.hpp"
#include "methods/geometric/step_equations.hpp"

namespace daemark {

/// Coefficients of a pair; the nodes of the momenta are those of the positions.
struct PairForm {
  enum class Constraints { positions, velocities };
  WideTableau position, momentum;
  Constraints constraints = Constraints::positions;
  bool projects_end = true;
  int stages() const { return position.stages(); }
};

template <class S>
class PairEquations final : public StepEquations<S> {
 public:
  PairEquations(MechanicalSystem<S>& mechanism, const PairForm& form);

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
  void residual(const S* x, S* r, S* jacobian) override;

 private:
  /// What one stage contributes.
  struct Stage {
    std::vector<S> q, momentum, force, violation;
    // derivatives: ∂P/∂q, M, ∂F/∂q, ∂F/∂v by parts, G, ∂Φ̇/∂q
    std::vector<S> momentum_q, mass, force_q, force_v, mass_rate, gradient, curvature;
  };

  void begin_at(const S& t, const S& h);
  void positions_of(int stage, const S* x, S* q);
  void evaluate_stage(int i, const S* x, bool with_jacobian);
  void add_mass_rate(Stage& stage, MotionPoint<S> point, bool with_jacobian);
  template <class Part>
  bool sum_over_stages(int i, int k, const std::vector<S>& rows, Part part, const S& factor);
  template <class Sink>
  void write_dynamics(Sink& sink);
  template <class Sink>
  void write_constraints(Sink& sink);
  const S& a(int i, int j) const { return a_[i * s_ + j]; }
  const S& hat(int i, int j) const { return hat_[i * s_ + j]; }
  bool by_positions() const { return form_.constraints == PairForm::Constraints::positions; }

  MechanicalSystem<S>& mechanism_;
  PairForm form_;
  int n_, m_, s_;
  bool constant_mass_;
  std::vector<S> a_, hat_, c_;  ///< rows 0..s, the last b, b̂ at 1
  S t_{}, h_{};
  std::vector<S> q0_, v0_, p0_, chart_, zeros_, lambda_, sum_, moved_, moved_mass_, ones_;
  Pattern diagonal_;
  std::vector<Stage> stages_;  ///< the last is the end
};

}  // namespace daemark
