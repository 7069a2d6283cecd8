// Orders of half-explicit methods on mechanisms of index 2, by the trees of methods/half_explicit:
// A above vertices of y that branch from y, Â above those that branch from z, Ŵ = Â⁻¹ at vertices
// of z; a stage that carries its multipliers over has none of them (its row and column of Â are
// left out) [hairer1996, VII.6].
//
//   Σ b_i Φ_i = 1/γ (local order r of q, v),   Φ_s = 1/γ (of the last stage's multipliers, m − 1)
//
// Where stages carry multipliers over, orders are min(r, m + 1) of q and v and min(r, m) of λ, and
// |ŵ| < 1 has to hold of what their error is multiplied by in a step; elsewhere r, and λ is a
// function of (q, v).
#pragma once

#include <optional>
#include <string>

#include "methods/core/tableau.hpp"

namespace daemark::exact {

struct HalfExplicitOrders {
  int q = 0, v = 0, lambda = 0;   ///< of steps; λ at step ends
  int multipliers = 0;            ///< power of h in the error of the last stage's, from exact ones
  std::optional<double> carried;  ///< what an error of λ is multiplied by in a step
  int embedded = 0;               ///< local order of the embedded formula; 0: none
  std::string failing;            ///< the first tree of v that fails
};

/// At 130 digits, of decimals to their accuracy.
HalfExplicitOrders half_explicit_orders(const Coefficients& method);

}  // namespace daemark::exact
