// Half-explicit Runge–Kutta methods for constrained mechanisms of index 2: explicit stages, each
// with one linear system for its acceleration and multipliers.
//
//   Q_i = q_0 + h Σ_{j<i} a_ij V_j,  V_i = v_0 + h Σ_{j<i} a_ij V'_j (stages) Q̂_i = q_0 + h Σ_{j≤i}
//   â_ij V_j                                       (where constraints hold) M(Q_i) V'_i + Gᵀ(Q_i)
//   Λ_i = f(t_i, Q_i, V_i) Φ̇(t_0 + ĉ_i h, Q̂_i, v_0 + h Σ_{j≤i} â_ij V'_j) = 0,   ĉ_i = Σ_j â_ij q_1
//   = q_0 + h Σ b_i V_i,  v_1 = v_0 + h Σ b_i V'_i
//
// Partitioned with its own Â [murua1997, (6.5) of hairer1996, VII.6]; Â the next rows of A and b
// [brasey1993]; where row i of Â is zero, V'_i and Λ_i are those at the end of the last step
// [arnold1998]. One row of Â is b, so that Φ̇ = 0 at each step end; Φ drifts, which
// Settings::project removes as the authors' codes do.
//
// λ and v̇ at a step end: of the last stage where that is the step end (row s of A is b), else from
// the index-1 solve there.
//
// Estimate: h Σ (b_i − b̂_i)(V_i, V'_i). Where the last stage is the step end, v̂_1 first goes onto
// Φ̇(q̂_1) = 0 by one step with the matrix of that stage (Murua's code). With a second, lower formula
// the estimate is e²/(e + 0.01 e_low) (Brasey's code). Departures: norms are this program's
// (methods/loop/error_size.hpp), as are the bounds on the ratio of steps.
// The linear system of a half-explicit stage: dynamics at one point, constraints at another,
//
//   [ M(Q)  Gᵀ(Q) ] [ a ]   [ f(t, Q, V)              ]
//   [ G(Q̂)  0     ] [ λ ] = [ −Φ̇(t̂, Q̂, V̂)/β ],   so that Φ̇(t̂, Q̂, V̂ + βa) = 0.
#pragma once

#include <memory>

#include "base/linear/refined_lu.hpp"
#include "methods/core/method.hpp"
#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"
#include "methods/loop/error_size.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {

template <class S>
class ConstrainedSolve {
 public:
  explicit ConstrainedSolve(MechanicalSystem<S>& mechanism);

  // Parts of the system, from points whose accelerations and multipliers are not looked at. What is
  // evaluated at one point counts as one evaluation, in however many parts.
  void dynamics(const MotionPoint<S>& point, Counts& counts);                   ///< M, Gᵀ, f
  void constraint(const MotionPoint<S>& point, const S& beta, Counts& counts);  ///< G, Φ̇
  /// M, Gᵀ, G and Φ̇, all at one point.
  void motion(const MotionPoint<S>& point, const S& beta, Counts& counts);
  /// M, Gᵀ, f at the positions and the time of the last constraint().
  void dynamics_there(const MotionPoint<S>& point, Counts& counts);
  void force(const MotionPoint<S>& point, Counts& counts);  ///< f

  /// Factors and solves; the report says why it failed.
  StepReport solve(S* a, S* lambda, Counts& counts);
  /// v := v − δ with the last factors: M δ + Gᵀμ = 0, G δ = Φ̇ of the point, whose v it is.
  bool project(const MotionPoint<S>& point, S* v, Counts& counts);

 private:
  S* mass() { return values_.data(); }
  S* reaction() { return values_.data() + mass_; }
  S* rows() { return values_.data() + mass_ + gradient_; }
  S* velocities() { return right_.data() + n_; }
  void evaluate(const MotionPoint<S>& point, MotionValues<S> out, bool with_force);

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  int mass_, gradient_;              ///< entries of M and G
  std::vector<S> values_;            ///< M, Gᵀ, G
  std::vector<S> right_, solution_;  ///< right_: −f, Φ̇/β
  RefinedLu<S> lu_;
};

/// Whether stage i of a row of Â takes what the step before ended with.
bool is_carried(const std::vector<wide>& row);
/// The last stage is the step end.
bool ends_with_a_stage(const WideHalfExplicit& form);

std::shared_ptr<const Method> half_explicit_method(const Coefficients& written);

template <class S>
class HalfExplicitStepper final : public OneStateStepper<S> {
  using OneStateStepper<S>::target_, OneStateStepper<S>::state_, OneStateStepper<S>::next_;

 public:
  /// `estimate_order`: the power of h with which its estimate falls.
  HalfExplicitStepper(const WideHalfExplicit& form, int estimate_order, const Target<S>& target,
                      const Settings& settings);

  StepReport attempt(const S& h) override;
  StepAdvice advice() const override { return advice_; }
  double first_step(double span) override;

 private:
  /// h Σ_j a_j (V_j, V'_j) over the stages whose weight is not zero.
  struct Sum {
    std::vector<S> weights, scaled;
    std::vector<int> offsets;
  };
  struct Stage {
    bool carried = false;
    bool there = false;  ///< at the point where the constraints of the stage before held
    bool at_end = false, constraint_at_end = false;  ///< its times are that of the step end
    S c{}, constraint_c{}, own{};                    ///< c_i, ĉ_i, â_ii
    Sum values, constraint;  ///< by rows of A and Â, without the stage itself
  };

  Sum sum_of(const std::vector<wide>& weights, int count) const;
  void begin_run(const S& h) override { set_step(h); }
  void set_step(const S& h);
  void add(const Sum& sum, const S* base, S* to) const;
  StepReport run(const Stage& stage, int i);
  StepReport finish();
  void estimate();
  bool project_difference();
  /// point_ at a time of the step.
  MotionPoint<S> at(const S& t) const {
    return {t, point_.data(), point_.data() + n_, nullptr, nullptr, state_.chart.data()};
  }
  S* rates(int i) { return &rates_[static_cast<std::size_t>(i) * 2 * n_]; }
  S* multipliers(int i) { return multipliers_.data() + static_cast<std::size_t>(i) * m_; }

  MechanicalSystem<S>& mechanism_;
  int n_, m_, s_, estimate_order_;
  bool estimates_, end_stage_;
  ComponentLists lists_;
  ErrorSize<S> error_size_;
  std::vector<Stage> stages_;
  Sum end_, error_, lower_;
  ConstrainedSolve<S> solve_;
  S h_{};
  std::vector<S> rates_, multipliers_;  ///< (V_i, V'_i) and Λ_i by stage
  std::vector<S> point_, zeros_, difference_, lower_difference_;
  StepAdvice advice_;
};

}  // namespace daemark
