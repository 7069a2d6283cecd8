#include "analysis/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/reference/reference.hpp"
#include "analysis/run/measures.hpp"
#include "analysis/run/watched_run.hpp"
#include "analysis/setup/cell_setup.hpp"
#include "base/program/memory.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "methods/catalogue/registry.hpp"
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

/// Integrates once; `observer(state)` at every output point. Returns the last report. Throws
/// Stopped.
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
    observer(integrator.state());
  }
  return {};
}

template <class S>
OutputPoints<S> output_points(const CellSetup& setup) {
  return {from_wide<S>(setup.t_start), from_wide<S>(setup.h), setup.steps};
}

/// The least time of `repeat` runs that are not measured.
template <class S>
double time_integration(const CellSetup& setup, CellSystem<S>& cell, const State<S>& initial,
                        int repeat) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeat; ++i) {
    const auto integrator = make_integrator(*setup.method, cell.target(), setup.settings);
    Stopwatch whole(true), unused(false);
    whole.start();
    integrator->start(initial, output_points<S>(setup));
    integrate(*integrator, setup.steps, unused, [](const State<S>&) {});
    whole.stop();
    best = std::min(best, whole.seconds());
  }
  return best;
}

template <class S>
void write_state(const CellSystem<S>& cell, const State<S>& state, RunResult& result) {
  const int n = cell.mechanism->coordinates(), m = cell.mechanism->constraints();
  const auto [q, v] = shown_motion(*cell.mechanism, cell.motion(state));
  const auto text = [](const S& x) { return full_digits(S(x + S(0))); };  // no -0
  for (const S& x : q) result.q.push_back(text(x));
  for (const S& x : v) result.v.push_back(text(x));
  for (int i = 0; i < n; ++i) result.a.push_back(text(state.rate[n + i]));
  for (int i = 0; i < m; ++i) result.lambda.push_back(text(state.y[2 * n + i]));
  result.outputs = output_values(*cell.mechanism, cell.motion(state));
  result.t = to_double(state.t);
}

/// 2-norms against the reference, in its coordinates; λ where both have the same multipliers.
template <class S>
void write_errors(const CellSetup& setup, const CellSystem<S>& cell, const State<S>& state,
                  const std::string& t_end, RunResult& result) {
  const ReferenceState reference =
      reference_states(setup.problem.name, {t_end}, digits_for_errors(scalar_name<S>())).front();
  const int n = cell.mechanism->coordinates(), m = cell.mechanism->constraints(),
            n_ref = cell.mechanism->reference_coordinates();
  std::vector<S> q(n_ref), v(n_ref);
  cell.mechanism->to_reference(cell.motion(state), q.data(), v.data());
  const auto distance = [](const auto* x, const std::vector<real50>& y) {
    real50 sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const real50 d = real50(x[i]) - y[i];
      sum += d * d;
    }
    return to_double(real50(sqrt(sum)));
  };
  const std::vector<real50> position(q.begin(), q.end()), zero(n_ref, real50(0));
  std::vector<real50> apart(n_ref);
  cell.mechanism->reference_difference(position.data(), reference.q.data(), apart.data());
  result.measures["error_q"] = distance(apart.data(), zero);
  result.measures["error_v"] = distance(v.data(), reference.v);
  for (int i = 0; i < n_ref; ++i)
    result.measures[fmt::format("error_q_{}", i)] = std::abs(to_double(apart[i]));
  if (m > 0 && m == static_cast<int>(reference.lambda.size()))
    result.measures["error_lambda"] = distance(state.y.data() + 2 * n, reference.lambda);
}

long history_rows(const RunRequest& request, long steps) {
  const long every = request.history_every;
  return every > 0 ? 1 + (steps + every - 1) / every : 0;
}

/// Before anything runs: a history that is kept must fit.
void check_history(const RunRequest& request, long steps, int numbers) {
  if (request.history_sink) return;
  constexpr double bytes_a_row = 160;  // of the vectors that hold them
  const long rows = history_rows(request, steps);
  require_memory(static_cast<double>(rows) * (bytes_a_row + 8.0 * numbers),
                 fmt::format("a history of {} rows", rows),
                 "a larger step, a smaller span, or fewer rows");
}

/// What is known at the integrator's state; `t_end`: of the request, or an earlier stop.
template <class S>
RunResult outcome(const RunRequest& request, const CellSetup& setup, const CellSystem<S>& cell,
                  const Integrator<S>& integrator, const Measures<S>& measures,
                  const std::string& t_end, const StepReport& report, bool in_time) {
  RunResult result;
  const State<S>& end = integrator.state();
  result.status = in_time ? status_name(report.status) : "timed_out";
  if (result.status != "ok")
    result.why = fmt::format("{} in the step from t = {:.6g}", in_time ? report.why : "out of time",
                             to_double(end.t));
  write_state(cell, end, result);
  measures.write(result.measures);
  const Counts& c = integrator.counts();
  result.counts = {{"steps", c.steps},
                   {"newton_iterations", c.newton_iterations},
                   {"residual_evals", c.residual_evals},
                   {"jacobian_evals", c.jacobian_evals},
                   {"factorizations", c.factorizations},
                   {"floor_stops", c.floor_stops}};
  if (setup.settings.control.on() || setup.settings.retry > 0 || setup.method->owns_loop())
    result.counts["rejected_steps"] = c.rejected_steps;
  if (c.inner_sweeps > 0) {
    result.counts["multiplier_iterations"] = c.multiplier_iterations;
    result.counts["inner_sweeps"] = c.inner_sweeps;
  }
  if (c.inner_sweeps > 0 || setup.method->owns_loop())
    result.counts["failed_solves"] = c.failed_solves;
  if (!request.errors || result.status != "ok") return result;
  try {
    write_errors(setup, cell, end, t_end, result);
  } catch (const NoReference& failure) {
    result.status = "no_reference";
    result.why = failure.what();
  }
  return result;
}

/// A time at which the outcome is wanted, after so many output points.
struct Stop {
  std::string t_end;
  long points;
};

/// One outcome a stop; the last stop is the end. A failure is that of all stops it comes before.
template <class S>
std::vector<RunResult> run_in(const RunRequest& request, const CellSetup& setup,
                              const std::vector<Stop>& stops, const StepObserver& show) {
  CellSystem<S> cell(setup);
  const State<S> initial = initial_state(setup, cell, request.initial);
  const auto integrator = make_integrator(*setup.method, cell.target(), setup.settings);
  constexpr int times_and_energies = 7;
  check_history(request, setup.steps,
                2 * cell.mechanism->reference_coordinates() + cell.mechanism->constraints() +
                    static_cast<int>(cell.mechanism->outputs().size()) + times_and_energies);
  std::vector<RunResult> results;
  History history;
  Measures<S> measures(*cell.mechanism, request.violation_norm);
  Stopwatch watch(request.repeat > 0);
  watch.start();
  integrator->start(initial, output_points<S>(setup));
  watch.stop();
  measures.observe(initial);
  const auto record = [&](const State<S>& state) {
    measures.append_to(history, state);
    if (!request.history_sink) return;
    request.history_sink(history);
    history = {};
  };
  const auto stop_here = [&](const StepReport& report, bool in_time) {
    results.push_back(outcome(request, setup, cell, *integrator, measures,
                              stops[results.size()].t_end, report, in_time));
  };
  if (request.history_every > 0) record(initial);
  if (show) show(measures.sample(initial));
  long step = 0;
  const auto observe = [&](const State<S>& state) {
    measures.observe(state);
    if (show) show(measures.sample(state));
    ++step;
    if (request.history_every > 0 && (step % request.history_every == 0 || step == setup.steps))
      record(state);
    if (results.size() + 1 < stops.size() && step == stops[results.size()].points)
      stop_here({}, true);
  };
  StepReport report;
  bool in_time = true;
  try {
    report = integrate(*integrator, setup.steps, watch, observe);
  } catch (const Stopped& stopped) {  // out of time: what there is; interrupted: nobody asks for it
    if (stopped.cause != StopCause::timed_out) throw;
    in_time = false;
  }
  while (results.size() < stops.size()) stop_here(report, in_time);
  RunResult& last = results.back();
  last.history = std::move(history);
  last.seconds = watch.seconds();
  if (request.repeat > 1 && in_time)
    last.seconds =
        std::min(last.seconds, time_integration(setup, cell, initial, request.repeat - 1));
  return results;
}

std::vector<RunResult> run_to(const RunRequest& request, const std::vector<Stop>& stops,
                              const StepObserver& observer) {
  const CellSetup setup(request);
  if (request.precision == "quad") return run_in<quad>(request, setup, stops, observer);
  if (request.precision == "real50") return run_in<real50>(request, setup, stops, observer);
  return run_in<double>(request, setup, stops, observer);
}

}  // namespace

long history_rows(const RunRequest& request) {
  return history_rows(request, CellSetup(request).steps);
}

RunResult watched_run(const RunRequest& request, const StepObserver& observer) {
  if (request.repeat < 0)
    throw BadInput(
        fmt::format("repeat = {} is not accepted: 0 (not timed) or more", request.repeat));
  return std::move(run_to(request, {{request.t_end.text(), 0}}, observer).back());
}

RunResult run(const RunRequest& request) { return watched_run(request, nullptr); }

std::vector<RunResult> run_through(const RunRequest& request, const std::vector<Expression>& ends) {
  std::vector<RunRequest> each(ends.size(), request);
  std::vector<Stop> stops;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    each[i].t_end = ends[i];
    stops.push_back({ends[i].text(), CellSetup(each[i]).steps});
  }
  const bool together =
      request.history_every == 0 && request.repeat == 0 &&
      !method_registry().make(request.method)->owns_loop() &&
      std::is_sorted(stops.begin(), stops.end(),
                     [](const Stop& a, const Stop& b) { return a.points < b.points; });
  if (together) return run_to(each.back(), stops, nullptr);
  std::vector<RunResult> results;
  for (const RunRequest& one : each) results.push_back(run(one));
  return results;
}

}  // namespace daemark
