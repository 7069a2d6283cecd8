// Names and units of the components of a state, in the order of `run --json`, trajectories and the
// C interface.
#pragma once

#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

/// The unit a problem without units declares for its coordinates and rows: every derived unit is
/// then "1" too. ("1" itself is a number next to SI units, as an entry of a quaternion.)
inline constexpr const char* without_units = "none";

struct StateNames {
  std::vector<std::string> q, v, lambda;                             ///< "x1", "v_x1", "lambda_1"
  std::vector<OutputInfo> outputs;                                   ///< declared by the problem
  std::vector<std::string> q_units, v_units, a_units, lambda_units;  ///< of the same components
  std::string time_unit = "s", energy_unit = "J";
};

/// Of a mechanism in its own coordinates, which on charts are increments of rotations.
StateNames own_names(const MechanicalSystem<double>& mechanism);

/// Of a mechanism as results show it: on charts in reference coordinates.
StateNames state_names(const MechanicalSystem<double>& mechanism);

/// In the coordinates of the problem, or in its minimal coordinates, which it must then have.
StateNames state_names(const Problem& problem, bool minimal = false);

}  // namespace daemark
