// Names of the components of a state, in the order of `run --json` and trajectories.
#pragma once

#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

struct StateNames {
  std::vector<std::string> q, v, lambda;                             ///< "x1", "v_x1", "lambda_1"
  std::vector<OutputInfo> outputs;                                   ///< declared by the problem
  std::vector<std::string> q_units, v_units, a_units, lambda_units;  ///< of the same components
};

/// "x1 [m]".
std::string with_unit(const std::string& name, const std::string& unit);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

/// In the coordinates of the problem, or in its minimal coordinates, which it must then have.
StateNames state_names(const Problem& problem, bool minimal = false);

}  // namespace daemark
