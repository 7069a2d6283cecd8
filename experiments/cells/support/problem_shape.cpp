#include "experiments/cells/support/problem_shape.hpp"

#include "base/program/once.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

std::shared_ptr<const ProblemShape> problem_shape(const std::string& call) {
  static OncePerKey<ProblemShape> known;
  return known.get(call, [&] {
    const Problem problem = problem_registry().make(call);
    const auto mechanism = problem.make<double>();
    ProblemShape shape{problem.name,
                       problem.start,
                       mechanism->coordinate_names(),
                       mechanism->constraints(),
                       static_cast<bool>(problem.closed_form),
                       {}};
    for (const OutputInfo& output : mechanism->outputs()) shape.outputs.push_back(output.id);
    return shape;
  });
}

}  // namespace daemark
