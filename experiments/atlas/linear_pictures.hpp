// What a method does to linear equations, as small pictures and tables inside pages.
#pragma once

#include <string>

namespace daemark {

/// Stability region, order star (of Runge–Kutta methods), amplitude decay, period elongation and
/// spectral radius over the step, as HTML. Empty where the method refuses ordinary equations or has
/// no stepper in the precision.
std::string linear_pictures(const std::string& call);

}  // namespace daemark
