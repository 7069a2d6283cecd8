// Orders to expect on constrained systems, from what was proved of the method; to be set beside
// observed slopes. Only where a theorem applies: an empty entry means that none does.
//
// Index 1: the multipliers are functions of the state, the method acts on the underlying ODE.
// Index 2: Hairer, Lubich & Roche 1989, section 4 (A invertible): stiffly accurate methods
// with B(p), C(q), D(xi) have order min(p, 2q, q + xi + 1) in the state and q in the multipliers;
// others with |R(infinity)| < 1 have min(p, q + 1) and q.
// Index 3: ibid., section 6, and Jay 1993 (stiffly accurate, A invertible, q >= 2): velocities q,
// multipliers q - 1; positions 2s - 1 for Radau IIA, i.e. where C(s) and D(s - 1) hold.
#pragma once

#include <optional>
#include <string>

#include "analysis/exact/runge_kutta.hpp"

namespace daemark::exact {

struct ExpectedOrders {
  std::optional<int> q, v, lambda;
  std::string text() const;  ///< "q 5, v 3, lambda 2"; "-" for an empty entry
};

/// index 1, 2 or 3.
ExpectedOrders expected_orders(const MethodProof& method, int index);

}  // namespace daemark::exact
