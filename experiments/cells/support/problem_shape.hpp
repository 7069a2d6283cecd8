// What the checks and the costs of cells need to know of a problem. Reading the experiments needs
// it hundreds of times for a handful of problems, and making a large one takes a tenth of a second,
// so each is made once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

struct ProblemShape {
  std::string name;                      ///< canonical call
  Expression start{0};                   ///< [s]
  std::vector<std::string> coordinates;  ///< names
  int constraints = 0;
  bool closed_form = false;
  std::vector<std::string> outputs;  ///< ids
};

/// Throws BadInput as ProblemRegistry::make does.
std::shared_ptr<const ProblemShape> problem_shape(const std::string& problem);

}  // namespace daemark
