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
  /// "ok", "no_event" where one that was to end the run did not come, "newton_diverged",
  /// "singular_matrix", "not_finite", "step_limit"; "timed_out" where the work was stopped
  /// (base/program/stop.hpp), "no_reference" where errors could not be measured.
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
/// Of a request that is bound here. Throws BadInput as binding does, too.
RunResult run(const RunRequest& request);

/// What is shown at the start and at every output point.
struct OutputSample {
  double t;
  const std::vector<double>& outputs;  ///< in the order of the problem's names
  double energy_error;                 ///< [J]
};
using StepObserver = std::function<void(const OutputSample&)>;

/// As run(), and `observer` sees every output point.
RunResult watched_run(const BoundRun& run, const StepObserver& observer);

/// The results of runs, not empty, that differ in their ends alone: by one integration where these
/// ascend, nothing is timed, no history is kept and the method does not own its loop.
std::vector<RunResult> run_together(const std::vector<BoundRun>& runs);

/// How a study gets the results of runs that differ in their ends alone, in their order.
using RunTogether = std::function<std::vector<RunResult>(const std::vector<BoundRun>&)>;

/// Rows of the history that a run records, the start among them.
long history_rows(const BoundRun& run);

/// q, v, λ, in this order wherever there is something of each; as JSON and records name them.
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

/// The runs of a convergence study: one for each h, in place of that of the request, with errors
/// and untimed; of a problem made already or of the one that is named. Throws BadInput for whatever
/// cannot be run, before anything runs.
std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h);
std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h,
                                 const Problem& problem);

/// Errors at t_end against the reference of the problem. enough_points > 0: coarse to fine, no
/// further once the slopes of q, v and λ rest on that many points each.
ConvergeResult converge(const std::vector<BoundRun>& runs, int enough_points = 0);
/// The same at several times, in place of t_end; they share their integrations, unless `together`
/// has their results otherwise.
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
