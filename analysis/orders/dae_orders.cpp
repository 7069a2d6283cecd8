#include "analysis/orders/dae_orders.hpp"

#include <algorithm>

namespace daemark {

namespace {

ExpectedOrders of_index_2(const MethodFacts& method) {
  ExpectedOrders out;
  const int s = method.stages;
  if (method.stiffly_accurate && method.damped) {
    out.q = out.v = std::min({method.order, 2 * method.c, method.c + method.d + 1});
    out.lambda = method.c;
  } else if (method.stiffly_accurate) {
    if (method.c != s || method.order != 2 * s - 2) return out;  // Lobatto IIIA, R(infinity) = ±1
    out.q = out.v = method.order;
    out.lambda = s % 2 == 1 ? s - 1 : s;
  } else if (!method.explicit_first_stage && method.damped) {
    out.q = out.v = out.lambda = std::min(method.order, method.c + 1);
  } else if (method.order == 2 * s) {  // Gauss, the only one
    out.v = out.lambda = s % 2 == 1 ? s + 1 : s;
  }
  return out;
}

ExpectedOrders of_index_3(const MethodFacts& method) {
  ExpectedOrders out;
  if (!method.stiffly_accurate || !method.damped || method.c < 2) return out;
  out.v = method.c;
  out.lambda = method.c - 1;
  const int s = method.stages;
  if (method.c == s && method.d == s - 1 && method.order == 2 * s - 1) out.q = method.order;
  return out;
}

}  // namespace

std::string ExpectedOrders::text() const {
  const auto entry = [](const std::optional<int>& x) { return x ? std::to_string(*x) : "-"; };
  return "q " + entry(q) + ", v " + entry(v) + ", lambda " + entry(lambda);
}

ExpectedOrders expected_orders(const MethodFacts& method, int index) {
  if (index <= 1) return {method.order, method.order, method.order};
  if (!method.regular || method.c < 1) return {};
  return index == 2 ? of_index_2(method) : of_index_3(method);
}

}  // namespace daemark
