// Orders to expect on constrained systems; to be set beside observed slopes. Only where a theorem
// applies: an empty entry means that none is known to.
//
// Index 1: the multipliers are functions of the state, the method acts on the underlying ODE. Index
// 2 (Hairer, Lubich & Roche 1989, section 4; A invertible, |R(infinity)| < 1): stiffly accurate
// methods with B(p), C(eta), D(xi) have order min(p, 2 eta, eta + xi + 1) in the state and eta in
// the last stage's multiplier, which is that of the step; others have min(p, eta + 1) in the state.
// |R(infinity)| = 1: Lobatto IIIA 2s - 2, multipliers s - 1 (s odd) or s (s even); Gauss,
// velocities s + 1 (s odd) or s (s even). Methods that are not stiffly accurate take the multiplier
// at the step's end from an index-1 solve there, a function of (q, v): it has the order of v, not
// that of the internal multipliers (eta; Gauss: s - 1, s - 2). Index 3 (ibid., section 6, and Jay
// 1993; stiffly accurate, |R(infinity)| < 1, eta >= 2): velocities eta, multipliers eta - 1;
// positions 2s - 1 for Radau IIA, i.e. where C(s) and D(s - 1) hold. An explicit first stage before
// invertible ones counts as in Lobatto IIIA.
#pragma once

#include <optional>
#include <string>

#include "analysis/orders/method_facts.hpp"

namespace daemark {

struct ExpectedOrders {
  std::optional<int> q, v, lambda;
  std::string text() const;  ///< "q 5, v 3, lambda 2"; "-" for an empty entry
};

/// index 0 to 3.
ExpectedOrders expected_orders(const MethodFacts& method, int index);

}  // namespace daemark
