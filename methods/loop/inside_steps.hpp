// Dense output: that of the stepper where it has some, elsewhere Hermite's between step
// ends (methods/stages/step_interpolant.hpp), with accelerations and multipliers that follow from
// the states there (the index-1 solve, one at each step end and one at the point).
//
// Hermite's are of order 6 where positions have velocities for rates, else 4: of no use to methods
// of higher order. On charts of rotations alone the beginning of a step is seen from the chart of
// its end; on others there are none.
#pragma once

#include "methods/core/method.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

template <class S>
class InsideSteps {
 public:
  InsideSteps(const Method& method, Stepper<S>& stepper, const Target<S>& target);

  /// Of the interpolant. After Stepper::start().
  InsideOrders orders() const;
  /// Before a step.
  void begin();
  /// After it was accepted: y and ẏ at θ, 0 ≤ θ ≤ 1; the time is left to the caller.
  void at(const S& theta, State<S>& to);
  /// Evaluations besides those of the stepper.
  long evaluations() const { return evaluations_; }

 private:
  bool chart_carries() const;
  void see_from_end();
  void complete(State<S>& state);

  Stepper<S>& stepper_;
  Target<S> target_;
  ComponentLists lists_;
  int method_order_;  ///< of its steps
  State<S> from_, to_;
  bool known_ = false;  ///< rates at both ends
  long evaluations_ = 0;
};

}  // namespace daemark
