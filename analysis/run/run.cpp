#include "analysis/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/reference/reference.hpp"
#include "analysis/run/measures.hpp"
#include "analysis/run/run_warnings.hpp"
#include "base/program/process.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "methods/loop/integrator.hpp"

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;

/// Time spent in the integration, by a clock that stands still while states are observed.
class Stopwatch {
 public:
  explicit Stopwatch(bool used) : used_(used) {}
  void start() {
    if (used_) begin_ = Clock::now();
  }
  void stop() {
    if (used_) total_ += Clock::now() - begin_;
  }
  double seconds() const { return std::chrono::duration<double>(total_).count(); }

 private:
  bool used_;
  Clock::time_point begin_;
  Clock::duration total_{};
};

/// Integrates once; `observer(state)` at every output point, until it returns false. Returns the
/// last report. Throws Stopped.
template <class S, class Observer>
StepReport integrate(Integrator<S>& integrator, long points, Stopwatch& watch,
                     Observer&& observer) {
  for (long i = 0; i < points; ++i) {
    checkpoint();
    tell_progress("integration", static_cast<double>(i) / static_cast<double>(points));
    watch.start();
    const StepReport report = integrator.advance();
    watch.stop();
    if (report.status != Status::ok) return report;
    if (!observer(integrator.state())) break;
  }
  return {};
}

template <class S>
OutputPoints<S> output_points(const BoundRun& run) {
  return {from_wide<S>(run.t_start), from_wide<S>(run.h), run.steps};
}

/// The least time of `repeat` runs that are not measured.
template <class S>
double time_integration(const BoundRun& run, BoundSystem<S>& model, const State<S>& initial,
                        int repeat) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeat; ++i) {
    const auto integrator = make_integrator(*run.method, model.target(), run.settings);
    Stopwatch whole(true), unused(false);
    whole.start();
    integrator->start(initial, output_points<S>(run));
    integrate(*integrator, run.steps, unused, [](const State<S>&) { return true; });
    whole.stop();
    const double own = integrator->own_seconds();
    best = std::min(best, own > 0 ? own : whole.seconds());
  }
  return best;
}

template <class S>
void write_state(const BoundSystem<S>& model, const State<S>& state, RunResult& result) {
  const int n = model.mechanism->coordinates(), m = model.mechanism->constraints();
  const auto [q, v] = shown_motion(*model.mechanism, model.motion(state));
  const auto text = [](const S& x) { return full_digits(S(x + S(0))); };  // no -0
  for (const S& x : q) result.q.push_back(text(x));
  for (const S& x : v) result.v.push_back(text(x));
  for (int i = 0; i < n; ++i) result.a.push_back(text(state.rate[n + i]));
  for (int i = 0; i < m; ++i) result.lambda.push_back(text(state.y[2 * n + i]));
  result.outputs = output_values(*model.mechanism, model.motion(state));
  result.t = to_double(state.t);
}

template <class S>
void write_errors(const BoundRun& run, const BoundSystem<S>& model, const State<S>& state,
                  RunResult& result) {
  const ReferenceState reference =
      reference_states(run.problem, {run.request.t_end.text()}, digits_for_errors(precision_of<S>))
          .front();
  for (const auto& [name, error] : errors_against(reference, model, state))
    result.measures[name] = error;
}

/// Before anything runs: a history that is kept must fit.
template <class S>
void check_history(const BoundRun& run, const MechanicalSystem<S>& mechanism) {
  if (run.request.history_sink) return;
  constexpr int times_and_energies = 7;
  constexpr double bytes_a_row = 160;  // of the vectors that hold them
  const int numbers = 2 * mechanism.reference_coordinates() + mechanism.constraints() +
                      static_cast<int>(mechanism.outputs().size()) + times_and_energies;
  const long rows = history_rows(run);
  require_memory(static_cast<double>(rows) * (bytes_a_row + 8.0 * numbers),
                 fmt::format("a history of {} rows", rows),
                 "a larger step, a smaller span, or fewer rows");
}

std::map<std::string, long> counts_of(const BoundRun& run, const Counts& c) {
  std::map<std::string, long> counts = {{"steps", c.steps},
                                        {"newton_iterations", c.newton_iterations},
                                        {"residual_evals", c.residual_evals},
                                        {"jacobian_evals", c.jacobian_evals},
                                        {"factorizations", c.factorizations},
                                        {"floor_stops", c.floor_stops}};
  const bool own_loop = run.method->owns_loop();
  if (run.settings.control.on() || run.settings.retry > 0 || own_loop)
    counts["rejected_steps"] = c.rejected_steps;
  if (c.inner_sweeps > 0) {
    counts["multiplier_iterations"] = c.multiplier_iterations;
    counts["inner_sweeps"] = c.inner_sweeps;
  }
  if (c.inner_sweeps > 0 || own_loop) counts["failed_solves"] = c.failed_solves;
  return counts;
}

/// What is known at `end`: of `run`, where it failed, or at an event.
template <class S>
RunResult outcome(const BoundRun& run, const BoundSystem<S>& model, const Integrator<S>& integrator,
                  const State<S>& end, const Measures<S>& measures, const StepReport& report,
                  bool in_time) {
  RunResult result;
  result.status = in_time ? status_name(report.status) : "timed_out";
  if (result.status != "ok")
    result.why = fmt::format("{} in the step from t = {:.6g}", in_time ? report.why : "out of time",
                             to_double(end.t));
  write_state(model, end, result);
  measures.write(result.measures);
  result.counts = counts_of(run, integrator.counts());
  const bool at_end = &end == &integrator.state();
  if (!run.request.errors || result.status != "ok" || !at_end) return result;
  try {
    write_errors(run, model, end, result);
  } catch (const NoReference& failure) {
    result.status = "no_reference";
    result.why = failure.what();
  }
  return result;
}

/// Those that were found; one that could not be located, or was to end the run and did not come, is
/// a status of its own.
template <class S>
void report_events(const RunRequest& request, const EventSearch<S>& events, RunResult& result,
                   bool ended) {
  result.events = events.found();
  if (ended || result.status != "ok") return;
  if (!events.failure().empty()) {
    result.status = "no_event", result.why = events.failure();
    return;
  }
  for (const EventRequest& event : request.events)
    if (event.ends) {
      result.status = "no_event";
      result.why = fmt::format("{} did not come before t = {:.6g}", event.text, result.t);
    }
}

/// Runs that differ in their ends, which ascend, by one integration. A failure is that of all runs
/// it comes before the end of.
template <class S>
class SharedIntegration {
 public:
  SharedIntegration(const std::vector<const BoundRun*>& runs, const StepObserver& show)
      : runs_(runs),
        show_(show),
        longest_(*runs.back()),
        model_(longest_),
        initial_(initial_state(longest_, model_)),
        integrator_(make_integrator(*longest_.method, model_.target(), longest_.settings)),
        measures_(*model_.mechanism, request().violation_norm),
        watch_(request().repeat > 0) {
    check_history(longest_, *model_.mechanism);
  }

  /// One a run. Throws Stopped where somebody interrupts.
  std::vector<RunResult> results() {
    begin();
    StepReport report;
    bool in_time = true;
    try {
      report = integrate(*integrator_, longest_.steps, watch_,
                         [this](const State<S>& reached) { return observe(reached); });
    } catch (const Stopped& stopped) {  // out of time: what there is
      if (stopped.cause != StopCause::timed_out) throw;
      in_time = false;
    }
    while (results_.size() < runs_.size()) finish_next(report, in_time);
    RunResult& last = results_.back();
    if (warnings_) last.warnings = warnings_->texts();
    last.history = std::move(history_);
    const double own = integrator_->own_seconds();
    last.seconds = own > 0 ? own : watch_.seconds();
    if (events_) report_events(request(), *events_, last, ended_.has_value());
    if (request().repeat > 1 && in_time && !ended_)
      last.seconds = std::min(last.seconds,
                              time_integration(longest_, model_, initial_, request().repeat - 1));
    return std::move(results_);
  }

 private:
  const RunRequest& request() const { return longest_.request; }

  void begin() {
    watch_.start();
    integrator_->start(initial_, output_points<S>(longest_));
    watch_.stop();
    measures_.observe(initial_);
    if (request().warnings) warnings_.emplace(*model_.mechanism).observe(initial_);
    if (measures_.needs_steps())
      integrator_->watch_steps([this](const State<S>& end) {
        watch_.stop();
        measures_.step(end);
        watch_.start();
      });
    if (!request().events.empty()) events_.emplace(longest_, model_, initial_);
    if (request().history_every > 0) record(initial_);
    if (show_) show_(measures_.sample(initial_));
  }
  /// An output point; false at an event that ends the run.
  bool observe(const State<S>& reached) {
    if (events_) ended_ = events_->observe(reached);
    const State<S>& state = ended_ ? *ended_ : reached;
    measures_.observe(state);
    if (warnings_) warnings_->observe(state);
    if (show_) show_(measures_.sample(state));
    ++step_;
    const long every = request().history_every;
    if (every > 0 && (step_ % every == 0 || ended_ || step_ == longest_.steps)) record(state);
    if (results_.size() + 1 < runs_.size() && step_ == runs_[results_.size()]->steps)
      finish_next({}, true);
    return !ended_;
  }
  void record(const State<S>& state) {
    measures_.append_to(history_, state);
    if (!request().history_sink) return;
    request().history_sink(history_);
    history_ = {};
  }
  void finish_next(const StepReport& report, bool in_time) {
    results_.push_back(outcome(*runs_[results_.size()], model_, *integrator_,
                               ended_ ? *ended_ : integrator_->state(), measures_, report,
                               in_time));
  }

  const std::vector<const BoundRun*>& runs_;
  const StepObserver& show_;
  const BoundRun& longest_;
  BoundSystem<S> model_;
  State<S> initial_;
  std::unique_ptr<Integrator<S>> integrator_;
  Measures<S> measures_;
  Stopwatch watch_;
  std::optional<RunWarnings<S>> warnings_;
  std::optional<EventSearch<S>> events_;
  std::optional<State<S>> ended_;  ///< at an event
  History history_;
  long step_ = 0;
  std::vector<RunResult> results_;
};

/// In a handler: of a run that was out of time before it began; an interrupt goes on.
RunResult set_up_only(const Stopped& stopped, const wide& start) {
  if (stopped.cause != StopCause::timed_out) throw;
  RunResult nothing;
  nothing.status = "timed_out", nothing.why = "out of time before the first step";
  nothing.t = to_double(start);
  return nothing;
}

std::vector<RunResult> integrate_once(const std::vector<const BoundRun*>& runs,
                                      const StepObserver& observer) {
  try {
    return with_scalar(runs.back()->request.precision,
                       [&]<class S>() { return SharedIntegration<S>(runs, observer).results(); });
  } catch (const Stopped& stopped) {
    return std::vector<RunResult>(runs.size(), set_up_only(stopped, runs.front()->t_start));
  }
}

}  // namespace

long history_rows(const BoundRun& run) {
  const long every = run.request.history_every;
  return every > 0 ? 1 + (run.steps + every - 1) / every : 0;
}

RunResult watched_run(const BoundRun& run, const StepObserver& observer) {
  if (run.request.repeat < 0)
    throw BadInput(
        fmt::format("repeat = {} is not accepted: 0 (not timed) or more", run.request.repeat));
  return std::move(integrate_once({&run}, observer).back());
}

RunResult run(const BoundRun& run) { return watched_run(run, nullptr); }
RunResult run(const RunRequest& request) {
  try {
    return run(BoundRun(request));
  } catch (const Stopped& stopped) {
    return set_up_only(stopped, 0);  // not even the problem was made
  }
}

std::vector<RunResult> run_together(const std::vector<BoundRun>& runs) {
  const BoundRun& any = runs.front();
  const bool together =
      any.request.history_every == 0 && any.request.repeat == 0 && !any.method->owns_loop() &&
      std::is_sorted(runs.begin(), runs.end(),
                     [](const BoundRun& a, const BoundRun& b) { return a.steps < b.steps; });
  std::vector<RunResult> results;
  if (!together) {
    for (const BoundRun& one : runs) results.push_back(run(one));
    return results;
  }
  std::vector<const BoundRun*> all;
  for (const BoundRun& one : runs) all.push_back(&one);
  return integrate_once(all, nullptr);
}

}  // namespace daemark
