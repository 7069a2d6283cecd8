// Cells of kind "trajectory": a run set against the true motion over its whole length, where a
// problem has a closed form. Errors at one end time mislead near turning points; here the largest
// over all step ends counts, and multipliers are compared at step ends and at the middles of steps.
//
// One step size: series t, components, error_q, error_v, error_lambda, error_lambda_middle (at the
// middle of the step that ends at t), constraint and constraint_rate (signed, first row),
// energy_error and alternating, δ²Φ̇/4, which keeps an odd-even mode and hardly anything of a smooth
// motion. Measures: error_*_max, energy_error_max, the violations, amplification, the median of
// alternating(t_{n+1})/alternating(t_n), and alternating_kept, its median size in the last tenth
// over that in the first. Several step sizes: error_*_max over h and their slopes.
//
// Keys displacement, kick: the motion starts at (1 + displacement) q and v + kick q, off the
// manifold, and there are no errors; the series predicted follows from Φ̈ = −cλΦ with c of the
// formulation `substituted` (0 for index1) and the measures drift_mismatch (largest difference over
// the largest predicted value) and drift_growth (largest |Φ| over the first).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/run/run.hpp"
#include "analysis/run/slope.hpp"
#include "base/program/once.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

const std::vector<std::string>& error_names() {
  static const std::vector<std::string> names = {"q", "v", "lambda", "lambda_middle"};
  return names;
}

struct Truth {
  std::vector<real50> q, v, lambda;
};

Truth truth_at(const Problem& problem, const real50& t, int n, int m) {
  Truth truth{std::vector<real50>(n), std::vector<real50>(n), std::vector<real50>(m)};
  problem.closed_form(t, truth.q.data(), truth.v.data(), truth.lambda.data());
  return truth;
}

/// The truth at t_0, t_0 + h/2, t_0 + h, …: the same for all runs of a table, so it is kept.
std::shared_ptr<const std::vector<Truth>> truths(const Problem& problem, const Expression& h,
                                                 std::size_t points, int n, int m) {
  static OncePerKey<std::vector<Truth>> known;
  return known.get(fmt::format("{} {} {}", problem.name, h.text(), points), [&] {
    const real50 start = problem.start.eval<real50>(), half = h.eval<real50>() / 2;
    std::vector<Truth> all;
    for (std::size_t i = 0; i + 1 < 2 * points; ++i) {
      checkpoint();
      all.push_back(truth_at(problem, real50(start + half * real50(i)), n, m));
    }
    return all;
  });
}

double distance(const std::vector<double>& x, const std::vector<real50>& y) {
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double d = to_double(real50(real50(x[i]) - y[i]));
    squares += d * d;
  }
  return std::sqrt(squares);
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values)
    if (!(x <= most)) most = x;
  return most;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Errors at the points of a history; times are multiples of h, so that they have no rounding.
void add_errors(const Problem& problem, const History& history, const Expression& h,
                CellResult& result) {
  const auto known =
      truths(problem, h, history.t.size(), static_cast<int>(history.q.front().size()),
             static_cast<int>(history.lambda.front().size()));
  auto& series = result.series;
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    const Truth &end = (*known)[2 * i], &middle = (*known)[i == 0 ? 0 : 2 * i - 1];
    series["error_q"].push_back(distance(history.q[i], end.q));
    series["error_v"].push_back(distance(history.v[i], end.v));
    series["error_lambda"].push_back(distance(history.lambda[i], end.lambda));
    series["error_lambda_middle"].push_back(distance(history.lambda[i], middle.lambda));
  }
  for (const std::string& name : error_names())
    result.measures[fmt::format("error_{}_max", name)] = largest(series["error_" + name]);
}

/// What alternates in Φ̇, and how it is carried on.
void add_alternation(CellResult& result) {
  const std::vector<double>& rate = result.series["constraint_rate"];
  std::vector<double>& part = result.series["alternating"];
  part.assign(rate.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> sizes, ratios;
  for (std::size_t i = 1; i + 1 < rate.size(); ++i) {
    part[i] = (2 * rate[i] - rate[i - 1] - rate[i + 1]) / 4;
    sizes.push_back(std::abs(part[i]));
    if (i > 1 && part[i - 1] != 0) ratios.push_back(part[i] / part[i - 1]);
  }
  const auto tenth = static_cast<std::ptrdiff_t>(sizes.size() / 10);
  result.measures["amplification"] = median(ratios);
  result.measures["alternating_kept"] =
      median({sizes.end() - tenth, sizes.end()}) / median({sizes.begin(), sizes.begin() + tenth});
}

/// Φ and Φ̇ of the first row with their signs.
void add_constraint(const Problem& problem, const History& history, CellResult& result) {
  const auto mechanism = problem.make<double>();
  std::vector<double> phi(mechanism->constraints()), rate(phi.size());
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    MotionValues<double> out;
    out.position = phi.data(), out.velocity = rate.data();
    mechanism->evaluate(
        {history.t[i], history.q[i].data(), history.v[i].data(), nullptr, nullptr, nullptr}, {},
        out);
    result.series["constraint"].push_back(phi[0]);
    result.series["constraint_rate"].push_back(rate[0]);
  }
  add_alternation(result);
}

/// What Φ̈ = −cλΦ makes of the first Φ, by RK4 over pairs of steps with the run's own λ.
void add_prediction(const Cell& cell, CellResult& result) {
  const Formulation formulation = Formulation::parse(cell.formulation);
  double c = 0;
  for (const Parameter& p : formulation.info.parameters)
    if (p.name == "c") c = formulation.arguments.real("c").eval<double>();
  const std::vector<double>&t = result.series["t"], &lambda = result.series["lambda_1"],
        &phi = result.series["constraint"];
  double y[2] = {phi.front(), result.series["constraint_rate"].front()};
  std::vector<double>& predicted = result.series["predicted"];
  predicted.assign(t.size(), std::numeric_limits<double>::quiet_NaN());
  predicted[0] = y[0];
  double mismatch = 0, most = std::abs(y[0]);
  for (std::size_t i = 0; i + 2 < t.size(); i += 2) {
    const double h = t[i + 2] - t[i];
    const double k = -c * lambda[i], l = -c * lambda[i + 1], r = -c * lambda[i + 2];
    const double a1 = k * y[0], v2 = y[1] + h / 2 * a1, a2 = l * (y[0] + h / 2 * y[1]),
                 v3 = y[1] + h / 2 * a2, a3 = l * (y[0] + h / 2 * v2), v4 = y[1] + h * a3,
                 a4 = r * (y[0] + h * v3);
    const double before[2] = {y[0], y[1]};
    y[0] += h / 6 * (y[1] + 2 * v2 + 2 * v3 + v4);
    y[1] += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    predicted[i + 1] = (before[0] + y[0]) / 2 + h / 8 * (before[1] - y[1]);
    predicted[i + 2] = y[0];
    mismatch = std::max(mismatch, std::abs(phi[i + 2] - y[0]));
    most = std::max(most, std::abs(y[0]));
  }
  result.measures["drift_mismatch"] = mismatch / most;
  double size = 0;
  for (const double x : phi) size = std::max(size, std::abs(x));
  result.measures["drift_growth"] = size / std::abs(phi.front());
}

CellResult one_run(const Cell& cell, const std::string& h) {
  const Problem problem = problem_registry().make(cell.problem);
  const bool away = is_displaced(cell);
  RunRequest request = run_request(run_of(cell, {{"history_every", 1}}));
  request.h = Expression::parse(h, "h");
  if (away) request.initial = displaced<real50>(cell);
  const RunResult run = daemark::run(request);
  CellResult result = from_run(run, problem_shape(cell.problem)->coordinates);
  add_constraint(problem, run.history, result);
  if (away)
    add_prediction(cell, result);
  else
    add_errors(problem, run.history, request.h, result);
  return result;
}

/// Errors here stand above round-off, where they fall. One that does not fall at all has a slope
/// near 0: then the least-squares line through all points.
double slope_of(const std::vector<double>& h, const std::vector<double>& error) {
  const SlopeFit fitted = fit_slope(h, error, RoundOff{});
  if (fitted.verdict == SlopeVerdict::asymptotic) return fitted.slope;
  std::vector<double> steps, positive;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (error[i] > 0 && std::isfinite(error[i]))
      steps.push_back(h[i]), positive.push_back(error[i]);
  const double slope = log_log_slope(steps, positive);
  return std::isnan(slope) ? fitted.slope : slope;
}

CellResult study(const Cell& cell) {
  CellResult result;
  std::vector<double> h;
  std::map<std::string, std::vector<double>> errors;
  ProgressParts parts(run_sizes(cell.h));
  for (const std::string& step : cell.h) {
    const ProgressShare share = parts.next();
    const CellResult one = one_run(cell, step);
    if (result.take_status(one.status)) result.why = one.why;
    h.push_back(number(step, "h"));
    for (const char* name :
         {"error_q", "error_v", "error_lambda", "error_lambda_middle", "energy_error"}) {
      const auto found = one.measures.find(std::string(name) + "_max");
      errors[name].push_back(one.ok() && found != one.measures.end()
                                 ? found->second
                                 : std::numeric_limits<double>::quiet_NaN());
    }
    for (const auto& [name, count] : one.counts) result.counts[name] += count;
    result.seconds += one.seconds;
  }
  result.series["h"] = h;
  for (const auto& [name, values] : errors) {
    result.series[name] = values;
    const std::string short_name = name == "energy_error" ? "energy" : name.substr(6);
    result.measures["slope_" + short_name] = slope_of(h, values);
  }
  return result;
}

CellResult run_trajectory(const Cell& cell) {
  return is_study(cell) ? study(cell) : one_run(cell, cell.h.front());
}

void check(const Cell& cell) {
  check_divides(cell.h, cell.t_end);
  const auto problem = problem_shape(cell.problem);
  if (!problem->closed_form || problem->constraints == 0)
    throw BadInput(
        fmt::format("problem {} has no closed form with multipliers, which a trajectory "
                    "is compared with",
                    problem->name));
  displaced<real50>(cell);  // refuses what are no numbers
  if (is_displaced(cell) && cell.h.size() > 1)
    throw BadInput("'displacement' and 'kick' need one step size");
}

std::vector<CellMeasure> trajectory_measures() {
  const auto on_it = [](const Cell& cell) { return !is_study(cell) && !is_displaced(cell); };
  const auto off_it = [](const Cell& cell) { return !is_study(cell) && is_displaced(cell); };
  const auto one = [](const Cell& cell) { return !is_study(cell); };
  return {{"error_{q,v,lambda,lambda_middle}_max", "?", on_it},
          {"drift_{mismatch,growth}", "", off_it},
          {"{amplification,alternating_kept}", "", one},
          {"energy_error_{end,quarter1,quarter2,quarter3,quarter4}", "J", one},
          {"slope_{q,v,lambda,lambda_middle,energy}", "", is_study}};
}

}  // namespace

void register_trajectory_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "trajectory";
  kind.keys = run_keys() + std::vector<CellKey>{{"displacement"}, {"kick"}};
  kind.measures =
      trajectory_measures() + end_measures() + std::vector<CellMeasure>{count_measures()};
  kind.compute = run_trajectory;
  kind.commands = [](const Cell& cell) -> Commands {
    return {integration_command(run_of(cell, nlohmann::json::object()))};
  };
  kind.cost = [](const Cell& cell) { return 3 * integration_cost(cell); };
  kind.refusable = true;
  kind.check_more = check;
  kinds.add(std::move(kind));
}

}  // namespace daemark
