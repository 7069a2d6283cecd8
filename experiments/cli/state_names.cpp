#include "experiments/cli/state_names.hpp"

#include <fmt/format.h>

#include "problems/core/formulation.hpp"

namespace daemark {

StateNames state_names(const std::string& problem_call, const std::string& formulation) {
  const Problem problem = problem_registry().make(problem_call);
  const bool minimal = Formulation::parse(formulation).info.minimal;
  if (minimal && !problem.has_minimal()) {
    throw BadInput(
        fmt::format("problem {} has no minimal form, accepted: {}", problem.name,
                    formulation_ids([](const FormulationInfo& i) { return !i.minimal; })));
  }
  return state_names(problem, minimal);
}

StateNames state_names(const Problem& problem, bool minimal) {
  const auto mechanism = problem.make<double>(minimal);
  StateNames names;
  names.q = mechanism->coordinate_names();
  for (const std::string& name : names.q) names.v.push_back("v_" + name);
  if (mechanism->chart_size() > 0) {
    names.q = mechanism->reference_names();
    names.v = mechanism->reference_velocity_names();
  }
  for (const std::string& name : mechanism->constraint_names()) {
    names.lambda.push_back(name.starts_with("lambda") ? name : "lambda_" + name);
  }
  names.outputs = mechanism->outputs();
  return names;
}

}  // namespace daemark
