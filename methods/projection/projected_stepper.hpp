// A stepper that puts step ends onto the constraints: between attempt and accept it moves the
// candidate by the least change, positions first. The method continues from there, and its history
// holds the moved points.
//
// Where a and λ are functions of the state (index 1) they are solved for again; elsewhere they stay
// those of the method.
#pragma once

#include "methods/core/stepper.hpp"

namespace daemark {

/// The stepper itself where nothing is to be projected. `target` must have a mechanism.
template <class S>
std::unique_ptr<Stepper<S>> projected(std::unique_ptr<Stepper<S>> stepper, const Target<S>& target,
                                      const ProjectionSettings& settings);

}  // namespace daemark
