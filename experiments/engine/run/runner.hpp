// Runs cells on all cores, with finished ones taken from the cache; under a Split the share of one
// process.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/program/interrupt.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/engine/run/forecast.hpp"

namespace daemark {

struct Split {
  struct Listed {
    std::string cost_class;  ///< Forecast::cost_class_of
    double cost = 0;         ///< CellKind::cost
    bool is_long = false;
  };
  /// By digest of the canonical cell. None: nothing is run.
  std::optional<std::set<std::string>> take;
  std::filesystem::path cache;          ///< folder of the cells that are run
  std::map<std::string, Listed> asked;  ///< not finished when they were asked for, by digest
  /// Reference states that they need and that are not stored, by problem and time: which cells.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> references;
  std::set<std::string> keys;  ///< under which all that were asked for are or would be kept
  int computed = 0, reused = 0;

  /// That of this process; null: commands run whole.
  static Split* active();
};

/// Makes it that of this process for the lifetime of the object; null sets none.
class SplitScope {
 public:
  explicit SplitScope(Split* split);
  ~SplitScope();
  SplitScope(const SplitScope&) = delete;
  SplitScope& operator=(const SplitScope&) = delete;

 private:
  Split* outer_;
};

using RunCell = std::function<CellResult(const Cell&)>;

struct RunnerOptions {
  unsigned jobs = 0;        ///< 0: all cores
  bool fresh = false;       ///< ignore finished cells
  bool short_only = false;  ///< leave out long cells that are not finished
  bool progress = false;    ///< on standard error: a rewritten line, in logs one now and then
  double time_limit = 0;    ///< of a cell, processor time [s]; 0: that of its cost class
  Forecast forecast = {};   ///< of earlier cells, to foretell the end
  /// By canonical cell: the series to keep; cells that are not named keep all.
  std::map<std::string, std::set<std::string>> series = {};
  std::atomic<bool>* stop = nullptr;  ///< set to stop the cells in work; what is finished is kept
};

struct RunnerReport {
  std::map<std::string, CellResult>
      results;  ///< by canonical cell; left out and unfinished: absent
  std::map<std::string, std::string> refused;  ///< by canonical cell: bad input, and what was said
  int computed = 0, reused = 0, left_out = 0, unfinished = 0;
  bool interrupted = false;
  Forecast forecast;          ///< the one given, with what was learnt
  KeptFailure cache_failure;  ///< finished cells that could not be kept: they are in `results` only
};

/// Runs every cell once (equal ones are merged): first one of each cost class, then the most
/// expensive; the result does not depend on the number of threads. A cell that does not end within
/// its limit gets the status "timed_out", which is kept for that limit only; one that needs more
/// memory than there is, "out_of_memory", which is not kept; a kept "not_available" is tried again.
/// Bad input in a cell is reported; other exceptions are rethrown after the cells in work are
/// finished and stored.
RunnerReport run_cells(const std::vector<FixedCell>& cells, const RunCell& run,
                       const SourcesOf& sources, const CellCache& cache,
                       const RunnerOptions& options);

inline RunnerReport run_cells(const std::vector<Cell>& cells, const RunCell& run,
                              const SourcesOf& sources, const CellCache& cache,
                              const RunnerOptions& options) {
  return run_cells(std::vector<FixedCell>(cells.begin(), cells.end()), run, sources, cache,
                   options);
}

/// A guess at the cost of a cell (CellKind::cost), to order the work and to foretell its end; 0 for
/// cells that will be refused.
double cost_guess(const Cell& cell);

/// `jobs`, or one for each core where that is 0.
unsigned thread_count(unsigned jobs);

/// Processor time [s] that a cell may take where nothing else is asked for: far above what the
/// longest of its cost class takes, so that no result depends on the machine.
double default_time_limit(const Cell& cell);

}  // namespace daemark
