#include "analysis/orders/dae_orders.hpp"

#include <algorithm>

namespace daemark {

namespace {

constexpr const char* underlying_equation =
    "the stages solve the underlying differential equation, multipliers are a function of the "
    "state";
constexpr const char* formula_on_underlying_equation =
    "the formula solves the underlying differential equation, multipliers are a function of the "
    "state";

ExpectedOrders observed(std::optional<int> q, std::optional<int> v, std::optional<int> lambda,
                        const std::string& said) {
  return {q, v, lambda, false, true, "observed only; " + said + ", not read"};
}

bool is_radau_iia(const MethodFacts& m) {
  return m.stiffly_accurate && !m.explicit_first_stage && m.c == m.stages && m.d == m.stages - 1 &&
         m.order == 2 * m.stages - 1;
}

/// Backward Euler is the backward differentiation formula of one step.
bool is_backward_euler(const MethodFacts& m) { return m.stages == 1 && is_radau_iia(m); }

ExpectedOrders of_index_2(const MethodFacts& method) {
  const int s = method.stages, p = method.order;
  const std::string class_of = method.explicit_first_stage
                                   ? "said of an explicit first stage by Jay 1993"
                                   : "said by Hairer, Lubich & Roche 1989, section 4";
  if (method.stiffly_accurate && method.damped) {
    const int order = std::min({p, 2 * method.c, method.c + method.d + 1});
    ExpectedOrders out = observed(order, order, method.c, class_of);
    if (is_radau_iia(method)) {
      out.observed_only = false;
      out.reason =
          "Radau IIA on Hessenberg index 2: 2s-1 and s (Hairer, Lubich & Roche 1989, as stated by "
          "Fabien 2009, section 5.3)";
    }
    return out;
  }
  if (method.stiffly_accurate) {
    if (method.c == s && p == 2 * s - 2)  // Lobatto IIIA, R(infinity) = ±1
      return observed(p, p, s % 2 == 1 ? s - 1 : s, "said of Lobatto IIIA by Jay 1993");
  } else if (!method.explicit_first_stage && (method.damped || p == 2 * s)) {
    // Gauss, of order 2s, is the one whose undamped part is known.
    const int order = method.damped ? std::min(p, method.c + 1) : s % 2 == 1 ? s + 1 : s;
    ExpectedOrders out = observed(order, order, order, class_of);
    out.q_at_least = true;
    return out;
  }
  return no_orders("nothing is known for |R(infinity)| >= 1 and this method");
}

ExpectedOrders of_index_3(const MethodFacts& method) {
  if (is_backward_euler(method)) return expected_orders(MultistepFacts{1, true, 0}, 3);
  if (!method.stiffly_accurate || !method.damped || method.c < 2)
    return no_orders(
        "nothing is known but for stiffly accurate methods of stage order 2 or more with "
        "|R(infinity)| < 1");
  std::optional<int> q;
  if (is_radau_iia(method)) q = method.order;
  return observed(q, method.c, method.c - 1, "said by Jay 1995");
}

}  // namespace

ExpectedOrders no_orders(const std::string& reason) { return {{}, {}, {}, false, false, reason}; }

std::string ExpectedOrders::text() const {
  const auto entry = [](const std::optional<int>& x) { return x ? std::to_string(*x) : "-"; };
  return std::string("q ") + (q && q_at_least ? ">= " : "") + entry(q) + ", v " + entry(v) +
         ", lambda " + entry(lambda);
}

ExpectedOrders expected_orders(const MethodFacts& method, int index) {
  if (index <= 1)
    return {method.order, method.order, method.order, false, false, underlying_equation};
  if (!method.regular || method.c < 1) return no_orders("A is singular or its row sums are not c");
  ExpectedOrders out = index == 2 ? of_index_2(method) : of_index_3(method);
  if (method.solves_end_rates) out.lambda = out.v;
  return out;
}

ExpectedOrders expected_orders(const MultistepFacts& formula, int index) {
  const int p = formula.order;
  if (!formula.zero_stable)
    return no_orders("the formula is not zero-stable: errors grow with the number of steps");
  if (index <= 1) return {p, p, p, false, false, formula_on_underlying_equation};
  if (formula.backward_differentiation)
    return observed(p, p, p, "said of backward differentiation by Brenan, Campbell & Petzold 1996");
  if (index == 2 && formula.at_infinity < 1)
    return observed(p, p, p,
                    "said of formulas with the roots of sigma inside the unit circle by Hairer & "
                    "Wanner 1996, chapter VII");
  return no_orders(index == 2 ? "sigma has roots on or outside the unit circle"
                              : "nothing is known but for backward differentiation");
}

}  // namespace daemark
