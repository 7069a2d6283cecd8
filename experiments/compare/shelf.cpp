#include "experiments/compare/shelf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/numbers/expression.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/model_print.hpp"
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

CellResult shelved(const CellResult& result) {
  constexpr int digits = 4;
  CellResult out;
  out.status = result.status, out.why = result.why, out.sources = result.sources;
  out.series = result.series;
  for (auto& [name, series] : out.series)
    for (double& x : series) x = rounded(x, digits);
  return out;
}

std::optional<Shelf> read_shelf(const std::filesystem::path& results, const std::string& problem) {
  if (!problem_registry().has(problem)) return std::nullopt;  // a call with arguments
  const std::optional<std::string> text = read_text(file_of(results, problem));
  if (!text) return std::nullopt;
  try {
    Shelf shelf;
    std::size_t end = text->find('\n');
    const json head = json::parse(text->substr(0, end));
    CompareMotion& motion = shelf.motion;
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
      shelf.sweeps[{line.at("formulation"), line.at("method")}] = result_of(line);
    }
    return shelf;
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

std::vector<std::string> methods_on(const Shelf& shelf) {
  std::set<std::string> calls;
  for (const auto& [place, result] : shelf.sweeps)
    if (const std::string call = method_of(place.second); !call.empty()) calls.insert(call);
  return {calls.begin(), calls.end()};
}

void write_shelf(const std::filesystem::path& results, const std::string& problem,
                 const std::vector<CompareField>& fields) {
  if (fields.empty()) return;
  const CompareMotion& motion = fields.front().motion;
  std::map<std::pair<std::string, std::string>, CellResult> sweeps;
  if (const auto standing = read_shelf(results, problem);
      standing && standing->motion.t_end == motion.t_end && standing->motion.h == motion.h)
    for (const auto& [place, result] : standing->sweeps)
      if (!method_of(place.second).empty()) sweeps.emplace(place, result);
  for (const CompareField& field : fields)
    for (const CompareEntry& entry : field.entries)
      if (entry.result) sweeps[{field.formulation, entry.method}] = shelved(*entry.result);
  std::string text = header(motion).dump() + "\n";
  for (const auto& [place, result] : sweeps)
    text += line_of(place.first, place.second, result).dump() + "\n";
  write_if_changed(file_of(results, problem), text);
}

}  // namespace daemark
