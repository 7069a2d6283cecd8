// How a block method on index 3 carries what it does not enforce: Φ_q z and hΦ_q ż.
#pragma once

#include "methods/core/tableau.hpp"

namespace daemark {

/// For a constant Φ_q and Φ(q_i) = 0 at every node, eq. (5) of Li 2019 propagates the pair
/// u = Φ_q z, w = hΦ_q ż by [[rho, 0], [coupling, rho]] with rho = −e_rᵀB⁻¹d = R(∞) and
/// coupling = −e_rᵀB⁻¹(B⁻¹d + e). |rho| = 1 with coupling ≠ 0 is a Jordan block: linear growth.
struct ConstraintBlock {
  double rho = 0, coupling = 0;
  bool exists = false;  ///< false where B is singular
};

ConstraintBlock constraint_block(const WideBlock& block);

}  // namespace daemark
