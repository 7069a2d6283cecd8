#include "experiments/league/league.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report/table.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/input/fields.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/integration.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/external/program.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

constexpr const char* ours = "daemark";
constexpr std::size_t longest_reason = 80;
const std::vector<std::string> run_head = {
    "program", "version", "variant", "problem",      "t_end",     "step",  "kind",       "status",
    "why",     "error_q", "error_v", "energy_error", "violation", "steps", "evaluations"};
const std::vector<std::string> time_head = {"program", "variant", "problem", "ratio"};

std::string number_text(double x, int digits = 2) {
  return std::isnan(x) ? "" : fmt::format("{:.{}e}", x, digits);
}
double number_of(const std::string& text) {
  return text.empty() ? NAN : read_double(text).value_or(NAN);
}

std::vector<std::vector<std::string>> rows_of(const fs::path& file,
                                              const std::vector<std::string>& head) {
  const auto text = read_text(file);
  if (!text) return {};
  std::vector<std::vector<std::string>> rows = read_csv(*text, file.string());
  if (rows.empty() || rows[0] != head)
    throw BadInput(fmt::format("{}: another header; accepted: what daemark league wrote",
                               file.filename().string()));
  for (const auto& row : rows)
    if (row.size() != head.size())
      throw BadInput(fmt::format("{}: {} fields in a row; accepted: {}", file.filename().string(),
                                 row.size(), head.size()));
  rows.erase(rows.begin());
  return rows;
}

bool takes(const LeagueEntry& entry, const Problem& problem) {
  const Formulation formulation = Formulation::parse(entry.formulation);
  return method_registry()
      .make(entry.method)
      ->refusal(traits_of(formulation.info, *problem.make<double>()))
      .empty();
}

/// The argument of a canonical call.
std::string argument_of(const std::string& method, const std::string& key) {
  for (const CallArgument& argument : parse_call(method, "method").arguments)
    if (argument.key == key) return argument.value.text;
  throw std::logic_error(method + " has no " + key);
}

}  // namespace

std::vector<std::string> LeagueSpec::knobs(const Motion& motion, std::size_t end,
                                           bool fixed) const {
  if (!fixed) return tolerances;
  std::vector<std::string> all = motion.steps.empty() ? steps : motion.steps;
  if (end > 0) all.pop_back();
  return all;
}

LeagueSpec read_league() {
  static const auto motion = Fields<LeagueSpec::Motion>()
                                 .required("problem", &LeagueSpec::Motion::problem)
                                 .required("ends", &LeagueSpec::Motion::ends)
                                 .optional("steps", &LeagueSpec::Motion::steps);
  static const auto baseline = Fields<LeagueSpec::Baseline>()
                                   .required("method", &LeagueSpec::Baseline::method)
                                   .required("formulation", &LeagueSpec::Baseline::formulation);
  static const auto curve = Fields<LeagueSpec::Curve>()
                                .required("program", &LeagueSpec::Curve::program)
                                .required("variant", &LeagueSpec::Curve::variant);
  static const auto fields =
      Fields<LeagueSpec>()
          .required("problems", &LeagueSpec::problems, motion, "problem")
          .required("steps", &LeagueSpec::steps)
          .required("tolerances", &LeagueSpec::tolerances)
          .required("spacing", &LeagueSpec::spacing)
          .required("seconds", &LeagueSpec::seconds)
          .required("baselines", &LeagueSpec::baselines, baseline, "method")
          .required("figure_problems", &LeagueSpec::figure_problems)
          .required("figure_curves", &LeagueSpec::figure_curves, curve, "curve");
  const fs::path file = source_root() / "experiments" / "league" / "league.json";
  LeagueSpec spec = fields.read(parse_json_file(file.string()), "league.json");
  for (LeagueSpec::Motion& motion : spec.problems) {
    motion.problem = problem_registry().make(motion.problem).name;
    if (motion.ends.empty() || spec.knobs(motion, 0, true).size() < 2)
      throw BadInput(
          fmt::format("league.json: {}: accepted: at least an end and two steps", motion.problem));
  }
  for (std::string& problem : spec.figure_problems) problem = problem_registry().make(problem).name;
  return spec;
}

std::vector<LeagueEntry> league_entries(const LeagueSpec& spec,
                                        const std::vector<std::string>& programs) {
  std::vector<LeagueEntry> entries;
  for (const auto& [method, formulation] : spec.baselines)
    entries.push_back({ours, "", method + ", " + formulation, method, formulation, true, ""});
  for (const std::string& program : programs) {
    const ProgramDescription& known = describe_program(program);
    const std::string name = fs::path(program).filename().string();
    for (const ProgramVariant& variant : known.variants)
      entries.push_back(
          {name, known.version, variant.name,
           fmt::format("program({},{},seconds={})", program, variant.name, spec.seconds), "index1",
           variant.steps == "fixed", variant.settings});
  }
  return entries;
}

std::vector<Cell> league_cells(const LeagueSpec& spec, const LeagueEntry& entry) {
  std::vector<Cell> cells;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    if (!takes(entry, problem_registry().make(motion.problem))) continue;
    for (std::size_t i = 0; i < motion.ends.size(); ++i)
      for (const std::string& step : spec.knobs(motion, i, entry.fixed)) {
        Cell cell;
        cell.problem = motion.problem, cell.formulation = entry.formulation;
        cell.method = entry.method, cell.t_end = motion.ends[i];
        cell.h = {entry.fixed ? step : spec.spacing};
        if (!entry.fixed) cell = with_tolerance(cell, step);
        cell.more["errors"] = true;
        cells.push_back(std::move(cell));
      }
  }
  return cells;
}

LeagueRow league_row(const LeagueEntry& entry, const Cell& cell, const CellResult& result) {
  LeagueRow row{entry.program, entry.version, entry.variant, cell.problem, cell.t_end,
                cell.h[0],     entry.fixed,   result.status, result.why};
  if (!entry.fixed) row.step = argument_of(method_registry().bind(cell.method).canonical(), "tol");
  const auto measure = [&](const char* name) {
    const auto found = result.measures.find(name);
    return found == result.measures.end() ? NAN : found->second;
  };
  row.why = row.why.substr(0, std::min(row.why.find(" in the step from"), longest_reason));
  row.error_q = measure("error_q"), row.error_v = measure("error_v");
  row.energy = measure("energy_error_max"), row.violation = measure("position_violation_max");
  const auto count = [&](const char* name) {
    const auto found = result.counts.find(name);
    return found == result.counts.end() ? 0 : found->second;
  };
  row.steps = count("steps"), row.evaluations = count("residual_evals");
  return row;
}

std::vector<LeagueRow> read_league_rows(const fs::path& results) {
  std::vector<LeagueRow> rows;
  for (const auto& f : rows_of(results / "league" / "runs.csv", run_head))
    rows.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6] == "h", f[7], f[8], number_of(f[9]),
                    number_of(f[10]), number_of(f[11]), number_of(f[12]),
                    std::lround(number_of(f[13])), std::lround(number_of(f[14]))});
  return rows;
}

void write_league_rows(const std::vector<LeagueRow>& rows, const fs::path& results) {
  std::string text = csv_line(run_head);
  for (const LeagueRow& r : rows)
    text += csv_line({r.program, r.version, r.variant, r.problem, r.t_end, r.step,
                      r.fixed ? "h" : "tol", r.status, r.why, number_text(r.error_q, 6),
                      number_text(r.error_v), number_text(r.energy), number_text(r.violation),
                      std::to_string(r.steps), std::to_string(r.evaluations)});
  write_if_changed(results / "league" / "runs.csv", text);
}

std::vector<LeagueTime> read_league_times(const fs::path& results) {
  std::vector<LeagueTime> times;
  for (const auto& f : rows_of(results / "league" / "times.csv", time_head))
    times.push_back({f[0], f[1], f[2], number_of(f[3])});
  return times;
}

void write_league_times(const std::vector<LeagueTime>& times, const fs::path& results) {
  std::string text = csv_line(time_head);
  for (const LeagueTime& t : times)
    text += csv_line({t.program, t.variant, t.problem, fmt::format("{:.2g}", t.ratio)});
  write_if_changed(results / "league" / "times.csv", text);
}

}  // namespace daemark
