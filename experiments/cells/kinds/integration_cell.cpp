// Cells of kind "integration", the one an experiment means where it names none: a run or, with
// several step sizes, a convergence study.
//
// Keys: errors (runs: errors at the end against the reference), history_every (runs: keep every
// N-th step end), against (a run to measure the history against, deviation.hpp). Block methods on
// index 3 get the measures constraint_rho and constraint_coupling beside those of the run.
#include "analysis/setup/bound_run.hpp"
#include "base/program/once.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/constraint_block.hpp"
#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/integration_keys.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

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

void check(const Cell& cell) {
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

}  // namespace

void register_integration_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "integration";
  kind.keys = integration_keys();
  kind.measures = run_measures() + study_measures();
  kind.compute = run_integration;
  kind.command = integration_command;
  kind.cost = run_cost;
  kind.refusable = true;
  kind.check_more = check;
  kind.uses_more = use_against;
  kind.unused = unused_in_runs();
  kind.reference_times = end_where_errors;
  kinds.add(std::move(kind));
}

}  // namespace daemark
