// Orders of Rosenbrock methods on mechanisms of index 2, by the trees of
// methods/core/dae_trees.hpp: α above vertices of several branches and β = α + Γ above a single
// one, β⁻² at vertices of z.
//
//   Σ b_i Φ_i = 1/γ
//
// A tree [<...>] points along M⁻¹Gᵀ, where the constraint damps what earlier steps have left by
// R(∞): where |R(∞)| < 1, h^p in a step suffices there for order p, elsewhere h^(p+1)
// [hairer1996, VII.4].
#pragma once

#include "methods/core/tableau.hpp"

namespace daemark {

struct IndexTwoOrders {
  int motion = 0;       ///< power of h in the errors of v, and at least in those of q
  int multipliers = 0;  ///< in those of λ
  int difference = 0;   ///< in b − b̂ tangential to the constraints; 0: no b̂
};

IndexTwoOrders index_two_orders(const RosenbrockNumbers<wide>& method);

}  // namespace daemark
