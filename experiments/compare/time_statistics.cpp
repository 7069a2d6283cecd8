// Times of sweeps: statistics of repeated runs and ratios of methods.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/table.hpp"
#include "base/input/call.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {

namespace {

/// Between the two values beside it.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Beside the median of the field.
void add_ratios(const CompareField& field, const std::map<std::string, double>& units,
                nlohmann::json& ratios) {
  if (units.empty()) return;
  std::vector<double> all;
  for (const auto& [method, unit] : units) all.push_back(unit);
  const double median = time_statistics(all).median;
  nlohmann::json& own = ratios[parse_call(field.motion.problem, "problem").id][field.formulation];
  for (const auto& [method, unit] : units)
    own[method] = double_of(fmt::format("{:.2g}", unit / median));
}

}  // namespace

TimeStatistics time_statistics(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), quantile(seconds, 0.5),
          quantile(seconds, 0.75) - quantile(seconds, 0.25)};
}

double time_sweeps(const std::vector<CompareField>& fields, int repeats, const RunCell& run,
                   const std::filesystem::path& file, nlohmann::json& ratios) {
  std::string text = csv_line({"formulation", "method", "h or tolerance", "repeats", "least [s]",
                               "median [s]", "spread [s]"});
  std::vector<double> relative;
  for (const CompareField& field : fields) {
    std::map<std::string, double> units;  // what one of the weighted sum takes in the finest run
    for (const CompareEntry& entry : field.entries) {
      if (!entry.result || !entry.result->ok()) continue;
      std::vector<std::vector<double>> times;  // by run of the sweep
      std::vector<double> knobs;
      for (int k = 0; k < repeats; ++k) {
        checkpoint();
        const CellResult result = run(entry.cell);
        knobs = result.series.at("knob");
        const std::vector<double>& seconds = result.timings.at("seconds");
        times.resize(seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i) times[i].push_back(seconds[i]);
      }
      for (std::size_t i = 0; i < times.size(); ++i) {
        const TimeStatistics found = time_statistics(times[i]);
        text +=
            csv_line({field.formulation, entry.method, fmt::format("{:.6g}", knobs[i]),
                      std::to_string(repeats), fmt::format("{:.3e}", found.least),
                      fmt::format("{:.3e}", found.median), fmt::format("{:.1e}", found.spread)});
        if (found.median > 0) relative.push_back(found.spread / found.median);
      }
      const std::vector<double> work = work_in(WorkUnit::weighted, field, entry);
      if (!work.empty() && work.size() == times.size() && work.back() > 0)
        units[entry.method] = time_statistics(times.back()).least / work.back();
    }
    add_ratios(field, units, ratios);
  }
  write_if_changed(file, text);
  if (relative.empty()) return missing;
  std::sort(relative.begin(), relative.end());
  return quantile(relative, 0.5);
}

}  // namespace daemark
