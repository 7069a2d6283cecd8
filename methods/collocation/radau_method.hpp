// Radau IIA: on fixed steps through the kernel of all Runge–Kutta methods, with step-size control
// through methods/collocation/collocation_stepper.hpp.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

/// `stages`: odd, at least 3; where the order varies, the fewest. `fixed`: the method on fixed
/// steps.
std::shared_ptr<const Method> radau_method(int stages, std::shared_ptr<const Method> fixed);

/// Whether radau_method takes such a member: an odd number of stages (others have no real
/// eigenvalue to filter an estimate with), up to what double precision can part.
bool radau_controls(int stages);

}  // namespace daemark
