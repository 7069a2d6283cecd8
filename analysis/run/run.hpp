// One integration: a cell of an experiment or a `daemark run`.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/run/event.hpp"
#include "analysis/run/slope_fit.hpp"
#include "analysis/setup/bound_run.hpp"

namespace daemark {

struct BoundRun;  // analysis/setup/bound_run.hpp
struct Problem;

/// Time histories at (thinned) step ends, in double.
struct History {
  std::vector<double> t;
  std::vector<std::vector<double>> q, v, lambda;         ///< one row per time
  std::vector<double> kinetic, potential, energy_error;  ///< [J]
  std::vector<std::vector<double>> outputs;              ///< in the order of the problem's names
  std::vector<double> position_violation, velocity_violation, acceleration_violation;
};

struct RunResult {
  /// "ok", "newton_diverged", "singular_matrix", "not_finite", "step_limit"; "no_event": the event
  /// that should end the run did not occur; "timed_out": stopped (base/program/stop.hpp);
  /// "no_reference": errors could not be measured.
  std::string status;
  std::string why;                           ///< one sentence; empty when ok
  double t = 0;                              ///< time reached [s]
  std::vector<std::string> q, v, a, lambda;  ///< full digits of the precision, at time t
  std::map<std::string, double> outputs;     ///< quantities the problem names, at time t
  std::map<std::string, double> measures;    ///< energy_error_max, position_violation_max, ...
  /// steps, newton_iterations, residual_evals, jacobian_evals, factorizations, floor_stops; further
  /// ones where steps are chosen
  std::map<std::string, long> counts;
  std::vector<std::string> warnings;  ///< analysis/run/run_warnings.hpp, where asked for
  std::vector<EventFound> events;     ///< in the order of time
  double seconds = 0;  ///< wall time of the integration alone, 0 if not timed; not in records
  History history;
};

/// Throws BadInput where the problem does not exist in the precision, the initial state is not
/// consistent or the history does not fit into memory; numerical failure is a status.
RunResult run(const BoundRun& run);
/// Validates the request first; throws BadInput also where that fails.
RunResult run(const RunRequest& request);

/// Values for an observer, at the start and at every output point.
struct OutputSample {
  double t;
  const std::vector<double>& outputs;  ///< in the order of the problem's names
  double energy_error;                 ///< [J]
};
using StepObserver = std::function<void(const OutputSample&)>;

/// As run(), and `observer` sees every output point.
RunResult watched_run(const BoundRun& run, const StepObserver& observer);

/// The results of runs (at least one) that differ only in their end times: by one integration if
/// these ascend, nothing is timed, no history is recorded and the method has no loop of its own.
std::vector<RunResult> run_together(const std::vector<BoundRun>& runs);

/// How a study gets the results, in order, of runs that differ only in their end times.
using RunTogether = std::function<std::vector<RunResult>(const std::vector<BoundRun>&)>;

/// Number of rows of the history that a run records, the start included.
long history_rows(const BoundRun& run);

/// q, v, λ: the order of all triples, and the names in JSON and records.
inline constexpr std::array<const char*, 3> motion_parts = {"q", "v", "lambda"};

struct ConvergeResult {
  std::vector<double> h;                     ///< as asked; the others below belong to them
  std::vector<std::string> status;           ///< "not_run" where enough was known before
  std::array<std::vector<double>, 3> error;  ///< 2-norms of q, v, λ; NaN where a run failed
  std::vector<std::vector<double>> component_error_q;  ///< [step size][component], absolute
  std::vector<RunResult> runs;                         ///< without histories
  std::array<SlopeFit, 3> fit;  ///< of q, v, λ: slopes over the asymptotic range
  std::vector<double> component_slope_q;
  int reference_digits = 0;  ///< on which the routes of the reference agree; 0: no run came so far
};

/// The runs of a convergence study: one for each h (in place of that of the request), untimed and
/// with errors; of a given problem or of the one the request names. Throws BadInput for what cannot
/// be run, before the first run.
std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h);
std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h,
                                 const Problem& problem);

/// Errors at t_end against the reference of the problem. enough_points > 0: from coarse to fine,
/// until the slopes of q, v and λ use that many points each.
ConvergeResult converge(const std::vector<BoundRun>& runs, int enough_points = 0);
/// The same at several times in place of t_end. They share their integrations, unless `together`
/// provides the results in another way.
std::vector<ConvergeResult> converge(const std::vector<BoundRun>& runs,
                                     const std::vector<Expression>& t_ends, int enough_points = 0,
                                     const RunTogether& together = run_together);

struct ProjectedState {
  InitialState state;                               ///< consistent, full digits of the precision
  double position_before = 0, velocity_before = 0;  ///< largest violations as given
  double moved_q = 0, moved_v = 0;  ///< 2-norms of the changes, in the units of q and v
};

/// The nearest consistent positions, then the nearest velocities, in the metric of M
/// (methods/projection/least_change.hpp), of run.request.initial, which must be given. Throws
/// BadInput where the sizes are wrong or no state on the constraints is found near it.
ProjectedState project_state(const BoundRun& run);

}  // namespace daemark
