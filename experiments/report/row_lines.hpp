// What is told of rows beside their numbers: how runs failed, what they are set to.
#pragma once

#include <string>
#include <vector>

#include "experiments/judge/judge.hpp"

namespace daemark {

/// "newton_diverged at t = 0.7 s; REASON", "2 of the runs; REASON" of a sweep that succeeded
/// otherwise, empty where nothing failed.
std::string failure_text(const RowOutcome& row);

/// "ROW; ROW: SETTINGS" for all rows with the same ones, the group's name where all of its rows
/// have them. Of items in which solvers of others stand beside ours; else none.
std::vector<std::string> settings_lines(const ItemOutcome& outcome);

}  // namespace daemark
