// `run --trajectory FILE.csv`: time histories as CSV.
#pragma once

#include <string>

#include "analysis/run/run.hpp"
#include "experiments/cli/state_names.hpp"

namespace daemark {

/// Makes sure the file of an option can be written before anything runs; a file that was not there
/// is gone again afterwards. Throws BadInput.
void check_writable(const char* option, const std::string& file);

/// t, positions, velocities, multipliers, kinetic, potential, energy_error and the three violations
/// at the step ends of the history, in digits that read back to the same double. Throws BadInput.
void write_trajectory(const std::string& file, const History& history, const StateNames& names);

}  // namespace daemark
