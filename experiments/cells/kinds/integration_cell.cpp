// The kinds of cells that are runs: "integration", "motion" and "step_work". The keys of a run,
// what its end and its history give, and which sources it leaves unused are declared once for all
// three.
//
// Cells of kind "integration", the one an experiment means where it names none: a run or, with
// several step sizes, a convergence study.
//
// Keys: errors (runs: errors at the end against the reference), history_every (runs: keep every
// N-th step end), against (a run to measure the history against, deviation.hpp). Block methods on
// index 3 get the measures constraint_rho and constraint_coupling beside those of the run.
//
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
//
// Cells of kind "step_work": what a step of a run costs, in work that is the same on every machine.
//
// Measures, each a step: iterations (of Newton), residuals, jacobians, factorizations, lu_pairs
// (multiply-subtract pairs in sparse factorisations and solves; dense null-space forms have none).
// And lu_pairs_iteration, the same over the iterations, and steps.
#include "experiments/cells/kinds/integration_cell.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/linear/natural_frequencies.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/linear/dense_solve.hpp"
#include "base/linear/lu_tally.hpp"
#include "base/program/once.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/pade.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

std::vector<wide> solve(std::vector<std::vector<wide>> A, std::vector<wide> b) {
  solve_dense(A, b, largest_pivot([](const wide& x) { return wide(mp::abs(x)); }));
  return b;
}

}  // namespace

ConstraintBlock constraint_block(const WideBlock& block) {
  if (block.size() == 0 || singular_B(block)) return {};
  std::vector<wide> first = solve(block.B, block.d);  // B⁻¹ d
  ConstraintBlock out;
  out.exists = true;
  out.rho = to_double(wide(-first.back()));
  for (wide& entry : first) entry += 1;
  out.coupling = to_double(wide(-solve(block.B, first).back()));
  // What is zero exactly comes out near 1e-130.
  const auto cleaned = [](double x) { return std::abs(x) < 1e-60 ? 0.0 : x; };
  out.rho = cleaned(out.rho);
  out.coupling = cleaned(out.coupling);
  return out;
}

namespace {

bool has_errors(const Cell& cell) { return is_study(cell) || cell.flag("errors"); }
bool has_against(const Cell& cell) { return !cell.object("against").is_null(); }

std::vector<CellKey> integration_keys() {
  using Type = CellKey::Type;
  using Identity = CellKey::Identity;
  return run_keys(Type::step) +
         std::vector<CellKey>{
             {.name = "errors", .type = Type::flag, .identity = Identity::of_one_run},
             {.name = "history_every",
              .type = Type::whole,
              .identity = Identity::of_one_run,
              .second_routes = false},
             {.name = "against",
              .type = Type::object,
              .identity = Identity::where_given,
              .respelled = against_identity}};
}

std::vector<CellMeasure> run_measures() {
  const auto errors = [](const Cell& cell) { return !is_study(cell) && cell.flag("errors"); };
  const auto history = [](const Cell& cell) {  // a motion is measured at all step ends
    return !is_study(cell) && (cell.kind == "motion" || cell.whole("history_every") > 0);
  };
  const auto index3 = [](const Cell& cell) {
    return Formulation::parse(cell.formulation).info.index == 3;
  };
  return end_measures() +
         std::vector<CellMeasure>{
             count_measures(),
             {"sub_steps", "", [](const Cell& cell) { return !is_study(cell); }},
             {"error_{q,v,lambda}", "?", errors},
             {"error_q_#", "?", errors},
             {"energy_error_{end,quarter1,quarter2,quarter3,quarter4}", "J", history},
             {"deviation_{max,rms,quarter1,quarter2,quarter3,quarter4}", "", has_against},
             {"departs_at", "s", has_against},
             {"energy_error_{upper,lower,mean1,mean2,mean3,mean4}", "J", has_against},
             {"energy_error_jitter", "", has_against},
             {"constraint_{rho,coupling}", "", index3}};
}

double run_cost(const Cell& cell) {
  // The other run of a comparison, which many cells share.
  constexpr double comparison = 2000;
  return integration_cost(cell) + (has_against(cell) ? comparison : 0);
}

void use_against(const Cell& cell, CellUses& uses) {
  if (const auto against = against_of(cell)) uses.methods.push_back(against->method);
}

std::vector<UnusedSource> unused_in_runs() {
  return {
      {"experiments/cells/support/deviation.hpp", [](const Cell& c) { return !has_against(c); }},
      {"analysis/run/converge.cpp", [](const Cell& c) { return !is_study(c); }},
      {"analysis/reference/reference.hpp", [](const Cell& c) { return !has_errors(c); }}};
}

std::vector<std::string> end_where_errors(const Cell& cell) {
  return has_errors(cell) ? std::vector<std::string>{cell.t_end} : std::vector<std::string>{};
}

/// Names of the positions in the order of the reference, with which errors are measured.
std::vector<std::string> reference_components(const Cell& cell) {
  static OncePerKey<std::vector<std::string>> known;
  const bool minimal = Formulation::parse(cell.formulation).info.minimal;
  return *known.get(cell.problem + (minimal ? " minimal" : ""), [&] {
    const auto mechanism = problem_registry().make(cell.problem).make<double>(minimal);
    return mechanism->chart_size() > 0 ? mechanism->reference_names()
                                       : mechanism->coordinate_names();
  });
}

void check_integration(const Cell& cell) {
  check_divides(cell.h, cell.t_end);
  if (const auto against = against_of(cell)) {
    check_divides({against->h}, cell.t_end);
    if (is_study(cell) || cell.whole("history_every") == 0)
      throw BadInput("'against' needs one run that keeps its history");
  }
}

void add_constraint_measures(const Cell& cell, CellResult& result) {
  if (Formulation::parse(cell.formulation).info.index != 3) return;
  const auto method = method_registry().make(cell.method);
  const auto* form = method->as<RungeKuttaForm>();
  if (!form || !form->block) return;
  const ConstraintBlock pair = constraint_block(*form->block);
  if (!pair.exists) return;
  result.measures["constraint_rho"] = pair.rho;
  result.measures["constraint_coupling"] = pair.coupling;
}

CellResult run_integration(const Cell& cell) {
  const std::vector<std::string> components = reference_components(cell);
  CellResult result = is_study(cell) ? from_study(converge(bind_study(cell)), components)
                                     : from_run(run(run_request(cell)), components);
  if (const auto steps = result.counts.find("steps");
      !is_study(cell) && steps != result.counts.end()) {
    result.counts[sub_steps] = steps->second * method_registry().make(cell.method)->cost_stages();
  }
  add_constraint_measures(cell, result);
  if (against_of(cell)) add_deviation(cell, components, result);
  return result;
}

std::vector<CellMeasure> study_measures() {
  const auto groups = [](const Cell& cell) {
    return std::vector<std::string>{"q", "v", "lambda"} + reference_components(cell);
  };
  return {{"slope_*", "", is_study, groups}, {"paper_order_*_{min,max}", "", is_study, groups}};
}

void add_integration(CellKinds& kinds) {
  CellKind kind;
  kind.id = "integration";
  kind.keys = integration_keys();
  kind.measures = run_measures() + study_measures();
  kind.compute = run_integration;
  kind.commands = [](const Cell& cell) -> Commands { return {integration_command(cell)}; };
  kind.cost = run_cost;
  kind.refusable = true;
  kind.check_more = check_integration;
  kind.uses_more = use_against;
  kind.unused = unused_in_runs();
  kind.reference_times = end_where_errors;
  kinds.add(std::move(kind));
}

MechanicalPtr<double> mechanism_of(const Cell& cell) {
  return problem_registry()
      .make(cell.problem)
      .make<double>(Formulation::parse(cell.formulation).info.minimal);
}

void check_motion(const Cell& cell) {
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

void add_motion(CellKinds& kinds) {
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
  kind.commands = [](const Cell& cell) -> Commands { return {integration_command(run_of(cell))}; };
  kind.cost = run_cost;
  kind.refusable = true;
  kind.check_more = check_motion;
  kind.uses_more = use_against;
  kind.unused = unused_in_runs();
  kind.reference_times = end_where_errors;
  kinds.add(std::move(kind));
}

CellResult run_counted(const Cell& cell) {
  const LuTally tally;
  const CellResult found = from_run(run(run_request(cell)), {});
  CellResult result;
  result.status = found.status, result.why = found.why;
  result.t = found.t, result.seconds = found.seconds;
  const auto steps = static_cast<double>(found.counts.at("steps"));
  const auto a_step = [&](const char* name, double count) {
    result.measures[name] = count / steps;
  };
  const auto count = [&](const char* name) { return static_cast<double>(found.counts.at(name)); };
  result.measures["steps"] = steps;
  a_step("iterations", count("newton_iterations"));
  a_step("residuals", count("residual_evals"));
  a_step("jacobians", count("jacobian_evals"));
  a_step("factorizations", count("factorizations"));
  a_step("lu_pairs", static_cast<double>(tally.pairs));
  result.measures["lu_pairs_iteration"] =
      static_cast<double>(tally.pairs) / count("newton_iterations");
  return result;
}

void add_step_work(CellKinds& kinds) {
  CellKind kind;
  kind.id = "step_work";
  kind.keys = integration_keys();
  kind.measures = {
      {"{steps,iterations,residuals,jacobians,factorizations,lu_pairs,lu_pairs_iteration}", ""}};
  kind.compute = run_counted;
  kind.commands = [](const Cell& cell) -> Commands { return {integration_command(run_of(cell))}; };
  kind.cost = integration_cost;
  kind.keeps_series = false;
  kind.check_more = [](const Cell& cell) {
    kind_of(run_of(cell)).check(run_of(cell));
    if (cell.h.size() != 1) throw BadInput("kind 'step_work' is one run: one h");
  };
  kind.uses_more = use_against;
  kind.unused = unused_in_runs();
  kinds.add(std::move(kind));
}

}  // namespace

void register_integration_cell(CellKinds& kinds) {
  add_integration(kinds), add_motion(kinds), add_step_work(kinds);
}

}  // namespace daemark
