#include "analysis/orders/expected_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/theory/half_explicit.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"
#include "analysis/exact/theory/structural_order.hpp"
#include "analysis/linear/stability_function.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/index_two_orders.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

/// Errors of the first steps stay in the solution: zero-stability bounds, but does not damp them.
int order_with_start(const Method& method, int p,
                     const std::map<std::string, std::string>& settings) {
  const auto first = method.first_steps(parse_settings(settings, Precision::in_real50));
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

std::string text_of(const std::optional<FirstSteps>& first, const std::optional<int>& order) {
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
  if (const auto stated = method->stated_orders(index))
    return {stated->q,        stated->v,
            stated->lambda,   false,
            stated->observed, (stated->observed ? "observed only; " : "") + stated->reason};
  if (auto orders = by_trees(*method, index)) return *orders;
  if (uses_step(form)) return no_orders("the gains change with the step: no theorem is known here");
  if (const auto facts = method_facts(*method)) return expected_orders(*facts, index);
  if (const auto inner = inner_method(call)) {
    if (index <= 1) return slopes_expected(*inner, formulation, settings);  // no constraints
    return no_orders("no theorem is known here for " + *inner + " in the tangent space");
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
  return text_of(
      method_registry().make(call)->first_steps(parse_settings(settings, Precision::in_real50)),
      order_of(call));
}

std::string start_text(const Method& method, const std::optional<int>& order) {
  return text_of(method.first_steps(Settings{}), order);
}

std::optional<int> order_of(const std::string& call) {
  const auto method = method_registry().make(call);
  for (const int index : {0, 1, 3, 2})
    if (const auto stated = method->stated_orders(index)) return stated->v;
  if (const auto inner = inner_method(call)) return order_of(*inner);
  return classical_order(*method, claims_of(call));
}

std::optional<int> cited_order(const std::string& call) {
  if (const auto& claimed = claims_of(call).order) return claimed;
  const auto method = method_registry().make(call);
  for (const int index : {0, 1, 2, 3})
    if (const auto stated = method->stated_orders(index); stated && !stated->observed)
      return stated->q && stated->v ? std::optional(std::min(*stated->q, *stated->v))
                                    : std::nullopt;
  return std::nullopt;
}

}  // namespace daemark
