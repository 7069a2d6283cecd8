#include "experiments/cli/state_names.hpp"

#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {

StateNames state_names(const std::string& problem_call, const std::string& formulation) {
  const Problem problem = problem_registry().make(problem_call);
  const bool minimal = Formulation::parse(formulation).info.id == "minimal";
  if (minimal && !problem.has_minimal()) {
    throw BadInput("problem " + problem.name +
                   " has no minimal form; accepted: index1, index2, "
                   "index3, baumgarte, ggl");
  }
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
  return names;
}

}  // namespace daemark
