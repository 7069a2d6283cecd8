// Orders of Runge–Kutta methods on mechanisms with constraints, of index 2 and 3, derived.
//
// The coefficients in the series of q, v and λ, one for each tree of mechanism_trees(), are
// themselves what the method makes of a triangular system of equations, one for each tree. So some
// steps of length 1 on that system give the coefficients of every step's error, with what errors of
// earlier steps have become: off the constraints they are multiplied by R(infinity), along them
// they add up. Where the error of a tree of order k grows with n^g, n steps, the global error has a
// term h^(k - g). The order is the lowest of them; trees beyond those tried can lower it no further
// than to what is then stated as a bound. Derived here; for what was known before see Hairer,
// Lubich & Roche 1989 and Jay 1993, 1995, which were not read.
//
// Whether an error is one is decided in 130 digits. Powers of R(infinity) are taken out of errors
// by differences e(n+1) - R e(n), which magnify round-off by 1/(1 - R) each: none are derived where
// that hides the errors that decide.
#pragma once

#include <string>

#include "methods/core/tree_families.hpp"

namespace daemark {

/// How an order was found.
struct DerivedOrder {
  int order = 0;
  bool at_least = false;  ///< no tree that was tried bounds it
  std::string tree;       ///< the first that does
};

struct ConstrainedOrders {
  DerivedOrder q, v, lambda;  ///< 0 or less: it does not converge
  std::string none;           ///< why none are derived; empty: they are
};

/// How multipliers at a step's end come about.
enum class EndMultipliers {
  of_last_stage,  ///< stiffly accurate; an explicit first stage takes them over
  solved          ///< index 1: as a function of (q, v)
};

/// `unit`: relative errors of that size are none. None are derived where the constraints do not
/// determine the stages, where |R(infinity)| > 1, so that errors grow, and where it is too near
/// to 1.
ConstrainedOrders constrained_orders(const WideTableau& tableau, exact::Imposed imposed,
                                     EndMultipliers end, double unit = 1e-60);

}  // namespace daemark
