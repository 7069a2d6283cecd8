// Roots of one step on the scalar equation y' = λy. The oscillator's memory also has their
// conjugates, and near the negative real axis a root and its conjugate almost coincide: only the
// scalar equation keeps them apart.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "methods/catalogue/registry.hpp"

namespace daemark {

/// λh = iθ → all roots: R(iθ) of a Runge–Kutta method, those of ρ(ζ) − iθσ(ζ) of a multistep
/// formula. Absent for other methods.
std::optional<std::function<std::vector<std::complex<double>>(double theta)>> scalar_roots(
    const Method& method);

}  // namespace daemark
