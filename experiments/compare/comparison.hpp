// Comparisons problem by problem, the small ones first, and the atlas: sweeps of the catalogue,
// stored for comparisons to read.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/compare/compare_field.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/study.hpp"

namespace daemark {

struct Comparison {
  std::vector<Compared> compared;             ///< one a problem and formulation
  std::vector<std::string> left_out;          ///< what was not integrated, and why
  int integrated = 0, read = 0, earlier = 0;  ///< sweeps
  bool interrupted = false;
  std::optional<int> ends;  ///< Study::ends()
  KeptFailure cache_failure;
};

/// Calls `show` after each problem with what there is by then. Throws BadInput for unknown methods,
/// problems and formulations, for a method that takes none of them, for steps that do not divide
/// the time of a problem that is named.
Comparison compare(const CompareRequest& request, const CompareTools& tools,
                   const std::function<void(const Comparison&)>& show);

/// The problems of the catalogue, the small ones first.
std::vector<std::string> atlas_problems();

/// What of a problem is asked for, and how much of it is there.
struct AtlasShare {
  std::string problem;
  std::string left_out;  ///< why; empty: it is not
  std::vector<std::string> formulations;
  int sweeps = 0, known = 0, earlier = 0;  ///< known: also those in the cache
  /// Processor time expected of what is to be integrated [s], by cost class: sweeps of less than a
  /// second, of less than ten, longer ones. Learnt from earlier cells, else guessed.
  double seconds[3] = {0, 0, 0};
  double bytes = 0;  ///< of its file with all of them
};

/// Nothing is integrated and no reference computed: of a problem of which nothing is stored over
/// a motion of usual length.
/// `short_only`: of problems from small to large what takes less than five minutes on two cores
/// when none of it is known; the others are left out. Throws BadInput for problems that are not of
/// the catalogue, and where no method takes anything that is asked for.
std::vector<AtlasShare> atlas_shares(const CompareRequest& request, const CompareTools& tools,
                                     bool short_only);

/// Integrates what is asked for and is missing or of earlier sources, and stores it with the
/// references it rests on, one problem after the other. Returns Study::ends().
std::optional<int> fill_atlas(const CompareRequest& request, const CompareTools& tools,
                              const std::vector<AtlasShare>& shares, std::ostream& out);

/// The fields of these problems of which something is stored; sweeps of earlier sources are marked.
std::vector<Compared> stored_fields(const CompareRequest& request, const CompareTools& tools,
                                    const std::vector<std::string>& problems);

/// A table of shares, with sums.
std::string shares_text(const std::vector<AtlasShare>& shares);

/// Quartiles of times [s], not empty.
struct TimeStatistics {
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0;
  double spread() const { return q3 - q1; }
};
TimeStatistics time_statistics(std::vector<double> seconds);

/// Runs every sweep of the fields that ended well `repeats` times, one after the other on one
/// thread, and writes a line for each of its runs. Returns the middle of spread/median over all
/// lines; NaN where there is none. Adds to `ratios` time_ratios.json (WorkUnit::time).
double time_sweeps(const std::vector<CompareField>& fields, int repeats, const RunCell& run,
                   const std::filesystem::path& file, nlohmann::json& ratios);

}  // namespace daemark
