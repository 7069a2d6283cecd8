// The orders to expect of a method on a formulation, for setting beside observed slopes.
#pragma once

#include <optional>
#include <string>

namespace daemark {

struct SlopesExpected {
  std::optional<int> q, v, lambda;  ///< empty: no theorem known to apply
};

/// The classical order p (order_of); the simplifying assumptions C(η), D(ξ) and |R(∞)| from the
/// coefficients. Index 1 (and minimal form): p. Index 2, stiffly accurate: min(p, 2η, η + ξ + 1)
/// and η; otherwise with |R(∞)| < 1 min(p, η + 1) and η. Index 3, stiffly accurate, η ≥ 2:
/// velocities η, multipliers η − 1 (Hairer, Lubich & Roche 1989; Jay 1993). An explicit first stage
/// before invertible ones counts as in Lobatto IIIA. Multistep formulas: p on index 1 and 2;
/// backward differentiation also on index 3 (Brenan, Campbell & Petzold 1996).
SlopesExpected slopes_expected(const std::string& method, const std::string& formulation);

/// The classical order: of tableaus by the conditions of rooted trees up to 8 and Butcher's theorem
/// beyond; of multistep formulas as claimed. Empty where neither is known.
std::optional<int> order_of(const std::string& method);

}  // namespace daemark
