#include "experiments/compare/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

using nlohmann::json;

/// The numbers of a run, in the order of a row.
const std::vector<std::string> run_columns = {
    "evaluations",       "jacobians", "factorizations", "pairs",        "steps",
    "error_q",           "error_v",   "error_lambda",   "energy_error", "position_violation",
    "velocity_violation"};

double rounded(double value, int digits) {
  return std::isfinite(value) && value != std::trunc(value)
             ? double_of(fmt::format("{:.{}e}", value, digits - 1))
             : value;
}

std::filesystem::path file_of(const std::filesystem::path& results, const std::string& problem) {
  return results / "atlas" / (problem + ".jsonl");
}

std::vector<double> print_of(const CompareMotion& motion) {
  constexpr int digits = 12;
  std::vector<double> print =
      model_print(motion.problem, Expression::parse(motion.t_end, "t_end").eval<double>());
  for (double& x : print) x = rounded(x, digits);
  return print;
}

json header(const CompareMotion& motion) {
  return {{"problem", motion.problem},
          {"t_end", motion.t_end},
          {"h", motion.h},
          {"tolerances", compare_tolerances},
          {"most_evaluations", most_evaluations},
          {"span", motion.span},
          {"way", motion.way},
          {"multipliers", motion.multipliers},
          {"reference_digits", motion.reference_digits},
          {"columns", run_columns},
          {"model", print_of(motion)}};
}

/// Whole numbers without ".0", which would be a tenth of the files.
json written(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value == std::floor(value) && std::abs(value) < 1e15 ? json(static_cast<long>(value))
                                                              : json(value);
}
double read_number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

json line_of(const std::string& formulation, const std::string& method, const CellResult& result) {
  json line = {{"formulation", formulation},
               {"method", method},
               {"sources", result.sources},
               {"status", result.status}};
  if (!result.why.empty()) line["why"] = result.why;
  for (const std::string& column : run_columns) {
    const auto series = result.series.find(column);
    if (series == result.series.end()) continue;
    for (std::size_t i = 0; i < series->second.size(); ++i)
      line["runs"][i].push_back(written(series->second[i]));
  }
  return line;
}

CellResult result_of(const json& line) {
  CellResult result;
  result.status = line.at("status");
  result.why = line.value("why", "");
  result.sources = line.at("sources");
  for (const json& run : line.value("runs", json::array()))
    for (std::size_t k = 0; k < run_columns.size(); ++k)
      result.series[run_columns[k]].push_back(read_number(run.at(k)));
  return result;
}

bool is_current(const json& head, const CompareMotion& motion) {
  return head.at("tolerances") == compare_tolerances &&
         head.at("most_evaluations") == most_evaluations && head.at("columns") == run_columns &&
         same_model(head.at("model").get<std::vector<double>>(), print_of(motion));
}

}  // namespace

CellResult as_stored(const CellResult& result) {
  constexpr int digits = 4;
  CellResult out;
  out.status = result.status, out.why = result.why, out.sources = result.sources;
  out.series = result.series;
  for (auto& [name, series] : out.series)
    for (double& x : series) x = rounded(x, digits);
  return out;
}

std::optional<StoredSweeps> read_sweeps(const std::filesystem::path& results,
                                        const std::string& problem) {
  if (!problem_registry().has(problem) || !problem_registry().info(problem).of_catalogue)
    return std::nullopt;  // a call with arguments, or with another start
  const std::optional<std::string> text = read_text(file_of(results, problem));
  if (!text) return std::nullopt;
  try {
    StoredSweeps stored;
    std::size_t end = text->find('\n');
    const json head = json::parse(text->substr(0, end));
    CompareMotion& motion = stored.motion;
    motion.problem = head.at("problem"), motion.t_end = head.at("t_end");
    motion.h = head.at("h").get<std::vector<std::string>>();
    motion.span = head.at("span"), motion.way = head.at("way");
    motion.multipliers = head.at("multipliers");
    motion.reference_digits = head.at("reference_digits");
    if (motion.problem != problem_registry().make(problem).name || !is_current(head, motion))
      return std::nullopt;
    while (end != std::string::npos && end + 1 < text->size()) {
      const std::size_t from = end + 1;
      end = text->find('\n', from);
      const json line = json::parse(text->substr(from, end - from));
      stored.sweeps[{line.at("formulation"), line.at("method")}] = result_of(line);
    }
    return stored;
  } catch (const json::exception&) {  // damaged: as if it were not there
    return std::nullopt;
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

std::string method_of(const std::string& sweep) {
  constexpr std::string_view controlled = " with control";
  std::string call = sweep;
  if (call.ends_with(controlled)) call.resize(call.size() - controlled.size());
  try {
    return method_registry().bind(call).canonical();
  } catch (const BadInput&) {
    return "";
  }
}

void store_sweeps(const std::filesystem::path& results, const std::string& problem,
                  const std::vector<CompareField>& fields) {
  if (fields.empty()) return;
  const CompareMotion& motion = fields.front().motion;
  std::map<std::pair<std::string, std::string>, CellResult> sweeps;
  if (const auto standing = read_sweeps(results, problem);
      standing && standing->motion.t_end == motion.t_end && standing->motion.h == motion.h)
    for (const auto& [place, result] : standing->sweeps)
      if (!method_of(place.second).empty()) sweeps.emplace(place, result);
  for (const CompareField& field : fields)
    for (const CompareEntry& entry : field.entries)
      if (entry.result) sweeps[{field.formulation, entry.method}] = as_stored(*entry.result);
  std::string text = header(motion).dump() + "\n";
  for (const auto& [place, result] : sweeps)
    text += line_of(place.first, place.second, result).dump() + "\n";
  write_if_changed(file_of(results, problem), text);
}

namespace {

/// A number under a key that need not be there.
double number_or_missing(const json& in, const char* key) {
  return in.contains(key) && in[key].is_number() ? in[key].get<double>() : missing;
}

std::string cost_text(const json& cost) {
  std::string text;
  for (const auto& [key, value] : cost.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value.dump());
  return text;
}

}  // namespace

ScoredRun read_scored_run(const std::string& file) {
  const json in = parse_json_file(file);
  const std::string where = printable(file, 200);
  require_keys(in, where,
               {"name", "problem", "formulation", "rows", "t_start", "t_end", "times", "measures",
                "not_judged"},
               {"cost"});
  ScoredRun run;
  run.name = get_string(in, "name", where);
  run.problem = get_string(in, "problem", where);
  run.formulation = get_string(in, "formulation", where);
  for (const json& time : get_array(in, "times", where)) {
    const json& errors = get_object(time, "errors", where + ", times");
    const Expression t = Expression::parse(get_string(time, "t", where + ", times"), "t");
    run.errors[t.as_rational()] = {number_or_missing(errors, "error_q"),
                                   number_or_missing(errors, "error_v"),
                                   number_or_missing(errors, "error_lambda")};
  }
  const json& measures = get_object(in, "measures", where);
  run.energy = number_or_missing(measures, "energy_error_max");
  run.position = number_or_missing(measures, "position_violation_max");
  run.velocity = number_or_missing(measures, "velocity_violation_max");
  if (in.contains("cost")) run.cost = cost_text(get_object(in, "cost", where));
  return run;
}

std::optional<CompareLine> scored_line(const ScoredRun& run, const CompareField& field,
                                       const std::vector<Accuracy>& accuracies) {
  if (run.problem != field.motion.problem || run.formulation != field.formulation) return {};
  const auto at = run.errors.find(Expression::parse(field.motion.t_end, "t-end").as_rational());
  if (at == run.errors.end()) return {};
  CompareLine line;
  line.method = run.name, line.scored = true;
  line.status = run.cost.empty() ? "scored" : "scored, cost stated by its author: " + run.cost;
  line.slope = {missing, missing, missing};
  line.work = {missing};
  for (std::size_t part = 0; part < line.error.size(); ++part) {
    const double scale = field.motion.scale()[part];
    line.error[part] = {scale > 0 ? at->second[part] / scale : missing};
  }
  line.energy = run.energy, line.position = run.position, line.velocity = run.velocity;
  line.residuals = line.factorizations = missing;
  line.reached.resize(accuracies.size());
  line.rank.resize(accuracies.size());
  line.take.resize(accuracies.size(), missing);
  return line;
}

std::string scored_lines(const std::vector<Compared>& compared, std::size_t from) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = from; i < compared.size(); ++i)
    for (const CompareLine& line : compared[i].lines) {
      if (!line.scored) continue;
      std::vector<std::pair<double, std::string>> cheapest;
      for (const CompareLine& other : compared[i].lines)
        if (const auto found = reach(other.work, other.error[0], line.error[0].front(), true);
            !other.scored && found)
          cheapest.emplace_back(found->work, other.name() + " " + text_of(*found));
      std::sort(cheapest.begin(), cheapest.end());
      text += fmt::format("  {}  {}: q {}, v {}, lambda {} ({})\n", compared[i].field.formulation,
                          line.method, brief(line.error[0].front()), brief(line.error[1].front()),
                          brief(line.error[2].front()), line.status);
      cheapest.resize(std::min(shown, cheapest.size()));
      std::string names;
      for (const auto& [work, name] : cheapest) names += (names.empty() ? "" : ", ") + name;
      text += "    as accurate in q: " + (names.empty() ? "no method" : names) + "\n";
    }
  return text;
}

namespace {

/// Their methods as canonical calls, without those that have left the catalogue.
std::vector<std::string> methods_in(const StoredSweeps& stored) {
  std::set<std::string> calls;
  for (const auto& [place, result] : stored.sweeps)
    if (const std::string call = method_of(place.second); !call.empty()) calls.insert(call);
  return {calls.begin(), calls.end()};
}

}  // namespace

Sweeps::Sweeps(const CompareRequest& request, const CompareTools& tools)
    : request_(request),
      tools_(tools),
      study_(tools.services, {.command = tools.command,
                              .results = tools.results,
                              .jobs = request.jobs,
                              .fresh = request.fresh,
                              .time_limit = request.all ? 0 : patience}) {}

std::vector<CompareField> Sweeps::fields(const std::string& call, bool assume) const {
  const bool own = request_.h.empty() && request_.t_end.empty();
  std::optional<StoredSweeps> stored;
  if (own && !request_.fresh) {
    stored = read_sweeps(tools_.results, call);
    if (!stored && !tools_.shipped.empty()) stored = read_sweeps(tools_.shipped, call);
  }
  std::vector<std::string> others = request_.catalogue;
  if (others.empty()) {
    others = core_members();
    if (stored)
      for (const std::string& method : methods_in(*stored)) others.push_back(method);
  }
  const Problem problem = problem_registry().make(call);
  const CompareMotion motion = [&] {
    if (stored) return stored->motion;
    if (assume) return assumed_motion(problem);
    const ProgressLine line(tools_.err, call + ": its motion");
    return motion_of(problem, request_.h, request_.t_end);
  }();
  std::vector<CompareField> fields =
      fields_of(motion, request_.methods, request_.formulations, others);
  if (!stored) return fields;
  for (CompareField& field : fields)
    for (CompareEntry& entry : field.entries) {
      const auto found = stored->sweeps.find({field.formulation, entry.method});
      if (entry.is_new || found == stored->sweeps.end()) continue;
      entry.result = found->second;
      entry.earlier = found->second.sources != sources(entry);
    }
  return fields;
}

std::string Sweeps::sources(const CompareEntry& entry) const {
  constexpr std::size_t digest_length = 16;
  return study_.services().sources(entry.cell).substr(0, digest_length);
}

double Sweeps::cost(const CompareEntry& entry) const {
  const bool known = entry.result && !entry.earlier;
  return known || study_.is_finished(entry.cell) ? 0 : cost_guess(entry.cell);
}

bool Sweeps::integrate(const std::vector<CompareEntry*>& entries) {
  std::vector<FixedCell> cells;
  for (const CompareEntry* entry : entries) cells.push_back(entry->cell);
  const RunnerReport report = study_.run(cells);
  if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
  for (CompareEntry* entry : entries) {
    const auto found = report.results.find(canonical(entry->cell));
    if (found == report.results.end()) continue;
    entry->result = as_stored(found->second);
    entry->result->sources = sources(*entry);
    entry->earlier = false;
  }
  return !report.interrupted;
}

}  // namespace daemark
