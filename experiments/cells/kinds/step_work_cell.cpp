// Cells of kind "step_work": what a step of a run costs, in work that is the same on every machine.
//
// Measures, each a step: iterations (of Newton), residuals, jacobians, factorizations, lu_pairs
// (multiply-subtract pairs in sparse factorisations and solves; dense null-space forms have none).
// And lu_pairs_iteration, the same over the iterations, and steps.
#include "base/linear/lu_tally.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/integration_keys.hpp"

namespace daemark {
namespace {

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

}  // namespace

void register_step_work_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "step_work";
  kind.keys = integration_keys();
  kind.measures = {
      {"{steps,iterations,residuals,jacobians,factorizations,lu_pairs,lu_pairs_iteration}", ""}};
  kind.compute = run_counted;
  kind.command = [](const Cell& cell) { return integration_command(run_of(cell)); };
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

}  // namespace daemark
