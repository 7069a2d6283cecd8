// The power of h with which the difference of two embedded formulas falls: the order of the first
// rooted tree on which their weights differ. Trees, not quadratures: two formulas can agree on all
// quadratures and differ elsewhere, as those of Fehlberg's pair of orders 7 and 8.
#pragma once

#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// h Σ (b_j − b̂_j) ẏ_j of a Runge–Kutta method; 0 without b̂.
int order_of_difference(const WideTableau& tableau);
/// Of the interpolant: the highest order of trees, up to 10, whose conditions hold at every θ; 0
/// without one, and for one that does not end in b.
int order_of_interpolant(const WideTableau& tableau);
/// The lowest of those of positions and velocities or of both parts; 0 without embedded weights.
int order_of_difference(const Coefficients& pair);
/// Of a Rosenbrock method, by its trees; 0 without b̂.
int order_of_difference(const RosenbrockNumbers<wide>& method);

}  // namespace daemark
