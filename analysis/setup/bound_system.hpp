// The equations of a bound run in a scalar, and the state they start from.
#pragma once

#include <memory>

#include "analysis/setup/bound_run.hpp"

namespace daemark {

/// In S, and in double, in which Newton matrices are factored.
template <class S>
struct BoundSystem {
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;  ///< empty for S = double
  /// The run outlives it.
  explicit BoundSystem(const BoundRun& run);
  Target<S> target() const;
  MotionPoint<S> motion(const State<S>& state) const {
    return motion_point(mechanism->coordinates(), state.point());
  }

 private:
  const Formulation* formulation_;
};

/// The state that was asked for, or the problem's own, at the start time, with accelerations and
/// multipliers. Throws BadInput with the size of the violation where q, v do not satisfy the
/// constraints.
template <class S>
State<S> initial_state(const BoundRun& run, BoundSystem<S>& model);

}  // namespace daemark
