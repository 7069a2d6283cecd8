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
    "program", "version", "variant", "problem",      "t_end",     "step",  "status",
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

LeagueSpec read_league() {
  static const auto motion = Fields<LeagueSpec::Motion>()
                                 .required("problem", &LeagueSpec::Motion::problem)
                                 .required("ends", &LeagueSpec::Motion::ends);
  static const auto baseline = Fields<LeagueSpec::Baseline>()
                                   .required("method", &LeagueSpec::Baseline::method)
                                   .required("formulation", &LeagueSpec::Baseline::formulation);
  static const auto curve = Fields<LeagueSpec::Curve>()
                                .required("program", &LeagueSpec::Curve::program)
                                .required("variant", &LeagueSpec::Curve::variant);
  static const auto fields =
      Fields<LeagueSpec>()
          .required("problems", &LeagueSpec::problems, motion, "problem")
          .required("tolerances", &LeagueSpec::tolerances)
          .required("spacing", &LeagueSpec::spacing)
          .required("baselines", &LeagueSpec::baselines, baseline, "method")
          .required("figure_problems", &LeagueSpec::figure_problems)
          .required("figure_curves", &LeagueSpec::figure_curves, curve, "curve");
  const fs::path file = source_root() / "experiments" / "league" / "league.json";
  nlohmann::json json = parse_json_file(file.string());
  const nlohmann::json steps = json.at("steps");
  json.erase("steps");
  LeagueSpec spec = fields.read(json, "league.json");
  steps.get_to(spec.steps);
  for (LeagueSpec::Motion& motion : spec.problems) {
    motion.problem = problem_registry().make(motion.problem).name;
    if (motion.ends.empty() || motion.ends.size() > spec.steps.size())
      throw BadInput(
          fmt::format("league.json: {}: {} ends; accepted: 1 to {}, as many as lists of "
                      "steps",
                      motion.problem, motion.ends.size(), spec.steps.size()));
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
      entries.push_back({name, known.version, variant.name,
                         fmt::format("program({},{})", program, variant.name), "index1",
                         variant.steps == "fixed", variant.settings});
  }
  return entries;
}

std::vector<Cell> league_cells(const LeagueSpec& spec, const LeagueEntry& entry) {
  std::vector<Cell> cells;
  for (const auto& [name, ends] : spec.problems) {
    const Problem problem = problem_registry().make(name);
    if (!takes(entry, problem)) continue;
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (const std::string& step : entry.fixed ? spec.steps[i] : spec.tolerances) {
        Cell cell;
        cell.problem = name, cell.formulation = entry.formulation, cell.method = entry.method;
        cell.t_end = ends[i];
        cell.h = {entry.fixed ? step : spec.spacing};
        if (!entry.fixed) cell = with_tolerance(cell, step);
        cell.more["errors"] = true;
        cells.push_back(std::move(cell));
      }
  }
  return cells;
}

LeagueRow league_row(const LeagueEntry& entry, const Cell& cell, const CellResult& result) {
  LeagueRow row{entry.program, entry.version, entry.variant, cell.problem,
                cell.t_end,    cell.h[0],     result.status, result.why};
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
    rows.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], number_of(f[8]),
                    number_of(f[9]), number_of(f[10]), number_of(f[11]),
                    std::lround(number_of(f[12])), std::lround(number_of(f[13]))});
  return rows;
}

void write_league_rows(std::vector<LeagueRow> rows, const fs::path& results) {
  std::string text = csv_line(run_head);
  for (const LeagueRow& r : rows)
    text += csv_line({r.program, r.version, r.variant, r.problem, r.t_end, r.step, r.status, r.why,
                      number_text(r.error_q, 6), number_text(r.error_v), number_text(r.energy),
                      number_text(r.violation), std::to_string(r.steps),
                      std::to_string(r.evaluations)});
  write_if_changed(results / "league" / "runs.csv", text);
}

std::vector<LeagueTime> read_league_times(const fs::path& results) {
  std::vector<LeagueTime> times;
  for (const auto& f : rows_of(results / "league" / "times.csv", time_head))
    times.push_back({f[0], f[1], f[2], number_of(f[3])});
  return times;
}

void write_league_times(std::vector<LeagueTime> times, const fs::path& results) {
  std::string text = csv_line(time_head);
  for (const LeagueTime& t : times)
    text += csv_line({t.program, t.variant, t.problem, fmt::format("{:.2g}", t.ratio)});
  write_if_changed(results / "league" / "times.csv", text);
}

}  // namespace daemark
