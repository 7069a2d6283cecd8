// Cells of kind "work_precision": one method over a sweep of step sizes or tolerances, its error at
// the end against the work it did.
//
// Keys: tols (tolerances; without, the step sizes h are swept). A tolerance is the parameter `tol`
// of a method that owns its loop, the setting control.tol of others; h is then the spacing of
// output points. to_floor: the sweep goes on from the last of them, tolerances by tenths to 1e-14,
// steps by halves until two runs on end bring no smaller error after it has fallen by 100, both
// until the next run would take more than that many evaluations. most_evaluations: a run of more is
// the last one. weights: work_curve.hpp.
//
// Series: knob (h or tol), steps, those of work_curve.hpp, error_v, error_lambda, energy_error,
// position_violation, velocity_violation; apart from the records: seconds. Measures: those of
// work_curve.hpp; floor and capped: 1 where a sweep to_floor ended so; honesty_q, honesty_v,
// honesty_lambda and their _max and _min, the error over the tolerance (geometric mean, extremes),
// for tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/linear/lu_tally.hpp"
#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/work_curve.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
bool by_tolerance(const Cell& cell) { return !cell.texts("tols").empty(); }
bool to_floor(const Cell& cell) { return cell.whole("to_floor") > 0; }

/// A run that was stopped in its set-up counted nothing.
long count_of(const RunResult& run, const char* name) {
  const auto found = run.counts.find(name);
  return found == run.counts.end() ? 0 : found->second;
}

/// Whether the run took so many evaluations that no finer one is made.
bool is_last(const Cell& cell, const RunResult& run) {
  const long most = cell.whole("most_evaluations");
  return most > 0 && count_of(run, "residual_evals") > most;
}

RunRequest request_of(const Cell& cell, const std::string& knob) {
  Cell one = run_of(cell, {{"errors", true}});
  if (by_tolerance(cell))
    one = with_tolerance(one, knob);
  else
    one.h = {knob};
  return run_request(one);
}

/// A run of the sweep, with what it cost; how far one came that ran out of time depends on the
/// machine, and is left out.
void take(const Cell& cell, const std::string& knob, const RunResult& run, double pairs,
          CellResult& result) {
  const auto measure = [&](const char* name) {
    const auto found = run.measures.find(name);
    return run.status == "ok" && found != run.measures.end() ? found->second : missing;
  };
  const bool stopped = run.status == "timed_out";
  const auto count = [&](const char* name) {
    return stopped ? missing : static_cast<double>(count_of(run, name));
  };
  auto& series = result.series;
  series["knob"].push_back(number(knob, "knob"));
  series["evaluations"].push_back(count("residual_evals"));
  series["jacobians"].push_back(count("jacobian_evals"));
  series["factorizations"].push_back(count("factorizations"));
  series["pairs"].push_back(stopped ? missing : pairs);
  add_work(cell, result);
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

/// Those of a sweep, to its floor as many as it may take.
std::vector<std::string> knobs_of(const Cell& cell) {
  constexpr double least_tolerance = 1e-14;
  std::vector<std::string> knobs = by_tolerance(cell) ? cell.texts("tols") : cell.h;
  if (!to_floor(cell)) return knobs;
  const double last = number(knobs.back(), "");
  // A step takes an evaluation at least.
  const double steps = number(cell.t_end, "t_end") / last,
               most = static_cast<double>(cell.whole("to_floor"));
  const double more =
      by_tolerance(cell) ? std::round(std::log10(last / least_tolerance)) : std::log2(most / steps);
  for (int i = 1; i <= more; ++i)
    knobs.push_back(fmt::format("{}/{}", knobs.back(), by_tolerance(cell) ? 10 : 2));
  return knobs;
}

/// Whether a sweep to its floor ends with the runs in `result`, which then says why.
bool ended(const Cell& cell, CellResult& result) {
  constexpr double fall = 100;
  const std::vector<double>&error = result.series["error_q"], &work = result.series["evaluations"];
  double most = 0, before = 0, least = std::numeric_limits<double>::infinity();
  std::size_t since = 0;  // runs since the least error, `before` is the largest up to it
  for (const double e : error) {
    ++since;
    if (!is_error(e)) continue;
    most = std::max(most, e);
    if (e < least) least = e, before = most, since = 0;
  }
  const bool floor = !by_tolerance(cell) && fall * least <= before && since >= 2;
  const std::size_t runs = work.size();
  const double growth = !by_tolerance(cell)              ? 2
                        : runs > 1 && work[runs - 2] > 0 ? work[runs - 1] / work[runs - 2]
                                                         : 1;
  const bool capped = !floor && growth * work.back() > static_cast<double>(cell.whole("to_floor"));
  result.measures["floor"] = floor ? 1 : 0, result.measures["capped"] = capped ? 1 : 0;
  return floor || capped;
}

CellResult run_sweep(const Cell& cell) {
  CellResult result;
  int succeeded = 0;
  std::string status;
  const std::size_t given = (by_tolerance(cell) ? cell.texts("tols") : cell.h).size();
  const std::vector<std::string> knobs = knobs_of(cell);
  std::size_t runs = 0;
  ProgressParts parts(by_tolerance(cell) ? std::vector<double>(knobs.size(), 1.0)
                                         : run_sizes(knobs));
  for (const std::string& knob : knobs) {
    const ProgressShare share = parts.next();
    const LuTally tally;
    const RunResult run = daemark::run(request_of(cell, knob));
    take(cell, knob, run, static_cast<double>(tally.pairs), result);
    ++runs;
    if (run.status == "ok") {
      ++succeeded;
    } else {
      if (status.empty() || !is_outcome(run.status)) status = run.status;
      if (result.why.empty()) result.why = fmt::format("at {}: {}", knob, run.why);
    }
    if (run.status == "not_available" || run.status == "timed_out") break;
    if (is_last(cell, run) && runs < knobs.size()) {
      if (result.why.empty())
        result.why = fmt::format("{} evaluations at {}: finer ones are left out",
                                 count_of(run, "residual_evals"), knob);
      break;
    }
    if (to_floor(cell) && runs >= given && ended(cell, result)) break;
  }
  // Single failures are part of the picture: gaps of the curve.
  if (succeeded == 0) result.status = status, result.measures.erase("capped");
  read_curve(result);
  result.measures["succeeded"] = succeeded;
  result.measures["failures"] = static_cast<double>(runs) - succeeded;
  if (by_tolerance(cell))
    for (const char* name : {"q", "v", "lambda"}) add_honesty(name, result);
  return result;
}

void check(const Cell& cell) {
  check_divides(cell.h, cell.t_end);
  check_weights(cell);
  if (!by_tolerance(cell)) return;
  if (cell.h.size() > 1) throw BadInput("'tols' needs one h, the spacing of output points");
  for (const std::string& tol : cell.texts("tols")) Expression::parse(tol, "tols");
}

/// One run of the sweep.
Commands commands_of(const Cell& cell) {
  Cell one = run_of(cell, {{"errors", true}});
  if (by_tolerance(cell)) one = with_tolerance(one, cell.texts("tols").back());
  return {integration_command(one)};
}

/// Steps grow as tol^(-1/p) with the power p of h that the estimate begins with.
double steps_to_tolerances(const Cell& cell) {
  constexpr double steps_to_one = 20, power_of_production_codes = 5;
  const auto method = method_registry().make(cell.method);
  const double power =
      method->owns_loop() ? power_of_production_codes : std::max(1, method->estimate_order());
  double steps = 0;
  for (const std::string& tol : cell.texts("tols"))
    steps += steps_to_one * std::pow(number(tol, "tols"), -1 / power);
  return steps;
}

double cost_of(const Cell& cell) {
  if (to_floor(cell)) return 2.0 * static_cast<double>(cell.whole("to_floor"));
  return by_tolerance(cell) ? cost_of_steps(cell, steps_to_tolerances(cell))
                            : 3 * integration_cost(cell);
}

}  // namespace

void register_work_precision_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "work_precision";
  kind.keys = run_keys() + std::vector<CellKey>{{"tols", CellKey::Type::texts},
                                                {.name = "to_floor",
                                                 .type = CellKey::Type::whole,
                                                 .identity = CellKey::Identity::where_given},
                                                {.name = "most_evaluations",
                                                 .type = CellKey::Type::whole,
                                                 .identity = CellKey::Identity::where_given},
                                                key_weights()};
  kind.measures = curve_measures() +
                  std::vector<CellMeasure>{{"{succeeded,failures}", ""},
                                           {"{floor,capped}", "", to_floor},
                                           {"honesty_{q,v,lambda}", "", by_tolerance},
                                           {"honesty_{q,v,lambda}_{max,min}", "", by_tolerance}};
  kind.compute = run_sweep;
  kind.commands = commands_of;
  kind.cost = cost_of;
  kind.refusable = true;
  kind.always_study = true;
  kind.check_more = check;
  kind.reference_times = [](const Cell& cell) { return std::vector<std::string>{cell.t_end}; };
  kinds.add(std::move(kind));
}

}  // namespace daemark
