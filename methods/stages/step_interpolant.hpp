// Dense output from both ends of a step: Hermite's interpolants, of degree 5 through q, q̇ = v and
// v̇ for positions, its derivative for v, of degree 3 for what has no second derivative.
#pragma once

#include "methods/core/stepper.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

/// Multipliers follow from the states.
inline InsideOrders hermite_orders(const ComponentLists& lists) {
  return lists.integral.empty() ? InsideOrders{4, 4, 4} : InsideOrders{6, 5, 5};
}

/// State and positions' rates at the part x of the step, 0 ≤ x ≤ 1, between `from` and `to`, on the
/// chart of both; ẏ and the algebraic components are left to the caller.
template <class S>
void interpolate_step(const ComponentLists& lists, const State<S>& from, const State<S>& to,
                      const S& x, State<S>& at) {
  const S h = to.t - from.t, x2 = x * x, x3 = x2 * x, left = S(1) - x;
  at = to;
  at.t = from.t + x * h;
  // Cubic, as the part of the way that is gone and what the rates at the ends add.
  const S gone = x2 * (S(3) - S(2) * x), first = x * left * left, last = -x2 * left;
  for (const int c : lists.differential)
    at.y[c] =
        from.y[c] + gone * (to.y[c] - from.y[c]) + h * (first * from.rate[c] + last * to.rate[c]);
  const S way = x3 * (S(10) - x * (S(15) - S(6) * x)), v0 = x - x3 * (S(6) - x * (S(8) - S(3) * x)),
          v1 = -x3 * (S(4) - x * (S(7) - S(3) * x)), a0 = x2 * left * left * left / S(2),
          a1 = x3 * left * left / S(2);
  const S way_rate = S(30) * x2 * left * left,
          v0_rate = S(1) - x2 * (S(18) - x * (S(32) - S(15) * x)),
          v1_rate = -x2 * (S(12) - x * (S(28) - S(15) * x)),
          a0_rate = x * left * left * (S(2) - S(5) * x) / S(2),
          a1_rate = x2 * left * (S(3) - S(5) * x) / S(2);
  for (const auto& [q, v] : lists.integral) {
    const S moved = to.y[q] - from.y[q];
    at.y[q] = from.y[q] + way * moved +
              h * (v0 * from.y[v] + v1 * to.y[v] + h * (a0 * from.rate[v] + a1 * to.rate[v]));
    at.y[v] = way_rate * moved / h + v0_rate * from.y[v] + v1_rate * to.y[v] +
              h * (a0_rate * from.rate[v] + a1_rate * to.rate[v]);
  }
}

}  // namespace daemark
