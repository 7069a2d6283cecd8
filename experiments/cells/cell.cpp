#include "experiments/cells/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/bad_input.hpp"
#include "base/text/call.hpp"

namespace daemark {
namespace {

using nlohmann::json;

std::string canonical_call(const std::string& text, const char* where) {
  return parse_call(text, where).text();
}

std::string quoted(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=/-+") ==
                     std::string::npos;
  return plain ? text : "'" + text + "'";
}

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

void add_rows(CellResult& result, const std::vector<std::vector<double>>& rows,
              const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<double>& column = result.series[names[k]];
    for (const auto& row : rows) {  // a failed run of a study has no component errors
      column.push_back(k < row.size() ? row[k] : std::numeric_limits<double>::quiet_NaN());
    }
  }
}

std::vector<std::string> prefixed(const std::string& prefix,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(prefix + name);
  return out;
}

void add_energy_measures(CellResult& result) {
  const std::vector<double>& t = result.series["t"];
  const std::vector<double>& error = result.series["energy_error"];
  if (t.empty() || error.size() != t.size()) return;
  result.measures["energy_error_end"] = error.back();
  const double length = t.back() - t.front();
  for (int quarter = 1; quarter <= 4; ++quarter) {
    double largest = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double part = 4 * (t[i] - t.front()) / (length > 0 ? length : 1);
      if (part >= quarter - 1 && part <= quarter) largest = std::max(largest, std::abs(error[i]));
    }
    result.measures[fmt::format("energy_error_quarter{}", quarter)] = largest;
  }
}

void add_paper_order(CellResult& result, const std::string& name, const std::vector<double>& h,
                     const std::vector<double>& error) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  std::vector<double>& ratios = result.series["paper_order_" + name];
  for (std::size_t i = 0; i < h.size(); ++i) {
    ratios.push_back(std::log(error[i]) / std::log(h[i]));
    if (std::isnan(ratios.back())) continue;
    least = std::min(least, ratios.back());
    most = std::max(most, ratios.back());
  }
  result.measures[fmt::format("paper_order_{}_min", name)] = least;
  result.measures[fmt::format("paper_order_{}_max", name)] = most;
}

std::vector<double> as_numbers(const std::vector<bool>& flags) {
  return {flags.begin(), flags.end()};
}

}  // namespace

namespace {

json linear_json(const Cell& cell) {
  return {{"kind", "linear"},
          {"method", canonical_call(cell.method, "method")},
          {"x", cell.x},
          {"region", cell.region}};
}

json orders_json(const Cell& cell) {
  return {{"kind", "orders"},
          {"problem", canonical_call(cell.problem, "problem")},
          {"formulations", cell.formulations},
          {"method", canonical_call(cell.method, "method")},
          {"h", cell.h},
          {"t_ends", cell.t_ends},
          {"precision", cell.precision},
          {"settings", cell.settings}};
}

}  // namespace

json cell_json(const Cell& cell) {
  if (cell.kind == CellKind::exact) {
    return {{"kind", "exact"},
            {"method", canonical_call(cell.method, "method")},
            {"erratum", cell.erratum}};
  }
  if (cell.kind == CellKind::linear) return linear_json(cell);
  if (cell.kind == CellKind::orders) return orders_json(cell);
  json out = {{"problem", canonical_call(cell.problem, "problem")},
              {"formulation", canonical_call(cell.formulation, "formulation")},
              {"method", canonical_call(cell.method, "method")},
              {"t_end", cell.t_end},
              {"precision", cell.precision},
              {"settings", cell.settings}};
  if (cell.is_study()) {
    out["h"] = cell.h;
  } else {
    out["h"] = cell.h.empty() ? "" : cell.h.front();
    out["errors"] = cell.errors;
    out["history_every"] = cell.history_every;
  }
  if (!cell.against.method.empty()) {
    out["against"] = {{"series", cell.against.series},
                      {"method", canonical_call(cell.against.method, "method")},
                      {"h", cell.against.h},
                      {"settings", cell.against.settings}};
  }
  return out;
}

std::string canonical(const Cell& cell) { return cell_json(cell).dump(); }

std::string command(const Cell& cell) {
  if (cell.kind == CellKind::linear) return "daemark analyse " + quoted(cell.method);
  if (cell.kind == CellKind::exact) {
    return cell.erratum.empty()
               ? "daemark verify " + quoted(cell.method)
               : "daemark verify " + cell.erratum.substr(0, cell.erratum.find('/'));
  }
  if (cell.kind == CellKind::orders) {
    Cell first = cell;  // one formulation and time of the study; the others by changing these
    first.kind = CellKind::integration;
    first.formulation = cell.formulations.front();
    first.t_end = cell.t_ends.back();
    return command(first);
  }
  std::string text =
      cell.is_study()
          ? fmt::format("daemark converge {} --problem {} --formulation {} --h {} --t-end {}",
                        quoted(cell.method), quoted(cell.problem), quoted(cell.formulation),
                        quoted(fmt::format("{}", fmt::join(cell.h, ","))), quoted(cell.t_end))
          : fmt::format("daemark run --problem {} --formulation {} --method {} --h {} --t-end {}",
                        quoted(cell.problem), quoted(cell.formulation), quoted(cell.method),
                        quoted(cell.h.front()), quoted(cell.t_end));
  if (cell.precision != "double") text += " --precision " + cell.precision;
  for (const auto& [key, value] : cell.settings)
    text += fmt::format(" --set {}", quoted(key + "=" + value));
  if (cell.errors && !cell.is_study()) text += " --errors";
  return text;
}

RunRequest run_request(const Cell& cell) {
  RunRequest request;
  request.problem = cell.problem;
  request.formulation = cell.formulation;
  request.method = cell.method;
  request.h = Expression::parse(cell.h.at(0), "h");
  request.t_end = Expression::parse(cell.t_end, "t_end");
  request.precision = cell.precision;
  request.settings = cell.settings;
  request.errors = cell.errors;
  request.history_every = cell.history_every;
  return request;
}

ConvergeRequest converge_request(const Cell& cell) {
  ConvergeRequest request;
  request.problem = cell.problem;
  request.formulation = cell.formulation;
  request.method = cell.method;
  for (const std::string& h : cell.h) request.h.push_back(Expression::parse(h, "h"));
  request.t_end = Expression::parse(cell.t_end, "t_end");
  request.precision = cell.precision;
  request.settings = cell.settings;
  return request;
}

CellResult from_run(const RunResult& run, const std::vector<std::string>& components) {
  CellResult result;
  result.status = run.status;
  result.why = run.why;
  result.t = run.t;
  result.q = run.q;
  result.v = run.v;
  result.a = run.a;
  result.lambda = run.lambda;
  result.measures = run.measures;
  result.counts = run.counts;
  result.seconds = run.seconds;
  const History& history = run.history;
  if (history.t.empty()) return result;
  auto& series = result.series;
  series["t"] = history.t;
  add_rows(result, history.q, components);
  add_rows(result, history.v, prefixed("v_", components));
  if (!history.lambda.empty()) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= history.lambda.front().size(); ++i)
      names.push_back(fmt::format("lambda_{}", i));
    add_rows(result, history.lambda, names);
  }
  series["kinetic"] = history.kinetic;
  series["potential"] = history.potential;
  series["energy_error"] = history.energy_error;
  series["position_violation"] = history.position_violation;
  series["velocity_violation"] = history.velocity_violation;
  series["acceleration_violation"] = history.acceleration_violation;
  std::vector<double>& energy = series["energy"];
  for (std::size_t i = 0; i < history.kinetic.size(); ++i) {
    energy.push_back(history.kinetic[i] + history.potential[i]);
  }
  add_energy_measures(result);
  return result;
}

CellResult from_study(const ConvergeResult& study, const std::vector<std::string>& components) {
  CellResult result;
  for (std::size_t i = 0; i < study.status.size(); ++i) {
    if (study.status[i] == "ok" || !result.ok()) continue;
    result.status = study.status[i];
    result.why = fmt::format("at h = {:g}", study.h[i]);
    if (i < study.runs.size()) {
      result.t = study.runs[i].t;
      result.why += ": " + study.runs[i].why;
    }
  }
  auto& series = result.series;
  series["h"] = study.h;
  series["error_q"] = study.error_q;
  series["error_v"] = study.error_v;
  series["error_lambda"] = study.error_lambda;
  series["used_q"] = as_numbers(study.used_q);
  series["used_v"] = as_numbers(study.used_v);
  series["used_lambda"] = as_numbers(study.used_lambda);
  add_rows(result, study.component_error_q, prefixed("error_", components));
  result.measures = {
      {"slope_q", study.slope_q}, {"slope_v", study.slope_v}, {"slope_lambda", study.slope_lambda}};
  for (std::size_t i = 0; i < components.size() && i < study.component_slope_q.size(); ++i) {
    result.measures["slope_" + components[i]] = study.component_slope_q[i];
  }
  std::vector<std::string> names = {"q", "v", "lambda"};
  names.insert(names.end(), components.begin(), components.end());
  for (const std::string& name : names)
    add_paper_order(result, name, study.h, series["error_" + name]);
  for (const RunResult& run : study.runs) {
    for (const auto& [key, count] : run.counts) result.counts[key] += count;
    result.seconds += run.seconds;
  }
  return result;
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
  return out;
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
  return result;
}

}  // namespace daemark
