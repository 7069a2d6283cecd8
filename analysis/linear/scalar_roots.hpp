// Roots of one step on the scalar equation y' = λy, without the conjugates that the oscillator's
// memory adds: beside the negative real axis a root and its conjugate nearly meet, and only here it
// stays clear which is which.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "methods/catalogue/registry.hpp"

namespace daemark {

/// λh = iθ → all roots: R(iθ) of a Runge–Kutta method, those of ρ(ζ) − iθσ(ζ) of a multistep
/// formula. Absent for methods that have neither form.
std::optional<std::function<std::vector<std::complex<double>>(double theta)>> scalar_roots(
    const Method& method);

}  // namespace daemark
