#include "experiments/cells/support/integration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/setup/bound_run.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

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

}  // namespace

double two_norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

void check_span(const Cell& cell) {
  const wide span = Expression::parse(cell.t_end, "t_end").eval<wide>() -
                    problem_shape(cell.problem)->start.eval<wide>();
  for (const std::string& h : cell.h) {
    const wide steps = span / Expression::parse(h, "h").eval<wide>();
    if (!(steps > 0) || abs(wide(steps - round(steps))) > wide(1e-30))
      throw BadInput(fmt::format("h = {} does not divide the time from the start to t_end = {}", h,
                                 cell.t_end));
  }
}

std::string integration_command(const Cell& cell) {
  std::string text =
      is_study(cell)
          ? fmt::format(
                "daemark converge {} --problem {} --formulation {} --h {} --t-end {}",
                shell_word(cell.method), shell_word(cell.problem), shell_word(cell.formulation),
                shell_word(fmt::format("{}", fmt::join(cell.h, ","))), shell_word(cell.t_end))
          : fmt::format("daemark run --problem {} --formulation {} --method {} --h {} --t-end {}",
                        shell_word(cell.problem), shell_word(cell.formulation),
                        shell_word(cell.method), shell_word(cell.h.front()),
                        shell_word(cell.t_end));
  if (cell.precision != "double") text += " --precision " + cell.precision;
  for (const auto& [key, value] : cell.settings)
    text += fmt::format(" --set {}", shell_word(key + "=" + value));
  if (cell.flag("errors") && !is_study(cell)) text += " --errors";
  return text;
}

double integration_cost(const Cell& cell) {
  double steps = 0;
  const auto problem = problem_shape(cell.problem);
  const double span = number(cell.t_end, "t_end") - problem->start.eval<double>();
  for (const std::string& h : cell.h) steps += span / number(h, "h");
  return cost_of_steps(cell, steps);
}

double cost_of_steps(const Cell& cell, double steps) {
  const int stages = std::max(1, method_registry().make(cell.method)->cost_stages());
  // Measured on the two-link and on Andrews' mechanism: 1 to 1.4 microseconds in double.
  constexpr double slower = 40;  // real50 than double
  const double precision = parse_precision(cell.precision) == Precision::in_double ? 1 : slower;
  const auto coordinates = static_cast<double>(problem_shape(cell.problem)->coordinates.size());
  return steps * stages * coordinates * precision;
}

std::vector<double> run_sizes(const std::vector<std::string>& h) {
  std::vector<double> sizes;
  for (const std::string& step : h) sizes.push_back(1 / number(step, "h"));
  return sizes;
}

bool takes_tolerance(const std::string& method) {
  const auto made = method_registry().make(method);
  return made->chooses_steps() ||
         (!made->owns_loop() && made->estimate_order() > 0 && !made->constant_step());
}

Cell with_tolerance(Cell cell, const std::string& tol) {
  if (!method_registry().make(cell.method)->owns_loop()) {
    cell.settings["control.tol"] = tol;
    return cell;
  }
  Call call = parse_call(method_registry().bind(cell.method).canonical(), "method");
  for (CallArgument& argument : call.arguments)
    if (argument.key == "tol") argument.value = parse_call_value(tol, "tol");
  cell.method = call.text();
  return cell;
}

Cell run_of(const Cell& cell, const nlohmann::json& more) {
  Cell run = cell;
  run.kind = Cell{}.kind, run.more = more;
  return run;
}

Cell run_of(const Cell& cell) { return run_of(cell, cell.more); }

RunRequest run_request(const Cell& cell) {
  RunRequest request;
  request.problem = cell.problem;
  request.formulation = cell.formulation;
  request.method = cell.method;
  request.h = Expression::parse(cell.h.at(0), "h");
  request.t_end = Expression::parse(cell.t_end, "t_end");
  request.precision = parse_precision(cell.precision);
  request.settings = cell.settings;
  request.errors = cell.flag("errors");
  request.history_every = cell.whole("history_every");
  return request;
}

Cell cell_of(const RunRequest& request) {
  Cell cell;
  cell.problem = request.problem, cell.formulation = request.formulation;
  cell.method = request.method;
  cell.h = {request.h.text()}, cell.t_end = request.t_end.text();
  cell.precision = name_of(request.precision);
  cell.settings = request.settings;
  if (request.errors) cell.more["errors"] = true;
  return cell;
}

RunResult to_run(const CellResult& result) {
  RunResult run;
  run.status = result.status, run.why = result.why, run.t = result.t;
  run.q = result.q, run.v = result.v, run.a = result.a, run.lambda = result.lambda;
  run.measures = result.measures, run.counts = result.counts, run.seconds = result.seconds;
  run.counts.erase(sub_steps);
  return run;
}

std::vector<BoundRun> bind_study(const Cell& cell) {
  std::vector<Expression> steps;
  for (const std::string& h : cell.h) steps.push_back(Expression::parse(h, "h"));
  return bind_study(run_request(cell), steps);
}

double number(const std::string& text, const char* key) {
  return Expression::parse(text, key).eval<double>();
}

void check_outputs(const Cell& cell) {
  const auto problem = problem_shape(cell.problem);
  for (const std::string& name : cell.texts("outputs"))
    if (std::count(problem->outputs.begin(), problem->outputs.end(), name) == 0)
      throw BadInput(fmt::format("no output '{}' on {}", name, problem->name));
}

bool is_displaced(const Cell& cell) {
  return !cell.text("displacement").empty() || !cell.text("kick").empty();
}

template <class S>
InitialState displaced(const Cell& cell) {
  const auto given = [&](const char* key) {
    return cell.text(key).empty() ? S(0) : Expression::parse(cell.text(key), key).eval<S>();
  };
  const auto text = [](const S& x) { return Expression::parse(full_digits(x), "start"); };
  const auto mechanism = problem_registry().make(cell.problem).make<S>();
  std::vector<S> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  const S factor = 1 + given("displacement"), kick = given("kick");
  InitialState state;
  state.consistent = false;
  for (std::size_t i = 0; i < q.size(); ++i) {
    state.q.push_back(text(S(factor * q[i])));
    state.v.push_back(text(S(v[i] + kick * q[i])));
  }
  return state;
}
template InitialState displaced<double>(const Cell&);
template InitialState displaced<real50>(const Cell&);

double positive(const Cell& cell, const char* key) {
  const double value = number(cell.text(key), key);
  if (!(value > 0)) throw BadInput(fmt::format("{} is not accepted: a number > 0", key));
  return value;
}

const std::vector<double>& series_of(const Cell& cell, const CellResult& result, const char* key,
                                     const std::string& name) {
  const auto series = result.series.find(name);
  if (series == result.series.end())
    throw UnknownName(fmt::format("{}: no series '{}' on {}", key, name, cell.problem));
  return series->second;
}

std::vector<CellMeasure> end_measures() {
  const auto one = [](const Cell& cell) { return !is_study(cell); };
  return {{"energy_error_{max,final}", "J", one},
          {"{position,velocity,acceleration}_violation_{max,final}", "?", one},
          {"work_doubt_max", "J", one}};
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
    if (!result.take_status(study.status[i])) continue;
    result.why = fmt::format("at h = {:g}", study.h[i]);
    if (i < study.runs.size()) {
      result.t = study.runs[i].t;
      result.why += ": " + study.runs[i].why;
    }
  }
  auto& series = result.series;
  series["h"] = study.h;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const std::string name = motion_parts[kind];
    const SlopeFit& fit = study.fit[kind];
    series["error_" + name] = study.error[kind];
    series["used_" + name] = {fit.used.begin(), fit.used.end()};
    result.measures["slope_" + name] = fit.slope;
  }
  add_rows(result, study.component_error_q, prefixed("error_", components));
  for (std::size_t i = 0; i < components.size() && i < study.component_slope_q.size(); ++i) {
    result.measures["slope_" + components[i]] = study.component_slope_q[i];
  }
  std::vector<std::string> names(motion_parts.begin(), motion_parts.end());
  names.insert(names.end(), components.begin(), components.end());
  for (const std::string& name : names)
    add_paper_order(result, name, study.h, series["error_" + name]);
  for (const RunResult& run : study.runs) {
    for (const auto& [key, count] : run.counts) result.counts[key] += count;
    result.seconds += run.seconds;
  }
  return result;
}

}  // namespace daemark
