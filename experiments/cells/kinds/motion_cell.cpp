// Cells of kind "motion": one run whose history is measured, beside what a run measures by itself.
//
// Keys beside those of an integration: largest (texts), names of series; frequencies (flag);
// watched (text), a series, with bound (text), a number; norm (text): "euclidean" measures
// violations of constraints by √(Σ c²) instead of by their largest entry. Everything is measured at
// all step ends; history_every thins the series that are drawn.
//   largest_NAME      max |x|
//   initial_NAME, final_NAME   the first and the last value
//   peak_NAME         the time of the largest |x|
//   growth_NAME       median |x_{k+1}/x_k| of the last steps: of what grows, its factor a step
//   alternation_NAME  max |x_{k−1} − 2 x_k + x_{k+1}|/4: the amplitude of a part (−1)^k, which a
//                     method without damping leaves in multipliers and accelerations
//   omega_free_max, omega_reduced_max   of the highest natural frequencies along the motion,
//                     analysis/linear/natural_frequencies.hpp; series omega_free, omega_reduced.
//                     Between step ends: the parabola through the three around the largest
//   stable            1 where the run ends and |watched| never exceeds bound, else 0
//   breaks_at         where not: the time of the first excess, or at which the run broke off
// Outputs that the problem names are series too.
#include <algorithm>
#include <cmath>

#include "analysis/linear/natural_frequencies.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/integration_keys.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

MechanicalPtr<double> mechanism_of(const Cell& cell) {
  return problem_registry()
      .make(cell.problem)
      .make<double>(Formulation::parse(cell.formulation).info.minimal);
}

void check(const Cell& cell) {
  kind_of(run_of(cell)).check(run_of(cell));
  if (cell.h.size() != 1 || cell.whole("history_every") == 0)
    throw BadInput("kind 'motion' is one run that keeps its history: one h, history_every");
  if (cell.text("watched").empty() != cell.text("bound").empty())
    throw BadInput("'watched' and 'bound' go together");
  if (!cell.text("norm").empty() && cell.text("norm") != "euclidean")
    throw BadInput("norm = '" + cell.text("norm") + "' is not accepted: euclidean, or none");
  if (!cell.text("bound").empty()) positive(cell, "bound");
}

void add_outputs(const History& history, const MechanicalSystem<double>& mechanism,
                 CellResult& result) {
  for (std::size_t i = 0; i < mechanism.outputs().size(); ++i)
    for (const std::vector<double>& row : history.outputs)
      if (i < row.size()) result.series[mechanism.outputs()[i].id].push_back(row[i]);
}

/// NaN where one of the values is.
double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::isnan(value) ? value : std::max(most, std::abs(value));
  return most;
}

double alternation(const std::vector<double>& x) {
  double most = 0;
  for (std::size_t i = 2; i < x.size(); ++i)
    most = std::max(most, std::abs(x[i - 2] - 2 * x[i - 1] + x[i]) / 4);
  return most;
}

double growth(const std::vector<double>& x) {
  constexpr std::size_t last = 5;
  std::vector<double> ratios;
  for (std::size_t i = x.size() > last ? x.size() - last : 1; i < x.size(); ++i)
    if (x[i - 1] != 0) ratios.push_back(std::abs(x[i] / x[i - 1]));
  if (ratios.empty()) return std::nan("");
  std::nth_element(ratios.begin(), ratios.begin() + ratios.size() / 2, ratios.end());
  return ratios[ratios.size() / 2];
}

double top(const std::vector<double>& x) {
  const double most = largest(x);
  const auto at = static_cast<std::size_t>(std::find(x.begin(), x.end(), most) - x.begin());
  if (at == 0 || at + 1 >= x.size()) return most;
  const double slope = (x[at + 1] - x[at - 1]) / 2, bend = x[at + 1] - 2 * x[at] + x[at - 1];
  return bend < 0 ? most - slope * slope / (2 * bend) : most;
}

void add_frequencies(const History& history, const MechanicalPtr<double>& mechanism,
                     CellResult& result) {
  FrequencyAnalysis analysis(mechanism);
  auto &free = result.series["omega_free"], &reduced = result.series["omega_reduced"];
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    const NaturalFrequencies found =
        analysis.at(history.t[i], history.q[i].data(), history.v[i].data());
    free.push_back(found.free), reduced.push_back(found.reduced);
  }
  result.measures["omega_free_max"] = top(free);
  result.measures["omega_reduced_max"] = top(reduced);
}

void add_stability(const Cell& cell, CellResult& result) {
  const double bound = positive(cell, "bound");
  const std::vector<double>& x = series_of(cell, result, "watched", cell.text("watched"));
  const auto beyond =
      std::find_if(x.begin(), x.end(), [&](double value) { return !(std::abs(value) <= bound); });
  const bool stable = result.ok() && beyond == x.end();
  result.measures["stable"] = stable ? 1 : 0;
  if (beyond != x.end())
    result.measures["breaks_at"] = result.series.at("t")[beyond - x.begin()];
  else if (!stable)
    result.measures["breaks_at"] = result.t;
}

/// Every N-th entry of each series over the step ends, and the last one; N = 0: none is kept.
void thin(std::size_t every, CellResult& result) {
  if (every == 0) return result.series.clear();
  const std::size_t steps = result.series.at("t").size();
  for (auto& [name, values] : result.series) {
    if (values.size() != steps) continue;
    std::vector<double> kept;
    for (std::size_t i = 0; i < steps; ++i)
      if (i % every == 0 || i + 1 == steps) kept.push_back(values[i]);
    values = std::move(kept);
  }
}

CellResult run_motion(const Cell& cell) {
  const MechanicalPtr<double> mechanism = mechanism_of(cell);
  if (cell.flag("frequencies") && mechanism->chart_size() > 0)
    throw BadInput("frequencies along rotations on a chart; accepted: coordinates without a chart");
  RunRequest request = run_request(cell);
  request.history_every = 1;
  if (!cell.text("norm").empty()) request.violation_norm = ViolationNorm::euclidean;
  const RunResult found = run(request);
  CellResult result = from_run(found, mechanism->coordinate_names());
  add_outputs(found.history, *mechanism, result);
  if (cell.flag("frequencies")) add_frequencies(found.history, mechanism, result);
  for (const std::string& name : cell.texts("largest")) {
    const std::vector<double>& x = series_of(cell, result, "largest", name);
    result.measures["largest_" + name] = largest(x);
    result.measures["alternation_" + name] = alternation(x);
    const auto peak = std::max_element(
        x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    result.measures["peak_" + name] = result.series.at("t")[peak - x.begin()];
    result.measures["initial_" + name] = x.front();
    result.measures["final_" + name] = x.back();
    result.measures["growth_" + name] = growth(x);
  }
  if (!cell.text("watched").empty()) add_stability(cell, result);
  if (against_of(cell)) add_deviation(cell, mechanism->coordinate_names(), result);
  thin(static_cast<std::size_t>(cell.whole("history_every")), result);
  return result;
}

std::vector<CellMeasure> motion_measures() {
  const auto named = [](const Cell& cell) { return cell.texts("largest"); };
  const auto watched = [](const Cell& cell) { return !cell.text("watched").empty(); };
  return {
      {"{largest,alternation,initial,final}_*", "?", nullptr, named},
      {"growth_*", "", nullptr, named},
      {"peak_*", "s", nullptr, named},
      {"omega_{free,reduced}_max", "rad/s", [](const Cell& c) { return c.flag("frequencies"); }},
      {"stable", "", watched},
      {"breaks_at", "s", watched}};
}

}  // namespace

void register_motion_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "motion";
  kind.keys = integration_keys() +
              std::vector<CellKey>{{"largest", Type::texts},
                                   {"frequencies", Type::flag},
                                   {"watched"},
                                   {"bound"},
                                   {.name = "norm", .identity = CellKey::Identity::where_given}};
  kind.measures = run_measures() + motion_measures();
  kind.compute = run_motion;
  kind.command = [](const Cell& cell) { return integration_command(run_of(cell)); };
  kind.cost = run_cost;
  kind.refusable = true;
  kind.check_more = check;
  kind.uses_more = use_against;
  kind.unused = unused_in_runs();
  kind.reference_times = end_where_errors;
  kinds.add(std::move(kind));
}

}  // namespace daemark
