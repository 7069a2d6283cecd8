// Names of the columns of a trajectory file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "problems/system/state_names.hpp"

namespace daemark {

/// "x1 [m]".
std::string with_unit(const std::string& name, const std::string& unit);

/// Of a measure of a run or a score; empty where it is a mixture, as a norm over coordinates.
std::string unit_of_measure(const std::string& measure, const StateNames& names);

/// Of a measure, of all that were taken: where the quadrature of the power of drives and dampers
/// leaves no digit of the energy error, what it is at most.
std::string shown_value(const std::string& measure, double value,
                        const std::map<std::string, double>& all);
/// A line that says so; empty where the energy error is resolved.
std::string work_note(const std::map<std::string, double>& all);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

}  // namespace daemark
