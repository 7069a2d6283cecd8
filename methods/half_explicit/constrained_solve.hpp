// The linear system of a half-explicit stage: dynamics at one point, constraints at another,
//
//   [ M(Q)  Gᵀ(Q) ] [ a ]   [ f(t, Q, V)              ]
//   [ G(Q̂)  0     ] [ λ ] = [ −Φ̇(t̂, Q̂, V̂)/β ],   so that Φ̇(t̂, Q̂, V̂ + βa) = 0.
#pragma once

#include "base/linear/refined_lu.hpp"
#include "methods/core/stepper.hpp"

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

}  // namespace daemark
