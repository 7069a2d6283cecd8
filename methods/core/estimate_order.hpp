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

/// Of a Rosenbrock method on mechanisms of index 2, by index_two_trees() (tree_families.hpp): α
/// above vertices of several branches and β = α + Γ above a single one, β⁻² at vertices of z;
/// Σ b_i Φ_i = 1/γ. A tree [<...>] points along M⁻¹Gᵀ, where the constraint damps what earlier
/// steps have left by R(∞): where |R(∞)| < 1, h^p in a step suffices there for order p, elsewhere
/// h^(p+1) [hairer1996, VII.4].
struct IndexTwoOrders {
  int motion = 0;       ///< power of h in the errors of v, and at least in those of q
  int multipliers = 0;  ///< in those of λ
  int difference = 0;   ///< in b − b̂ tangential to the constraints; 0: no b̂
};
IndexTwoOrders index_two_orders(const RosenbrockNumbers<wide>& method);

}  // namespace daemark
