#include "experiments/compare/compare_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/problem_shape.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

bool has_required(const std::vector<Parameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.fallback.empty() && !p.optional; });
}

std::vector<std::string> runnable() {
  std::vector<std::string> calls;
  const MethodRegistry& registry = method_registry();
  for (const std::string& id : registry.ids()) {
    const MethodInfo& info = registry.info(id);
    if (!has_required(info.parameters))
      calls.push_back(registry.bind(id).canonical());
    else
      for (const std::string& example : info.examples) {  // the small members of a family
        const WideTableau* tableau = registry.make(example)->tableau();
        if (tableau && (tableau->stages() == 2 || tableau->stages() == 3))
          calls.push_back(registry.bind(example).canonical());
      }
  }
  return calls;
}

struct Form {
  std::string call;
  SystemTraits system;  ///< what a method sees of the problem in it
  bool takes(const std::string& method) const {
    return method_registry().make(method)->refusal(system).empty();
  }
};

std::vector<Form> forms_of(const Problem& problem, const std::vector<std::string>& asked) {
  std::vector<std::string> calls = asked;
  if (calls.empty())
    for (const FormulationInfo& info : formulations())
      if (!has_required(info.parameters)) calls.push_back(info.id);
  const bool constrained = problem.make<double>()->constraints() > 0;
  std::vector<Form> forms;
  for (const std::string& call : calls) {
    const FormulationInfo info = Formulation::parse(call).info;
    if (info.minimal && !problem.has_minimal()) continue;
    if (!constrained && asked.empty() && info.id != "index1") continue;  // all are the same
    forms.push_back({call, traits_of(info, *problem.make<double>(info.minimal))});
  }
  return forms;
}

bool takes_any(const Form& form, const std::vector<std::string>& methods) {
  return methods.empty() || std::any_of(methods.begin(), methods.end(),
                                        [&](const auto& method) { return form.takes(method); });
}

/// The call without the tolerance that is swept.
std::string shown_name(const std::string& method, bool controlled) {
  if (!method_registry().make(method)->owns_loop())
    return controlled ? method + " with control" : method;
  Call call = parse_call(method, "method");
  std::erase_if(call.arguments, [](const CallArgument& a) { return a.key == "tol"; });
  return call.text();
}

CompareEntry entry_of(const CompareField& field, const std::string& method, bool is_new,
                      bool controlled) {
  Cell cell;
  cell.kind = "work_precision";
  cell.problem = field.motion.problem;
  cell.formulation = field.formulation;
  cell.method = method;
  cell.t_end = field.motion.t_end;
  cell.h = field.motion.h;
  if (controlled) {
    cell.h = {step_text(problem_registry().make(cell.problem), cell.t_end, 1)};
    cell.more["tols"] = compare_tolerances;
    cell.more["most_evaluations"] = most_evaluations;
  }
  return {shown_name(method, controlled), is_new, controlled, cell, std::nullopt, false};
}

}  // namespace

const std::vector<std::string>& core_members() {
  static const std::vector<std::string> known = runnable();
  return known;
}

std::vector<CompareField> fields_of(const CompareMotion& motion,
                                    const std::vector<std::string>& methods,
                                    const std::vector<std::string>& asked,
                                    const std::vector<std::string>& others) {
  std::vector<std::string> added;
  for (const std::string& method : methods)
    added.push_back(method_registry().bind(method).canonical());
  std::vector<CompareField> fields;
  for (const Form& form : forms_of(problem_registry().make(motion.problem), asked)) {
    if (!takes_any(form, added)) continue;
    CompareField field{motion, form.call, {}};
    std::set<std::string> seen;
    const auto add = [&](const std::string& method, bool is_new) {
      if (!form.takes(method) || !seen.insert(method).second) return;
      if (!method_registry().make(method)->owns_loop())
        field.entries.push_back(entry_of(field, method, is_new, false));
      if (takes_tolerance(method)) field.entries.push_back(entry_of(field, method, is_new, true));
    };
    for (const std::string& method : added) add(method, true);
    for (const std::string& method : others) add(method, false);
    fields.push_back(std::move(field));
  }
  return fields;
}

bool any_takes(const std::string& problem, const std::vector<std::string>& methods,
               const std::vector<std::string>& asked) {
  const std::vector<Form> forms = forms_of(problem_registry().make(problem), asked);
  return std::any_of(forms.begin(), forms.end(),
                     [&](const Form& form) { return takes_any(form, methods); });
}

std::vector<std::string> small_problems() {
  constexpr std::size_t most_coordinates = 22;
  std::vector<std::string> ids;
  for (const std::string& id : problem_registry().catalogue_ids()) {
    const Problem problem = problem_registry().make(id);
    if (!problem.absolute.in_real50 || problem_shape(id)->coordinates.size() > most_coordinates)
      continue;
    // Without a series a reference takes minutes.
    const auto own = problem.series.in_double ? problem.series.in_double() : problem.make<double>();
    if (own->has_record() && !own->forces_of_multipliers()) ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [](const std::string& a, const std::string& b) {
    return problem_shape(a)->coordinates.size() < problem_shape(b)->coordinates.size();
  });
  return ids;
}

}  // namespace daemark
