// Cells of kind "work_precision": one method over a sweep of step sizes or tolerances, its error at
// the end against the work it did.
//
// Keys: tols (tolerances; without, the step sizes h are swept). A tolerance is the parameter `tol`
// of a method that owns its loop, the setting control.tol of others; h is then the spacing of
// output points. Series: knob (h or tol), work (residual evaluations), jacobians, factorizations,
// steps, error_q, error_v, error_lambda, energy_error, position_violation, velocity_violation;
// apart from the records: seconds.
// Measures: work_K, the work at which error_q falls to 10^-K (K = 3, 4, 6, 8),
// interpolated on logarithms; least_error; honesty_q, honesty_v, honesty_lambda and their _max and
// _min, the error over the tolerance (geometric mean, extremes), for tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int targets[] = {3, 4, 6, 8};

bool by_tolerance(const Cell& cell) { return !cell.texts("tols").empty(); }

RunRequest request_of(const Cell& cell, const std::string& knob) {
  Cell one = run_of(cell, {{"errors", true}});
  if (by_tolerance(cell))
    one = with_tolerance(one, knob);
  else
    one.h = {knob};
  return run_request(one);
}

void take(const RunResult& run, const std::string& knob, CellResult& result) {
  const auto measure = [&](const char* name) {
    const auto found = run.measures.find(name);
    return run.status == "ok" && found != run.measures.end() ? found->second : missing;
  };
  const auto count = [&](const char* name) { return static_cast<double>(run.counts.at(name)); };
  auto& series = result.series;
  series["knob"].push_back(Expression::parse(knob, "knob").eval<double>());
  series["work"].push_back(count("residual_evals"));
  series["jacobians"].push_back(count("jacobian_evals"));
  series["factorizations"].push_back(count("factorizations"));
  series["steps"].push_back(count("steps"));
  series["error_q"].push_back(measure("error_q"));
  series["error_v"].push_back(measure("error_v"));
  series["error_lambda"].push_back(measure("error_lambda"));
  series["energy_error"].push_back(measure("energy_error_max"));
  series["position_violation"].push_back(measure("position_violation_max"));
  series["velocity_violation"].push_back(measure("velocity_violation_max"));
  result.timings["seconds"].push_back(run.seconds);
  result.seconds += run.seconds;
}

/// Where the polyline of log error over log work first falls to `target`.
double work_to(double target, const std::vector<double>& work, const std::vector<double>& error) {
  double last_work = missing, last_error = missing;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!(error[i] > 0) || !std::isfinite(error[i])) continue;
    if (error[i] <= target) {
      if (!(last_error > target)) return work[i];
      const double part = std::log(last_error / target) / std::log(last_error / error[i]);
      return last_work * std::pow(work[i] / last_work, part);
    }
    last_work = work[i], last_error = error[i];
  }
  return missing;
}

void add_honesty(const std::string& name, CellResult& result) {
  const std::vector<double>&tol = result.series["knob"], &error = result.series["error_" + name];
  double sum = 0, most = missing, least = missing;
  int count = 0;
  for (std::size_t i = 0; i < tol.size(); ++i) {
    const double ratio = error[i] / tol[i];
    if (!(ratio > 0) || !std::isfinite(ratio)) continue;
    sum += std::log(ratio), ++count;
    most = std::isnan(most) ? ratio : std::max(most, ratio);
    least = std::isnan(least) ? ratio : std::min(least, ratio);
  }
  result.measures["honesty_" + name] = count > 0 ? std::exp(sum / count) : missing;
  result.measures["honesty_" + name + "_max"] = most;
  result.measures["honesty_" + name + "_min"] = least;
}

CellResult run_sweep(const Cell& cell) {
  CellResult result;
  int succeeded = 0;
  std::string status, why;
  const std::vector<std::string> knobs = by_tolerance(cell) ? cell.texts("tols") : cell.h;
  ProgressParts parts(by_tolerance(cell) ? std::vector<double>(knobs.size(), 1.0)
                                         : run_sizes(knobs));
  for (const std::string& knob : knobs) {
    const ProgressShare share = parts.next();
    const RunResult run = daemark::run(request_of(cell, knob));
    take(run, knob, result);
    if (run.status == "ok") {
      ++succeeded;
    } else if (status.empty()) {
      status = run.status, why = fmt::format("at {}: {}", knob, run.why);
    }
  }
  // Single failures are part of the picture: gaps of the curve.
  if (succeeded == 0) result.status = status;
  result.why = why;
  const std::vector<double>&work = result.series["work"], &error = result.series["error_q"];
  for (const int k : targets)
    result.measures[fmt::format("work_{}", k)] = work_to(std::pow(10.0, -k), work, error);
  double least = missing;
  for (const double e : error)
    if (std::isfinite(e)) least = std::isnan(least) ? e : std::min(least, e);
  result.measures["least_error"] = least;
  result.measures["succeeded"] = succeeded;
  if (by_tolerance(cell))
    for (const char* name : {"q", "v", "lambda"}) add_honesty(name, result);
  return result;
}

void check(const Cell& cell) {
  check_divides(cell.h, cell.t_end);
  if (!by_tolerance(cell)) return;
  if (cell.h.size() > 1) throw BadInput("'tols' needs one h, the spacing of output points");
  for (const std::string& tol : cell.texts("tols")) Expression::parse(tol, "tols");
}

/// One run of the sweep.
std::string command_of(const Cell& cell) {
  Cell one = run_of(cell, {{"errors", true}});
  if (by_tolerance(cell)) one = with_tolerance(one, cell.texts("tols").back());
  return integration_command(one);
}

}  // namespace

void register_work_precision_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "work_precision";
  kind.keys = run_keys() + std::vector<CellKey>{{"tols", CellKey::Type::texts}};
  kind.measures = {{"{least_error,succeeded}", ""},
                   {"work_{3,4,6,8}", ""},
                   {"honesty_{q,v,lambda}", "", by_tolerance},
                   {"honesty_{q,v,lambda}_{max,min}", "", by_tolerance}};
  kind.compute = run_sweep;
  kind.command = command_of;
  kind.cost = [](const Cell& cell) {
    constexpr double steps_of_a_tolerance = 1e4;
    return by_tolerance(cell)
               ? steps_of_a_tolerance * static_cast<double>(cell.texts("tols").size())
               : 3 * integration_cost(cell);
  };
  kind.refusable = true;
  kind.always_study = true;
  kind.check_more = check;
  kind.reference_times = [](const Cell& cell) { return std::vector<std::string>{cell.t_end}; };
  kinds.add(std::move(kind));
}

}  // namespace daemark
