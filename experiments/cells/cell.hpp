// A cell: one integration (or one study of a method) with everything that decides its result, and
// the result as it is recorded and cached.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"

namespace daemark {

/// What a cell computes: a run or, with several step sizes, a convergence study; the linear
/// analysis of a method (linear_cell.hpp); observed orders over formulations and times
/// (order_cell.hpp); what is proved of a method or of a printed formula (exact_cell.hpp).
enum class CellKind { integration, linear, orders, exact };

/// A run to measure a cell's history against: the same problem and formulation.
struct Against {
  std::string series;     ///< e.g. "v_theta_OF"
  std::string method, h;  ///< empty method: no comparison
  std::map<std::string, std::string> settings;
};

struct Cell {
  CellKind kind = CellKind::integration;
  std::string problem, formulation, method;  ///< calls as text
  std::vector<std::string> h;                ///< one step size: a run; several: a convergence study
  std::string t_end;
  std::string precision = "double";
  std::map<std::string, std::string> settings;
  bool errors = false;                    ///< runs: errors at the end against the reference
  long history_every = 0;                 ///< runs: keep every N-th step end
  bool is_long = false;                   ///< cost class; not part of the identity
  Against against;                        ///< runs with history: deviation.hpp
  std::vector<std::string> x;             ///< linear: abscissae, numbers and lin(a,b,n), log(a,b,n)
  bool region = false;                    ///< linear: also the boundary of the stability region
  std::vector<std::string> formulations;  ///< orders
  std::string erratum;                    ///< exact: "paper/place", or empty
  std::vector<std::string> t_ends;        ///< orders: times at which the errors are measured
  bool is_study() const { return h.size() > 1; }
};

/// The identity as sorted JSON text; calls in their canonical spelling.
std::string canonical(const Cell& cell);
nlohmann::json cell_json(const Cell& cell);

/// The command that reruns it: `daemark run ...` or `daemark converge ...`, quoted for a shell.
std::string command(const Cell& cell);

RunRequest run_request(const Cell& cell);  ///< throws BadInput on malformed numbers
ConvergeRequest converge_request(const Cell& cell);

/// What came out. Series: t, components, v_<component>, lambda_<i>, kinetic, potential, energy,
/// energy_error, the violations (runs with history); h, error_q, error_v, error_lambda,
/// error_<component>, used_q, … (studies). Missing numbers are NaN.
struct CellResult {
  std::string status = "ok", why;
  double t = 0;
  std::vector<std::string> q, v, a, lambda;
  std::map<std::string, double> measures;
  std::map<std::string, long> counts;
  std::map<std::string, std::vector<double>> series;
  double seconds = 0;
  bool ok() const { return status == "ok"; }
};

/// Adds the measures that follow from the history: energy_error_end, and energy_error_quarter1..4,
/// the largest |energy error| in each quarter of [0, t_end].
CellResult from_run(const RunResult& run, const std::vector<std::string>& components);

/// Measures slope_q, slope_v, slope_lambda, slope_<component>; the paper's "order"
/// log‖e‖/log h as paper_order_<q|v|lambda|component>_min and _max over the step sizes, and the
/// counts summed over the runs.
CellResult from_study(const ConvergeResult& study, const std::vector<std::string>& components);

/// Numbers that JSON has no place for are strings: "nan", "inf", "-inf".
nlohmann::json result_json(const CellResult& result, bool with_series, bool with_seconds);
CellResult result_from_json(const nlohmann::json& json);  ///< throws nlohmann's or BadInput

}  // namespace daemark
