#include "experiments/compare/sweeps.hpp"

#include "base/program/paths.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

Sweeps::Sweeps(const CompareRequest& request, const CompareTools& tools)
    : request_(request), tools_(tools), cache_(tools.results / ".cache") {}

std::vector<CompareField> Sweeps::fields(const std::string& call, bool assume) const {
  const bool own = request_.h.empty() && request_.t_end.empty();
  std::optional<Shelf> shelf;
  if (own && !request_.fresh) {
    shelf = read_shelf(tools_.results, call);
    if (!shelf && !tools_.shipped.empty()) shelf = read_shelf(tools_.shipped, call);
  }
  std::vector<std::string> others = request_.catalogue;
  if (others.empty()) {
    others = core_members();
    if (shelf)
      for (const std::string& method : methods_on(*shelf)) others.push_back(method);
  }
  const Problem problem = problem_registry().make(call);
  const CompareMotion motion = [&] {
    if (shelf) return shelf->motion;
    if (assume) return assumed_motion(problem);
    const ProgressLine line(tools_.err, call + ": its motion");
    return motion_of(problem, request_.h, request_.t_end);
  }();
  std::vector<CompareField> fields =
      fields_of(motion, request_.methods, request_.formulations, others);
  if (!shelf) return fields;
  for (CompareField& field : fields)
    for (CompareEntry& entry : field.entries) {
      const auto found = shelf->sweeps.find({field.formulation, entry.method});
      if (entry.is_new || found == shelf->sweeps.end()) continue;
      entry.result = found->second;
      entry.earlier = found->second.sources != sources(entry);
    }
  return fields;
}

std::string Sweeps::sources(const CompareEntry& entry) const {
  constexpr std::size_t digest_length = 16;
  return tools_.services.sources(entry.cell).substr(0, digest_length);
}

double Sweeps::cost(const CompareEntry& entry) const {
  if (entry.result && !entry.earlier) return 0;
  if (!request_.fresh && cache_.has(cell_key(entry.cell, tools_.services.sources))) return 0;
  return cost_guess(entry.cell);
}

bool Sweeps::integrate(const std::vector<CompareEntry*>& entries, double limit,
                       KeptFailure& failure) const {
  std::vector<FixedCell> cells;
  for (const CompareEntry* entry : entries) cells.push_back(entry->cell);
  RunnerOptions options;
  options.jobs = request_.jobs, options.fresh = request_.fresh;
  options.progress = true, options.stop = &tools_.stop;
  options.time_limit = limit;
  const RunnerReport report =
      run_cells(cells, tools_.services.run_cell, tools_.services.sources, cache_, options);
  if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
  if (!failure.failed()) failure = report.cache_failure;
  for (CompareEntry* entry : entries) {
    const auto found = report.results.find(canonical(entry->cell));
    if (found == report.results.end()) continue;
    entry->result = shelved(found->second);
    entry->result->sources = sources(*entry);
    entry->earlier = false;
  }
  return !report.interrupted;
}

}  // namespace daemark
