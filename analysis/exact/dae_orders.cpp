#include "analysis/exact/dae_orders.hpp"

#include <algorithm>

namespace daemark::exact {

std::string ExpectedOrders::text() const {
  const auto entry = [](const std::optional<int>& x) { return x ? std::to_string(*x) : "-"; };
  return "q " + entry(q) + ", v " + entry(v) + ", lambda " + entry(lambda);
}

ExpectedOrders expected_orders(const MethodProof& method, int index) {
  ExpectedOrders out;
  const int p = method.order.order;
  const Assumptions& found = method.simplifying;
  if (index == 1) {
    out.q = out.v = out.lambda = p;
    return out;
  }
  if (!method.a_invertible || found.c < 1) return out;
  const bool damped =
      method.stability.at_infinity && abs(*method.stability.at_infinity) < Number(1);
  if (index == 2) {
    if (method.stiffly_accurate) {
      out.q = out.v = std::min({p, 2 * found.c, found.c + found.d + 1});
      out.lambda = found.c;
    } else if (damped) {
      out.q = out.v = std::min(p, found.c + 1);
      out.lambda = found.c;
    }
    return out;
  }
  if (!method.stiffly_accurate || found.c < 2) return out;
  out.v = found.c;
  out.lambda = found.c - 1;
  const int s = method.method.stages();
  if (found.c == s && found.d == s - 1 && p == 2 * s - 1) out.q = p;
  return out;
}

}  // namespace daemark::exact
