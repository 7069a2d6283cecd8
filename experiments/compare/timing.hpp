// How long sweeps take on this machine: apart from results, results/.local/atlas/PROBLEM.times.csv.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/compare/compare_field.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {

/// Least, median and spread (upper less lower quartile) of times [s], not empty.
struct TimeStatistics {
  double least = 0, median = 0, spread = 0;
};
TimeStatistics time_statistics(std::vector<double> seconds);

/// Runs every sweep of the fields that ended well `repeats` times, one after the other on one
/// thread, and writes a line for each of its runs. Returns the middle of spread/median over all
/// lines; NaN where there is none. Adds to `ratios` time_ratios.json (work_units.hpp).
double time_sweeps(const std::vector<CompareField>& fields, int repeats, const RunCell& run,
                   const std::filesystem::path& file, nlohmann::json& ratios);

}  // namespace daemark
