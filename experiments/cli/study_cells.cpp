#include "experiments/cli/study_cells.hpp"

#include "base/program/interrupt.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {

StudyCells::StudyCells(const std::vector<BoundRun>& runs, unsigned jobs) {
  constexpr const char* kept = "finished runs are kept";
  constexpr double no_limit = 1e9;  // [s]
  std::vector<FixedCell> cells;
  for (const BoundRun& run : runs) cells.emplace_back(cell_of(run.request));
  InterruptGuard guard;
  const Farewell farewell([] { return kept; });
  const Services services = catalogue_services();
  RunnerOptions options;
  options.jobs = jobs, options.progress = true, options.time_limit = no_limit;
  options.stop = &guard.flag();
  RunnerReport report = run_cells(cells, services.run_cell, services.sources,
                                  CellCache(results_root() / ".cache"), options);
  if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
  for (const auto& [name, result] : report.results) finished_[name] = to_run(result);
  if (Split::active() != nullptr) ends_ = 0;
  if (!report.interrupted) return;
  say_interrupted("daemark converge", kept);
  ends_ = interrupted_status();
}

std::vector<RunResult> StudyCells::operator()(const std::vector<BoundRun>& runs) const {
  std::vector<RunResult> results(runs.size());
  std::vector<std::size_t> places;
  std::vector<BoundRun> others;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto found = finished_.find(canonical(cell_of(runs[i].request)));
    if (found != finished_.end())
      results[i] = found->second;
    else
      places.push_back(i), others.push_back(runs[i]);
  }
  if (others.empty()) return results;
  std::vector<RunResult> more = run_together(others);
  for (std::size_t k = 0; k < places.size(); ++k) results[places[k]] = std::move(more[k]);
  return results;
}

}  // namespace daemark
