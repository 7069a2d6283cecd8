// Names of the columns of a trajectory file.
#pragma once

#include <string>
#include <vector>

#include "problems/system/state_names.hpp"

namespace daemark {

/// "x1 [m]".
std::string with_unit(const std::string& name, const std::string& unit);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

}  // namespace daemark
