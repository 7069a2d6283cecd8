#include "analysis/orders/expected_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/theory/half_explicit.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"
#include "analysis/exact/theory/second_order.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/constrained_orders.hpp"
#include "base/program/once.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/estimate_order.hpp"
#include "problems/formulations/formulation.hpp"

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
  if (!method.stiffly_accurate || !method.damped || method.c < 2)
    return no_orders(
        "no theorem covers this method (it would need stiff accuracy, stage order 2 or more and "
        "|R(infinity)| < 1)");
  std::optional<int> q;
  if (is_radau_iia(method)) q = method.order;
  return observed(q, method.c, method.c - 1, "said by Jay 1995");
}

/// Made once for a tableau.
ConstrainedOrders derived(const MethodFacts& method, exact::Imposed imposed) {
  static OncePerKey<ConstrainedOrders> known;
  constexpr int digits = 60;
  std::string key =
      fmt::format("{} {} {}", static_cast<int>(imposed), method.solves_end_rates, method.unit);
  for (const auto& row : method.tableau.A)
    for (const wide& x : row) key += "," + x.str(digits);
  for (const wide& x : method.tableau.b) key += "," + x.str(digits);
  return *known.get(key, [&] {
    return constrained_orders(
        method.tableau, imposed,
        method.solves_end_rates ? EndMultipliers::solved : EndMultipliers::of_last_stage,
        method.unit);
  });
}

/// By trees; empty where these do not decide.
std::optional<ExpectedOrders> by_trees(const MethodFacts& method, int index, bool both) {
  constexpr int most_stages = 20;  // more have too many trees
  if (method.tableau.b.empty() || method.stages > most_stages) return std::nullopt;
  ConstrainedOrders found = derived(method, both         ? exact::Imposed::both
                                            : index == 2 ? exact::Imposed::velocities
                                                         : exact::Imposed::positions);
  if (!found.none.empty()) return no_orders(found.none);
  // No more than on ordinary equations, which are among those with constraints.
  for (DerivedOrder* order : {&found.q, &found.v})
    if (order->order >= method.order && !method.order_is_bound) *order = {method.order, false, ""};
  if (found.v.at_least || found.lambda.at_least) return std::nullopt;
  ExpectedOrders out;
  out.reason = "derived by rooted trees of mechanisms";
  std::string fails;
  const auto take = [&](const DerivedOrder& order, const char* part) {
    if (order.order > 0) return std::optional(order.order);
    fails += (fails.empty() ? "; " : ", ") + std::string(part);
    return std::optional<int>();
  };
  out.q = take(found.q, "q"), out.v = take(found.v, "v");
  out.lambda = take(found.lambda, "lambda");
  // Where |R(infinity)| = 1 what the start leaves off the constraints never dies out; from rest it
  // is less.
  const bool from_start = index == 3 && !method.damped;
  out.q_at_least = found.q.at_least || both || from_start;
  if (!fails.empty()) out.reason += fails + " may not converge";
  out.better_from_rest = from_start;
  if (from_start) out.reason += "; better from rest, as |R(infinity)| = 1";
  return out;
}

}  // namespace

ExpectedOrders no_orders(const std::string& reason) { return {{}, {}, {}, false, false, reason}; }

std::string ExpectedOrders::text() const {
  const auto entry = [](const std::optional<int>& x) { return x ? std::to_string(*x) : "-"; };
  return std::string("q ") + (q && q_at_least ? ">= " : "") + entry(q) + ", v " + entry(v) +
         ", lambda " + entry(lambda);
}

ExpectedOrders expected_orders(const MethodFacts& method, int index, bool both) {
  if (index <= 1)
    return {method.order, method.order, method.order, false, false, underlying_equation};
  if (!method.regular || method.c < 1) return no_orders("A is singular or its row sums are not c");
  if (const auto orders = by_trees(method, index, both)) return *orders;
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
                              : "no theorem covers this method (only backward differentiation)");
}

namespace {

/// Errors of the first steps stay in the solution: zero-stability bounds, but does not damp them.
int order_with_start(const Method& method, int p,
                     const std::map<std::string, std::string>& settings) {
  const auto first = method.starting_procedure(parse_settings(settings, Precision::in_real50));
  return first ? std::min(p, first->order) : p;
}

/// Backward differentiation: rates at the newest point alone, and the order of its steps.
bool differentiates_backward(const Coefficients& formula) {
  const std::vector<Expression>& beta = formula.list("beta");
  const std::size_t k = beta.size() - 1;
  for (std::size_t j = 0; j < k; ++j)
    if (beta[j].eval<wide>() != 0) return false;
  return linear_order(formula) == static_cast<int>(k);
}

exact::RosenbrockOrders orders_of(const Coefficients& method) {
  return exact::rosenbrock_orders(method, exact::rosenbrock_unit(method));
}

std::optional<int> classical_order(const Method& method, const Claims& claims) {
  if (const auto* form = method.coefficients(MethodKind::rosenbrock)) return orders_of(*form).order;
  if (const auto* form = method.coefficients(MethodKind::half_explicit)) {
    const exact::HalfExplicitOrders orders = exact::half_explicit_orders(*form);
    return std::min(orders.q, orders.v);
  }
  if (const auto facts = method_facts(method)) return facts->order;
  if (const auto* formula = method.coefficients(MethodKind::multistep)) return order_of(*formula);
  if (const auto* step = method.as<ExactSecondOrder>()) return order_on_problems(*step);
  return claims.order;
}

/// By the trees of these methods; nothing else.
std::optional<ExpectedOrders> by_trees(const Method& method, int index) {
  if (const auto* form = method.coefficients(MethodKind::rosenbrock)) {
    if (index > 2) return no_orders("it does not take constraints on positions");
    if (index == 2) {
      const IndexTwoOrders orders = index_two_orders(rosenbrock_numbers<wide>(*form));
      return ExpectedOrders{
          orders.motion,
          orders.motion,
          orders.multipliers,
          true,
          false,
          "trees of index 2 (Hairer & Wanner 1996, VII.5) for Rosenbrock methods"};
    }
    const int p = orders_of(*form).index_one;  // M(q) makes ordinary equations index 1 too
    return ExpectedOrders{p, p, p, false, false, "trees of index 1 (Roche 1988)"};
  }
  if (const auto* form = method.coefficients(MethodKind::half_explicit)) {
    const exact::HalfExplicitOrders orders = exact::half_explicit_orders(*form);
    return ExpectedOrders{orders.q, orders.v, orders.lambda,
                          false,    false,    "trees of index 2 (Hairer & Wanner 1996, VII.6)"};
  }
  return std::nullopt;
}

/// Of structural methods with the equilibrium at the step's end, where the accelerations and
/// multipliers that a start leaves along constraints are damped.
std::optional<ExpectedOrders> with_constraints(const Method& method, const ExactSecondOrder& step,
                                               int index) {
  const bool damped = !step.position_roots.empty() &&
                      largest_root(step.position_roots) < 1 - resolved_at_infinity();
  if (index != 3 || method.solves_end_rates() || !damped || order_on_problems(step) < 2)
    return std::nullopt;
  return ExpectedOrders{2,
                        2,
                        2,
                        false,
                        false,
                        "generalized-alpha methods whose roots along constraints lie "
                        "inside the unit circle (Arnold & Brüls 2007)"};
}

bool has_variable(const ExpressionNode& node) {
  return node.op == ExpressionNode::Op::variable ||
         std::any_of(node.args.begin(), node.args.end(),
                     [](const auto& argument) { return has_variable(*argument); });
}

/// A gain of the formulation is an expression in h: another system for each step.
bool uses_step(const Formulation& formulation) {
  return std::any_of(formulation.info.parameters.begin(), formulation.info.parameters.end(),
                     [&](const Parameter& p) {
                       return p.type == Parameter::Type::real &&
                              has_variable(formulation.arguments.real(p.name).root());
                     });
}

std::string text_of(const std::optional<StartingProcedure>& first,
                    const std::optional<int>& order) {
  if (!first) return "";
  const bool bounds = order && first->order < *order;
  return fmt::format("{} for the first {}, with errors of size h^{}{}", first->how,
                     first->steps == 1 ? "step" : fmt::format("{} steps", first->steps),
                     first->order,
                     bounds ? fmt::format(", which bounds the order by {}", first->order)
                            : ", which keeps the order");
}

const Claims& claims_of(const std::string& call) {
  return method_registry().info(parse_call(call, "method").id).claims;
}

}  // namespace

std::optional<std::string> inner_method(const std::string& call) {
  const Arguments arguments = method_registry().bind(call);
  for (const Parameter& p : method_registry().info(parse_call(call, "method").id).parameters)
    if (p.type == Parameter::Type::call) return arguments.call(p.name).text();
  return std::nullopt;
}

ExpectedOrders slopes_expected(const std::string& call, const std::string& formulation,
                               const std::map<std::string, std::string>& settings) {
  const auto method = method_registry().make(call);
  const Formulation form = Formulation::parse(formulation);
  const int index = form.info.minimal ? 0 : form.info.index;
  if (const auto stated = method->known_orders(index))
    return {stated->q,        stated->v,
            stated->lambda,   false,
            stated->observed, (stated->observed ? "observed only; " : "") + stated->reason};
  if (auto orders = by_trees(*method, index)) return *orders;
  if (uses_step(form))
    return no_orders(
        "the gains change with the step, for which daemark records no convergence theorem");
  if (const auto facts = method_facts(*method))
    return expected_orders(*facts, index, form.info.id == "ggl");
  if (const auto inner = inner_method(call)) {
    if (index <= 1) return slopes_expected(*inner, formulation, settings);  // no constraints
    return no_orders("daemark records no convergence theorem for " + *inner +
                     " in the tangent space");
  }
  const std::optional<int> classical = classical_order(*method, claims_of(call));
  if (!classical) return no_orders("the order of the method is not known");
  MultistepFacts multistep;
  multistep.order = order_with_start(*method, *classical, settings);
  const auto* formula = method->coefficients(MethodKind::multistep);
  if (!formula && !method->as<ExactSecondOrder>()) {
    if (index > 1) return no_orders("no form of the method is known here, its claim is of index 1");
    return {multistep.order,
            multistep.order,
            multistep.order,
            false,
            false,
            fmt::format("what it claims, order {}", *classical),
            true};
  }
  if (const auto* step = method->as<ExactSecondOrder>(); step && index > 1) {
    if (const auto orders = with_constraints(*method, *step, index)) return *orders;
    return no_orders(
        "no theorem is recorded for structural methods but for index 3, order 2, the equilibrium "
        "at the step's end and roots along constraints inside the unit circle");
  }
  if (formula) {
    multistep.backward_differentiation = differentiates_backward(*formula);
    multistep.at_infinity = modulus_at_infinity(*formula);
    multistep.zero_stable = is_zero_stable(*formula);
  }
  return expected_orders(multistep, index);
}

std::string start_text(const std::string& call,
                       const std::map<std::string, std::string>& settings) {
  if (const auto inner = inner_method(call)) return start_text(*inner, settings);
  return text_of(method_registry().make(call)->starting_procedure(
                     parse_settings(settings, Precision::in_real50)),
                 order_of(call));
}

std::string start_text(const Method& method, const std::optional<int>& order) {
  return text_of(method.starting_procedure(Settings{}), order);
}

std::optional<int> order_of(const std::string& call) {
  const auto method = method_registry().make(call);
  for (const int index : {0, 1, 3, 2})
    if (const auto stated = method->known_orders(index)) return stated->v;
  if (const auto inner = inner_method(call)) return order_of(*inner);
  return classical_order(*method, claims_of(call));
}

std::optional<int> cited_order(const std::string& call) {
  if (const auto& claimed = claims_of(call).order) return claimed;
  const auto method = method_registry().make(call);
  for (const int index : {0, 1, 2, 3})
    if (const auto stated = method->known_orders(index); stated && !stated->observed)
      return stated->q && stated->v ? std::optional(std::min(*stated->q, *stated->v))
                                    : std::nullopt;
  return std::nullopt;
}

}  // namespace daemark
