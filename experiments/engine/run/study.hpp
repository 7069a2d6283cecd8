// A study: the cells that a command selects, computed by one mechanism. `reproduce`, `converge`,
// `compare`, `atlas` and `measure` differ in what they select and in how they show the results; the
// store of finished cells, the forecast, the progress line, the interrupt and the division into
// shards are the same for all.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/engine/run/runner.hpp"

namespace daemark {

/// What the engine needs from the rest of daemark; tests put fakes in its place.
struct Services {
  RunCell run_cell;
  SourcesOf sources;
  /// Digest of what turns results into files, so that a change there remakes the files.
  std::string renderer;
  /// Source revision, compiler, libraries, processor: kept apart from the records.
  std::function<nlohmann::json()> provenance;
};

/// The catalogue's: cells by their kinds, the sources by what includes what.
Services catalogue_services();

/// Standard output of a command of ours; "" where it fails.
std::string output_of(const std::string& command);

/// {"revision", "dirty", "compiler", "flags", "build", "libraries", "cpu"}; revision "unknown"
/// outside a git work tree.
nlohmann::json provenance();

struct StudyOptions {
  std::string command;            ///< "converge": begins the line that says it was interrupted
  std::filesystem::path results;  ///< finished cells are below it
  unsigned jobs = 0;              ///< threads, 0: one a core
  bool fresh = false;             ///< ignore finished cells
  bool short_only = false;        ///< leave out long cells that are not finished
  bool progress = true;
  double time_limit = 0;  ///< of a cell, processor time [s]; 0: that of its cost class
};

class Study {
 public:
  Study(Services services, StudyOptions options)
      : services_(std::move(services)),
        options_(std::move(options)),
        cache_(options_.results / ".cache") {}

  /// The results of the cells: finished ones are read, the others run. `series` as in
  /// RunnerOptions.
  RunnerReport run(const std::vector<FixedCell>& cells,
                   const std::map<std::string, std::set<std::string>>& series = {});

  /// Whether a result is there that run() would read.
  bool is_finished(const FixedCell& cell) const {
    return !options_.fresh && cache_.has(cell_key(cell, services_.sources));
  }
  /// The exit status of a command that has nothing to go on with: it was interrupted, which is said
  /// once, or this process computes a share of its cells (Split).
  std::optional<int> ends() const;

  int computed() const { return total_.computed; }
  int reused() const { return total_.reused; }
  int left_out() const { return total_.left_out; }
  const Forecast& forecast() const { return total_.forecast; }
  const KeptFailure& cache_failure() const { return total_.cache_failure; }
  const CellCache& cache() const { return cache_; }
  const Services& services() const { return services_; }

 private:
  Services services_;
  StudyOptions options_;
  CellCache cache_;
  RunnerReport total_;  ///< without results
};

}  // namespace daemark
