// What the checks and the costs of cells ask of a problem. Reading the experiments asks hundreds of
// times for a handful of problems, of which a large one takes a tenth of a second to make: each is
// made once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

struct ProblemShape {
  std::string name;     ///< canonical call
  Expression start{0};  ///< [s]
  int coordinates = 0, constraints = 0;
  bool closed_form = false;
  std::vector<std::string> outputs;  ///< ids
};

/// Throws BadInput as ProblemRegistry::make does.
std::shared_ptr<const ProblemShape> problem_shape(const std::string& problem);

}  // namespace daemark
