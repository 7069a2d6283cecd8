#include "analysis/orders/expected_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/linear/second_order.hpp"
#include "analysis/linear/stability_function.hpp"
#include "methods/core/first_steps.hpp"
#include "methods/core/registry.hpp"
#include "problems/core/formulation.hpp"

namespace daemark {
namespace {

/// Errors of the first steps stay in the solution: zero-stability bounds, but does not damp them.
int order_with_start(const Method& method, int p,
                     const std::map<std::string, std::string>& settings) {
  const auto first = first_steps(method, parse_settings(settings, "double"));
  return first ? std::min(p, first->order) : p;
}

/// Backward differentiation: rates at the newest point alone, and the order of its steps.
bool differentiates_backward(const ExactMultistep& formula) {
  const std::size_t k = formula.beta.size() - 1;
  for (std::size_t j = 0; j < k; ++j)
    if (formula.beta[j].eval<wide>() != 0) return false;
  return linear_order(formula) == static_cast<int>(k);
}

std::optional<int> classical_order(const Method& method, const Claims& claims) {
  if (const auto facts = method_facts(method)) return facts->order;
  if (const auto formula = method.exact_multistep()) return linear_order(*formula);
  if (const auto step = method.exact_second_order()) return order_on_problems(*step);
  return claims.order;
}

/// The method that another is built around, where it has a parameter for that.
std::optional<std::string> inner_of(const std::string& call) {
  const Arguments arguments = method_registry().bind(call);
  for (const Parameter& p : method_registry().info(parse_call(call, "method").id).parameters)
    if (p.type == Parameter::Type::call) return arguments.call(p.name).text();
  return std::nullopt;
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

ExpectedOrders slopes_expected(const std::string& call, const std::string& formulation,
                               const std::map<std::string, std::string>& settings) {
  const auto method = method_registry().make(call);
  const int index = Formulation::parse(formulation).info.index;
  if (const auto facts = method_facts(*method)) return expected_orders(*facts, index);
  if (const auto inner = inner_of(call)) {
    if (index <= 1) return slopes_expected(*inner, formulation, settings);  // no constraints
    ExpectedOrders unknown;
    unknown.reason = "no theorem is known here for " + *inner + " in the tangent space";
    return unknown;
  }
  const std::optional<int> classical = classical_order(*method, claims_of(call));
  if (!classical) {
    ExpectedOrders unknown;
    unknown.reason = "the order of the method is not known";
    return unknown;
  }
  MultistepFacts multistep;
  multistep.order = order_with_start(*method, *classical, settings);
  const auto formula = method->exact_multistep();
  if (!formula && index > 1) {
    ExpectedOrders unknown;
    unknown.reason = "no theorem is known here for structural integrators";
    return unknown;
  }
  if (formula) {
    multistep.backward_differentiation = differentiates_backward(*formula);
    multistep.at_infinity = modulus_at_infinity(*formula);
  }
  return expected_orders(multistep, index);
}

std::string start_text(const std::string& call,
                       const std::map<std::string, std::string>& settings) {
  if (const auto inner = inner_of(call)) return start_text(*inner, settings);
  return text_of(first_steps(*method_registry().make(call), parse_settings(settings, "double")),
                 order_of(call));
}

std::string start_text(const Method& method, const std::optional<int>& order) {
  return text_of(first_steps(method, Settings{}), order);
}

std::optional<int> order_of(const std::string& call) {
  if (const auto inner = inner_of(call)) return order_of(*inner);
  return classical_order(*method_registry().make(call), claims_of(call));
}

}  // namespace daemark
