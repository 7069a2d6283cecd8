// Names of the components of a state, in the order of `run --json` and trajectories.
#pragma once

#include <string>
#include <vector>

namespace daemark {

struct StateNames {
  std::vector<std::string> q, v, lambda;  ///< "x1", "v_x1", "lambda_1"
};

/// Of a problem (a call) in a formulation (a call; only whether it is `minimal` matters).
/// Throws BadInput for unknown ones and for a problem without a minimal form.
StateNames state_names(const std::string& problem, const std::string& formulation);

}  // namespace daemark
