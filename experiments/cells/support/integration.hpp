// Runs and convergence studies as cells: requests made from a cell, results of analysis/run as
// those of a cell.
#pragma once

#include "analysis/run/run.hpp"
#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

/// A count that cells of runs add: steps times the stages of one.
inline constexpr const char* sub_steps = "sub_steps";

/// One step size is a run, several are a convergence study.
inline bool is_study(const Cell& cell) { return cell.h.size() > 1; }

/// The cell as one of kind "integration", with the keys that a run of it has.
Cell run_of(const Cell& cell, const nlohmann::json& more);
Cell run_of(const Cell& cell);  ///< with those it has

RunRequest run_request(const Cell& cell);  ///< throws BadInput on malformed numbers
/// The cell of a run that starts as the problem does and keeps no history.
Cell cell_of(const RunRequest& request);
/// What a run was, from the result of its cell; without history, outputs and events.
RunResult to_run(const CellResult& result);

/// Throws BadInput unless every step divides the time from the problem's start to t_end.
void check_span(const Cell& cell);

/// Whether the steps of a method follow a tolerance: its own parameter tol, or control.tol.
bool takes_tolerance(const std::string& method);
/// The cell with that tolerance; its h is then the spacing of output points.
Cell with_tolerance(Cell cell, const std::string& tol);
std::vector<BoundRun> bind_study(const Cell& cell);

/// `daemark run ...` or `daemark converge ...`, quoted for a shell.
std::string integration_command(const Cell& cell);

/// Steps × stages × coordinates × a factor for the precision: of a run or study, as CellKind::cost.
double integration_cost(const Cell& cell);
/// The same of so many steps.
double cost_of_steps(const Cell& cell, double steps);

/// Of runs with these steps, beside each other: 1/h (ProgressParts).
std::vector<double> run_sizes(const std::vector<std::string>& h);

double two_norm(const std::vector<double>& x);

/// Adds the measures that follow from the history: energy_error_end, and energy_error_quarter1..4,
/// the largest |energy error| in each quarter of [0, t_end].
CellResult from_run(const RunResult& run, const std::vector<std::string>& components);

double number(const std::string& text, const char* key);  ///< throws BadInput naming the key

/// A key of the cell as a number > 0; throws BadInput for others.
double positive(const Cell& cell, const char* key);

/// A series of the result of a run of `cell`. Throws UnknownName that says which key asks for it.
const std::vector<double>& series_of(const Cell& cell, const CellResult& result, const char* key,
                                     const std::string& name);

/// Throws BadInput for names in the key `outputs` that are no outputs of the problem.
void check_outputs(const Cell& cell);

/// Whether the keys displacement and kick are given: the motion starts at (1 + displacement) q and
/// v + kick q, off the constraints.
bool is_displaced(const Cell& cell);
/// That start, computed in S.
template <class S>
InitialState displaced(const Cell& cell);

/// Those that every single run gives at its end (CellKind::measures).
std::vector<CellMeasure> end_measures();

/// Measures slope_q, slope_v, slope_lambda, slope_<component>; the paper's "order"
/// log‖e‖/log h as paper_order_<q|v|lambda|component>_min and _max over the step sizes, and the
/// counts summed over the runs.
CellResult from_study(const ConvergeResult& study, const std::vector<std::string>& components);

}  // namespace daemark
