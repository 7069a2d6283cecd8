// Names of the components of a state, in the order of `run --json` and trajectories.
#pragma once

#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

struct StateNames {
  std::vector<std::string> q, v, lambda;  ///< "x1", "v_x1", "lambda_1"
  std::vector<OutputInfo> outputs;        ///< quantities the problem names
  /// Units of the same, "" where the name does not tell (below).
  std::vector<std::string> q_units, v_units, a_units, lambda_units;
};

/// Names tell units: coordinates x…, y…, z… are lengths [m], theta…, phi…, beta…, gamma…, … and the
/// rotation vectors gx, gy, gz angles [rad], p0…p3 Euler parameters [1]; multipliers of joints,
/// …_x, …_y, …_z and …_normal, are forces [N], of drives and …_angle moments [N m]: those
/// constraints are in m and rad.
std::string coordinate_unit(const std::string& name);
std::string multiplier_unit(const std::string& name);

/// "x1 [m]"; the name alone where there is no unit.
std::string with_unit(const std::string& name, const std::string& unit);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

/// In the coordinates of the problem, or in its minimal ones, which it then must have.
StateNames state_names(const Problem& problem, bool minimal = false);

}  // namespace daemark
