// daemark league: programs on mechanisms of the catalogue, judged against references.
#include "experiments/league/league.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "analysis/run/run.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "methods/external/program.hpp"

namespace daemark {
namespace {

struct LeagueOptions {
  std::vector<std::string> programs;
  unsigned jobs = 0;
  bool time = false;
};

/// Seconds of a step, least of three runs; NaN where the run fails.
double step_seconds(const Cell& cell) {
  RunRequest request = run_request(cell);
  request.errors = false, request.repeat = 3;
  const RunResult found = run(request);
  const auto steps = found.counts.find("steps");
  return found.status == "ok" && steps != found.counts.end() && steps->second > 0
             ? found.seconds / static_cast<double>(steps->second)
             : NAN;
}

/// What a step of each takes beside one of erk4, which is the first entry, in one go; nothing of
/// problems that erk4 finishes with none of its steps.
std::vector<LeagueTime> timed(const LeagueSpec& spec, const std::vector<LeagueEntry>& entries,
                              const std::vector<LeagueRow>& rows, std::ostream& err) {
  std::vector<LeagueTime> times;
  const ProgressLine progress(err, "times");
  std::map<std::string, double> unit;
  for (const LeagueEntry& entry : entries)
    for (const Cell& cell : league_cells(spec, entry)) {
      const LeagueRow row = league_row(entry, cell, {});
      const auto motion = std::find_if(spec.problems.begin(), spec.problems.end(),
                                       [&](auto& m) { return m.problem == cell.problem; });
      // A step of erk4 takes one time whatever its size: the finest where the middle one fails.
      const bool first = &entry == &entries.front();
      const std::vector<std::string> knobs = spec.knobs(*motion, 0, row.fixed);
      const bool finer = first && row.step == knobs.back() && !unit.contains(cell.problem);
      if (row.t_end != motion->ends[0] || (row.step != knobs[1] && !finer)) continue;
      if (std::none_of(rows.begin(), rows.end(), [&](const LeagueRow& r) {
            return r.status == "ok" && r.program == row.program && r.variant == row.variant &&
                   r.problem == row.problem && r.t_end == row.t_end && r.step == row.step;
          }))
        continue;
      const double seconds = step_seconds(cell);
      if (first) unit[cell.problem] = seconds;
      const auto of_erk4 = unit.find(cell.problem);
      if (of_erk4 != unit.end() && std::isfinite(seconds / of_erk4->second))
        times.push_back({entry.program, entry.variant, cell.problem, seconds / of_erk4->second});
    }
  return times;
}

/// The motion of a row: what times out with its largest step or tolerance, to its nearer end, needs
/// not be waited for with smaller ones and to farther ends.
std::string motion_of(const LeagueEntry& entry, const Cell& cell) {
  return entry.program + " " + entry.variant + " " + cell.problem;
}

/// By canonical cells. First the largest step of each motion, then what did not time out with it.
std::map<std::string, CellResult> results_of(
    Study& study, const std::vector<LeagueEntry>& entries,
    const std::map<std::string, std::vector<Cell>>& of_entry) {
  std::map<std::string, CellResult> results;
  std::map<std::string, std::string> first;  // canonical cell with the largest step, of each motion
  const CellResult not_run = [] {
    CellResult result;
    result.status = "not_run", result.why = "timed out with a larger step or tolerance";
    return result;
  }();
  for (const bool largest : {true, false}) {
    std::vector<FixedCell> cells;
    for (const LeagueEntry& entry : entries)
      for (const Cell& cell : of_entry.at(entry.method + entry.formulation)) {
        const FixedCell fixed(cell);
        const bool is_first =
            first.emplace(motion_of(entry, cell), canonical(fixed)).first->second ==
            canonical(fixed);
        const auto before = results.find(first.at(motion_of(entry, cell)));
        if (is_first == largest &&
            (largest || before == results.end() || before->second.status != "timed_out"))
          cells.push_back(fixed);
        else if (!largest && !is_first)
          results.emplace(canonical(fixed), not_run);
      }
    const RunnerReport report = study.run(cells);
    if (study.ends()) break;
    if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
    results.insert(report.results.begin(), report.results.end());
  }
  return results;
}

int league_verb(const LeagueOptions& options, std::ostream& out, std::ostream& err) {
  require_writable(results_root());
  const LeagueSpec spec = read_league();
  const std::vector<std::string> programs =
      options.programs.empty() ? joined_names() : options.programs;
  const std::vector<LeagueEntry> entries = league_entries(spec, programs);
  Study study(catalogue_services(),
              {.command = "league", .results = results_root(), .jobs = options.jobs});
  std::map<std::string, std::vector<Cell>> of_entry;
  for (const LeagueEntry& entry : entries)
    of_entry[entry.method + entry.formulation] = league_cells(spec, entry);
  const std::map<std::string, CellResult> results = results_of(study, entries, of_entry);
  if (study.ends()) return *study.ends();
  std::vector<LeagueRow> rows = read_league_rows(results_root());
  std::erase_if(rows, [&](const LeagueRow& row) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const LeagueEntry& e) { return e.program == row.program; });
  });
  const std::size_t kept = rows.size();
  for (const LeagueEntry& entry : entries)
    for (const Cell& cell : of_entry[entry.method + entry.formulation]) {
      const auto found = results.find(canonical(FixedCell(cell)));
      if (found == results.end()) continue;
      LeagueRow row = league_row(entry, cell, found->second);
      const bool said = row.status == "cannot_express" && rows.size() > kept &&
                        rows.back().status == row.status && rows.back().problem == row.problem &&
                        rows.back().variant == row.variant;
      if (!said) rows.push_back(std::move(row));  // once a problem is enough
    }
  std::stable_sort(rows.begin(), rows.end(), [](const LeagueRow& a, const LeagueRow& b) {
    return std::pair(a.program != "daemark", a.program) <
           std::pair(b.program != "daemark", b.program);
  });
  std::vector<LeagueTime> times =
      options.time ? timed(spec, entries, rows, err) : read_league_times(results_root());
  const FileLock lock = lock_results(results_root(), "daemark league", err);
  write_league_rows(rows, results_root());
  if (options.time) write_league_times(times, results_root());
  write_league(spec, rows, times, results_root());
  out << fmt::format("{} runs of {} programs, {} kept of others: {}\n", rows.size() - kept,
                     programs.size(), kept, shown_result("league/league.md"));
  study.cache_failure().raise();
  return 0;
}

void declare(OptionSet& app, LeagueOptions& options) {
  app.add_option("program", options.programs, "PROGRAM",
                 "programs, paths or names of joined ones; default: all that are joined");
  app.add_flag("--time", options.time, "also measure the time of a step relative to one of erk4");
  add_jobs(app, options.jobs);
}

}  // namespace

void register_league(Verbs& verbs) {
  verbs.add<LeagueOptions>(
      {"league", VerbGroup::run,
       "programs (physics engines, classical codes) on mechanisms, judged by references",
       "daemark league mujoco simbody"},
      declare, league_verb);
}

}  // namespace daemark
