#include "experiments/cells/support/cell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/stepper.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

using nlohmann::json;

json cell_json(const Cell& cell) { return kind_of(cell).identity(cell); }
std::string canonical(const Cell& cell) { return cell_json(cell).dump(); }
FixedCell::FixedCell(const Cell& cell)
    : content_(std::make_shared<const Content>(Content{cell, canonical(cell)})) {}

namespace {

/// " --problem-file a.json --tableau b.json": what the problems and methods of a cell are read from
/// that are no part of the catalogue.
std::string outside_files(const Cell& cell) {
  const CellUses uses = kind_of(cell).uses(cell);
  const std::string tableaus = (source_root() / "methods" / "tableaus").string();
  std::set<std::string> options;
  for (const std::string& call : uses.problems) {
    const ProblemInfo& info = problem_registry().info(parse_call(call, "problem").id);
    if (!info.of_catalogue) options.insert(" --problem-file " + shell_word(info.data_file));
  }
  for (const std::string& call : uses.methods) {
    const std::string& file = method_registry().info(parse_call(call, "method").id).file;
    if (!file.ends_with(".cpp") && !file.starts_with(tableaus))
      options.insert(" --tableau " + shell_word(file));
  }
  std::string text;
  for (const std::string& option : options) text += option;
  return text;
}

}  // namespace

std::string command(const Cell& cell) {
  const std::string files = outside_files(cell);
  return fmt::format("{}{}", fmt::join(kind_of(cell).commands(cell), files + "; "), files);
}

namespace {

template <class Value>
Value value_of(const Cell& cell, const std::string& key, const Value& absent) {
  if (kind_of(cell).key(key) == nullptr)
    throw std::logic_error("cells of kind '" + cell.kind + "' read the key '" + key +
                           "', which the kind does not declare");
  const auto found = cell.more.find(key);
  return found == cell.more.end() ? absent : found->template get<Value>();
}

}  // namespace

bool Cell::flag(const std::string& key) const { return value_of(*this, key, false); }
long Cell::whole(const std::string& key) const { return value_of(*this, key, 0L); }
std::string Cell::text(const std::string& key) const {
  return value_of<std::string>(*this, key, "");
}
std::vector<std::string> Cell::texts(const std::string& key) const {
  return value_of<std::vector<std::string>>(*this, key, {});
}
json Cell::object(const std::string& key) const { return value_of<json>(*this, key, nullptr); }

namespace {

json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_from(const json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw BadInput("a record holds '" + text + "' in place of a number");
}

}  // namespace

const std::vector<std::string>& outcome_statuses() {
  static const std::vector<std::string> all = {status_name(Status::ok),
                                               status_name(Status::newton_diverged),
                                               status_name(Status::singular_matrix),
                                               status_name(Status::not_finite),
                                               status_name(Status::step_limit),
                                               status_name(Status::cannot_express),
                                               status_name(Status::aborted),
                                               "failed",
                                               "refused"};
  return all;
}

bool is_outcome(const std::string& status) {
  const auto& known = outcome_statuses();
  return std::find(known.begin(), known.end(), status) != known.end();
}

bool CellResult::take_status(const std::string& part) {
  if (part == "ok" || !(ok() || (is_outcome() && !daemark::is_outcome(part)))) return false;
  status = part;
  return true;
}

json result_json(const CellResult& result, bool with_series, bool with_seconds) {
  json measures = json::object();
  for (const auto& [key, value] : result.measures) measures[key] = number_json(value);
  json out = {{"status", result.status},
              {"t", number_json(result.t)},
              {"measures", measures},
              {"counts", result.counts}};
  if (!result.why.empty()) out["why"] = result.why;
  if (!result.q.empty()) out["q"] = result.q;
  if (!result.v.empty()) out["v"] = result.v;
  if (!result.a.empty()) out["a"] = result.a;
  if (!result.lambda.empty()) out["lambda"] = result.lambda;
  if (with_series) {
    json series = json::object();
    for (const auto& [key, values] : result.series) {
      json list = json::array();
      for (const double value : values) list.push_back(number_json(value));
      series[key] = std::move(list);
    }
    out["series"] = std::move(series);
  }
  if (with_seconds) out["seconds"] = result.seconds;
  if (with_seconds && !result.timings.empty()) out["timings"] = result.timings;
  return out;
}

void round_series(CellResult& result) {
  for (auto& [key, values] : result.series)
    for (double& value : values)
      if (std::isfinite(value)) value = double_of(fmt::format("{:.9e}", value));
}

CellResult result_from_json(const json& in) {
  CellResult result;
  result.status = in.at("status").get<std::string>();
  result.why = in.value("why", "");
  result.t = number_from(in.at("t"));
  for (const auto& [key, value] : in.at("measures").items())
    result.measures[key] = number_from(value);
  result.counts = in.at("counts").get<std::map<std::string, long>>();
  const auto strings = [&](const char* key) {
    return in.contains(key) ? in.at(key).get<std::vector<std::string>>()
                            : std::vector<std::string>{};
  };
  result.q = strings("q");
  result.v = strings("v");
  result.a = strings("a");
  result.lambda = strings("lambda");
  if (in.contains("series")) {
    for (const auto& [key, list] : in.at("series").items()) {
      std::vector<double>& values = result.series[key];
      for (const json& value : list) values.push_back(number_from(value));
    }
  }
  result.seconds = in.value("seconds", 0.0);
  result.timings = in.value("timings", result.timings);
  round_series(result);
  return result;
}

}  // namespace daemark
