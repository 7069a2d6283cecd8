// A family member that knows its coefficients as exact expressions.
#pragma once

#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {

/// The Runge–Kutta method of an exact tableau, which its exact_tableau() returns.
std::shared_ptr<const Method> tableau_method(const ExactTableau& tableau,
                                             std::optional<RhoFamily> family = std::nullopt);

}  // namespace daemark
