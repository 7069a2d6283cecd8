// A stepper whose step ends are put onto the constraints: between attempt and accept the candidate
// is moved by the least change, positions first, and the method goes on from there, its history
// too.
//
// Where a and λ are functions of the state (index 1) they are solved for anew; elsewhere they stay
// the method's own.
#pragma once

#include "methods/core/stepper.hpp"

namespace daemark {

/// The stepper itself where nothing is to be projected. `target` must have a mechanism.
template <class S>
std::unique_ptr<Stepper<S>> projected(std::unique_ptr<Stepper<S>> stepper, const Target<S>& target,
                                      const ProjectionSettings& settings);

}  // namespace daemark
