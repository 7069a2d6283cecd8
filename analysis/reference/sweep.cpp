#include "analysis/reference/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/setup/bound_system.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

/// With the multipliers that follow from q and v: those of the step are of a lower order.
template <class S>
State<S> of_state(const BoundSystem<S>& model, State<S> state) {
  const State<S> own = state;
  const bool regular =
      model.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
  return regular ? state : own;
}

template <class S>
std::vector<Motion> sweep_in(const BoundRun& run, const std::vector<Expression>& times,
                             long total_steps, std::vector<long>& steps) {
  BoundSystem<S> model(run);
  const int m = model.mechanism->constraints();
  State<S> state = initial_state(run, model);
  std::vector<Motion> motions;
  steps.clear();
  for (const Expression& time : times) {
    const S length = time.eval<S>() - state.t;
    constexpr long least = 4;
    const S span = times.back().eval<S>() - from_wide<S>(run.t_start);
    const double share = to_double(S(length / span));
    const long count = std::max(least, std::lround(std::ceil(share * total_steps)));
    steps.push_back(count + (steps.empty() ? 0 : steps.back()));
    const auto stepper = run.method->stepper(model.target(), run.settings);
    stepper->start(state, S(length / count));
    for (long i = 0; i < count; ++i) {
      checkpoint();
      tell_progress("second route", static_cast<double>(steps.back() - count + i) / total_steps);
      if (stepper->step().status != Status::ok) return motions;
    }
    state = stepper->state();
    motions.push_back(shown(*model.mechanism, model.motion(of_state(model, state)), m));
  }
  return motions;
}

template <class S>
Motion start_in(const BoundRun& run, int nudge) {
  BoundSystem<S> model(run);
  State<S> state = initial_state(run, model);
  const int n = model.mechanism->coordinates();
  const S factor = S(1) + S(nudge) * S(unit_roundoff<S>());
  for (int i = 0; i < 2 * n; ++i) state.y[i] *= factor;
  if (nudge != 0)
    model.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
  return shown(*model.mechanism, model.motion(state), model.mechanism->constraints());
}

}  // namespace

BoundRun bind_route(const Problem& problem, const SweepRoute& route, const Expression& end) {
  RunRequest request;
  request.problem = problem.name;
  request.formulation = route.formulation, request.method = route.method;
  request.precision = route.precision, request.settings = route.settings;
  request.settings.emplace("newton.tol", "strict");
  request.t_end = end;  // one step long: steps are made by the sweep
  request.h = problem.start.is_rational() && problem.start.as_rational() == 0
                  ? end
                  : Expression::parse(fmt::format("({})-({})", end.text(), problem.start.text()),
                                      "reference");
  return {std::move(request), problem};
}

std::vector<Motion> sweep(const BoundRun& run, const std::vector<Expression>& times,
                          long total_steps, std::vector<long>& steps) {
  return with_scalar(run.request.precision,
                     [&]<class S>() { return sweep_in<S>(run, times, total_steps, steps); });
}

ProgressShare SweepShares::next(double work, double later) {
  const double whole = done_ + work + later, from = done_ / whole;
  done_ += work;
  return {from, done_ / whole};
}

Motion start_of_motion(const BoundRun& run, int nudge) {
  return with_scalar(run.request.precision, [&]<class S>() { return start_in<S>(run, nudge); });
}

}  // namespace daemark
