// Runs cells on all cores, with finished ones taken from the cache.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/cells/cache.hpp"

namespace daemark {

using RunCell = std::function<CellResult(const Cell&)>;

struct RunnerOptions {
  unsigned jobs = 0;                  ///< 0: all cores
  bool fresh = false;                 ///< ignore finished cells
  bool short_only = false;            ///< leave long cells out
  bool progress = false;              ///< one rewritten line on standard error
  std::atomic<bool>* stop = nullptr;  ///< set to end after the cells in work
};

struct RunnerReport {
  std::map<std::string, CellResult>
      results;  ///< by canonical cell; left out and unfinished: absent
  int computed = 0, reused = 0, left_out = 0, unfinished = 0;
  bool interrupted = false;
};

/// Every cell once (equal ones are merged), the long class and the most expensive ones first; the
/// result does not depend on the number of threads. What `run` throws (bad input in an experiment)
/// is thrown on, after the cells in work are finished and stored.
RunnerReport run_cells(const std::vector<Cell>& cells, const RunCell& run, const SourcesOf& sources,
                       const CellCache& cache, const RunnerOptions& options);

/// A guess at the cost of a cell, to order the work and to foretell its end: steps × a factor for
/// the precision × the stages its method names.
double cost_guess(const Cell& cell);

/// While it lives, SIGINT and SIGTERM set the flag instead of ending the program; a second one ends
/// it at once with status 2 (finished cells are on disk).
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  std::atomic<bool>& flag();
};

}  // namespace daemark
