// Names of the columns of a trajectory file.
#pragma once

#include <string>
#include <vector>

#include "problems/system/state_names.hpp"

namespace daemark {

/// "x1 [m]".
std::string with_unit(const std::string& name, const std::string& unit);

/// Of a measure of a run or a score; empty where it is a mixture, as a norm over coordinates.
std::string unit_of_measure(const std::string& measure, const StateNames& names);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

}  // namespace daemark
