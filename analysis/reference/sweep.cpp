#include "analysis/reference/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/setup/bound_system.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

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
    motions.push_back(shown(*model.mechanism, model.motion(state), m));
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

int agreement(const Motion& a, const Motion& b, double roundoff, int most) {
  double worst = most;
  const double floor = std::sqrt(std::sqrt(roundoff));
  const auto compare = [&](const std::vector<real50>& x, const std::vector<real50>& y) {
    if (x.size() != y.size()) worst = 0;
    real50 least = 0;
    for (const real50& value : x) least = std::max<real50>(least, abs(value));
    least = least == 0 ? real50(1) : real50(least * real50(floor));
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 difference = abs(x[i] - y[i]);
      const real50 size = std::max<real50>(least, std::max<real50>(abs(x[i]), abs(y[i])));
      if (difference == 0) continue;
      const double digits = -to_double(real50(log10(real50(difference / size))));
      worst = std::isfinite(digits) ? std::min(worst, digits) : 0;
    }
  };
  compare(a.q, b.q);
  compare(a.v, b.v);
  compare(a.lambda, b.lambda);
  return std::max(0, static_cast<int>(std::floor(worst)));
}

}  // namespace daemark
