// Names of the components of a state, in the order of `run --json` and trajectories.
#pragma once

#include <string>
#include <vector>

#include "problems/core/registry.hpp"

namespace daemark {

struct StateNames {
  std::vector<std::string> q, v, lambda;  ///< "x1", "v_x1", "lambda_1"
  std::vector<OutputInfo> outputs;        ///< quantities the problem names
};

/// In the coordinates of the problem, or in its minimal ones, which it then must have.
StateNames state_names(const Problem& problem, bool minimal = false);
/// Of a problem (a call) in a formulation (a call). Throws BadInput for unknown ones and for a
/// problem without the coordinates the formulation needs.
StateNames state_names(const std::string& problem, const std::string& formulation);

}  // namespace daemark
