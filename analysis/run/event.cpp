#include "analysis/run/event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>

#include "analysis/run/measures.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "methods/loop/integrator.hpp"

namespace daemark {

namespace {

template <class S>
S absolute(const S& x) {
  return x < S(0) ? S(-x) : x;
}

}  // namespace

template <class S>
EventSearch<S>::EventSearch(const BoundRun& run, BoundSystem<S>& model, const State<S>& initial)
    : run_(run), model_(model) {
  for (const EventRequest& request : run.request.events) {
    events_.push_back(watched(request));
    events_.back().since = initial;
    events_.back().last = distance(events_.back(), initial);
  }
}

template <class S>
typename EventSearch<S>::Watched EventSearch<S>::watched(const EventRequest& request) const {
  const MechanicalSystem<S>& mechanism = *model_.mechanism;
  std::vector<std::string> positions = mechanism.chart_size() > 0 ? mechanism.reference_names()
                                                                  : mechanism.coordinate_names(),
                           all;
  Watched event{request, Kind::position, 0, {}, {}, {}};
  event.target =
      from_wide<S>(request.value.template eval<wide>({{"pi", boost::math::constants::pi<wide>()}}));
  bool is_known = false;
  const auto look = [&](Kind kind, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      all.push_back(names[i]);
      if (is_known || names[i] != request.quantity) continue;
      is_known = true, event.kind = kind, event.index = i;
    }
  };
  std::vector<std::string> velocities, outputs;
  for (const std::string& name : positions) velocities.push_back("v_" + name);
  for (const OutputInfo& output : mechanism.outputs()) outputs.push_back(output.id);
  look(Kind::output, outputs);
  look(Kind::position, positions);
  look(Kind::velocity, velocities);
  look(Kind::multiplier, mechanism.constraint_names());
  if (is_known) return event;
  throw BadInput(fmt::format(
      "event {}: {} has no quantity '{}'{}", in_quotes(request.text), run_.problem.name,
      printable(request.quantity),
      accepted_names(request.quantity, all, "daemark show '" + run_.problem.name + "'")));
}

template <class S>
S EventSearch<S>::distance(const Watched& event, const State<S>& at) const {
  const MechanicalSystem<S>& mechanism = *model_.mechanism;
  const MotionPoint<S> point = model_.motion(at);
  if (event.kind == Kind::multiplier)
    return at.y[2 * mechanism.coordinates() + event.index] - event.target;
  if (event.kind == Kind::output) {
    std::vector<S> values(mechanism.outputs().size());
    model_.mechanism->output_values(point, values.data());
    return values[event.index] - event.target;
  }
  const auto [q, v] = shown_motion(mechanism, point);
  return (event.kind == Kind::position ? q : v)[event.index] - event.target;
}

/// The state at t, integrated from an earlier one in one interval.
template <class S>
StepReport EventSearch<S>::reach(const State<S>& from, const S& t, State<S>& there) const {
  const auto integrator = make_integrator(*run_.method, model_.target(), run_.settings);
  integrator->start(from, {from.t, t - from.t, 1});
  const StepReport report = integrator->advance();
  there = integrator->state();
  return report;
}

/// By the Illinois variant of regula falsi, in which neither end stays for ever; none where an
/// integration to a point of it fails.
template <class S>
std::optional<State<S>> EventSearch<S>::root(const Watched& event, const State<S>& to, S at_end) {
  constexpr int most = 60;
  const S tolerance = S(8 * unit_roundoff<S>()) * (absolute(to.t) + (to.t - event.since.t));
  S a = event.since.t, b = to.t, at_a = event.last, at_b = at_end, last = b;
  State<S> best = to;
  int side = 0;
  for (int i = 0; i < most && b - a > tolerance; ++i) {
    S t = b - at_b * (b - a) / (at_b - at_a);
    if (!(t > a) || !(t < b)) t = (a + b) / S(2);
    if (const StepReport report = reach(event.since, t, best); report.status != Status::ok) {
      failure_ =
          fmt::format("{} between t = {:.6g} and {:.6g} could not be located: {}",
                      event.request.text, to_double(event.since.t), to_double(to.t), report.why);
      return std::nullopt;
    }
    const S off = distance(event, best);
    if (off == S(0) || absolute(S(t - last)) <= tolerance) break;
    last = t;
    if ((off > S(0)) == (at_b > S(0))) {
      b = t, at_b = off;
      if (side == 1) at_a = at_a / S(2);
      side = 1;
    } else {
      a = t, at_a = off;
      if (side == -1) at_b = at_b / S(2);
      side = -1;
    }
  }
  return best;
}

template <class S>
std::optional<State<S>> EventSearch<S>::observe(const State<S>& now) {
  std::vector<std::pair<State<S>, EventFound>> here;
  std::optional<State<S>> end;
  for (Watched& event : events_) {
    const S off = distance(event, now);
    const bool passed = event.last != S(0) && off != S(0) && (off > S(0)) != (event.last > S(0));
    const int direction = off > S(0) ? 1 : -1;
    if (passed && event.request.direction != -direction) {
      if (const std::optional<State<S>> at = root(event, now, off)) {
        here.emplace_back(*at, EventFound{event.request.text, full_digits(at->t), direction > 0});
        if (event.request.ends && (!end || at->t < end->t)) end = at;
      }
    }
    if (off != S(0)) event.last = off, event.since = now;
  }
  std::sort(here.begin(), here.end(),
            [](const auto& x, const auto& y) { return x.first.t < y.first.t; });
  for (const auto& [at, event] : here)
    if (!end || !(end->t < at.t)) found_.push_back(event);
  return end;
}

template class EventSearch<double>;
template class EventSearch<real50>;

}  // namespace daemark
