#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/measures.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/projection/least_change.hpp"

namespace daemark {
namespace {

template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(to_double(S(a[i] - b[i])), 2);
  return std::sqrt(sum);
}

template <class S>
std::vector<Expression> expressions(const std::vector<S>& values) {
  std::vector<Expression> out;
  for (const S& x : values) out.push_back(Expression::parse(full_digits(x), "projected state"));
  return out;
}

template <class S>
double largest(const std::vector<S>& values) {
  double worst = 0;
  for (const S& x : values) worst = std::max(worst, std::abs(to_double(x)));
  return worst;
}

template <class S>
ProjectedState project_in(const BoundRun& run) {
  BoundSystem<S> model(run);
  MechanicalSystem<S>& mechanism = *model.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints();
  State<S> state = initial_state(run, model);
  const auto [q0, v0] = shown_motion(mechanism, model.motion(state));
  ProjectedState result;
  std::vector<S> position(m), velocity(m);
  MotionValues<S> out;
  out.position = position.data(), out.velocity = velocity.data();
  if (m > 0) mechanism.evaluate(model.motion(state), {}, out);
  result.position_before = largest(position);
  result.velocity_before = largest(velocity);
  S *const q = state.y.data(), *const v = q + n;
  Counts work;
  if (m > 0) {
    LeastChange<S> change(mechanism, true);
    if (!change.move_position(state.t, q, v, state.chart.data(), work) ||
        !change.move_velocity(state.t, q, v, state.chart.data(), work))
      throw BadInput(fmt::format(
          "initial state: no state on the constraints is found near it (positions violate them by "
          "{:.3g}); accepted: one that is nearer",
          result.position_before));
  }
  const auto [q1, v1] = shown_motion(mechanism, model.motion(state));
  result.state.q = expressions(q1);
  result.state.v = expressions(v1);
  result.moved_q = distance(q0, q1);
  result.moved_v = distance(v0, v1);
  return result;
}

}  // namespace

ProjectedState project_state(const BoundRun& run) {
  BoundRun inconsistent = run;
  inconsistent.request.initial->consistent = false;
  return with_scalar(run.request.precision, [&]<class S>() { return project_in<S>(inconsistent); });
}

}  // namespace daemark
