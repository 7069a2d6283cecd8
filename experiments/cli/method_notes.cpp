#include "experiments/cli/method_notes.hpp"

#include <fmt/format.h>

#include <ostream>

#include "analysis/exact/theory/rounding.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/method_facts.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"

namespace daemark {

namespace {

void add_false_claim(const Claims& claims, int order, std::vector<std::string>& defects) {
  if (claims.order && order != *claims.order)
    defects.push_back(
        fmt::format("claims order {}, its coefficients have order {}", *claims.order, order));
}

/// To 100 digits where coefficients are exact, which takes microseconds; `verify` proves it.
int order_to_digits(const ExactTableau& tableau) {
  return tableau.decimal ? exact::rounded(tableau).order.order : facts_of(evaluate(tableau)).order;
}

}  // namespace

std::vector<std::string> method_defects(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  std::vector<std::string> defects;
  if (info.parameters.empty()) {
    const auto method = method_registry().make(call);
    if (const ExactTableau* tableau = method->written()) {
      defects = tableau->decimal ? exact::rounded(*tableau).defects : tableau_defects(*tableau);
      add_false_claim(info.claims, order_to_digits(*tableau), defects);
    } else if (const auto* formula = method->as<ExactMultistep>()) {
      if (formula->decimal)
        exact::rounded(*formula, defects);
      else
        defects = tableau_defects(*formula);
      if (!is_zero_stable(*formula))
        defects.push_back("not zero-stable: errors grow from step to step, however small h is");
      add_false_claim(info.claims, order_of(*formula), defects);
    }
    return defects;
  }
  const Arguments arguments = method_registry().bind(call);
  for (const Parameter& p : info.parameters)
    if (p.type == Parameter::Type::call) return method_defects(arguments.call(p.name).text());
  return defects;
}

void warn_of_defects(const std::string& verb, const std::vector<std::string>& calls,
                     std::ostream& err) {
  for (const std::string& call : calls)
    for (const std::string& defect : method_defects(call))
      err << "daemark " << verb << ": warning: " << call << ": " << defect << "\n";
}

}  // namespace daemark
