// One integration through the times of a reference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/reference/agreement.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/progress.hpp"

namespace daemark {

/// The first m multipliers.
template <class S>
Motion shown(const MechanicalSystem<S>& mechanism, const MotionPoint<S>& point, int m) {
  const int n = mechanism.reference_coordinates();
  std::vector<S> q(n), v(n);
  mechanism.to_reference(point, q.data(), v.data());
  const auto widened = [](const S* x, int count) {
    std::vector<real50> y;
    for (int i = 0; i < count; ++i) y.push_back(static_cast<real50>(x[i]));
    return y;
  };
  return {widened(q.data(), n), widened(v.data(), n), widened(point.lambda, m)};
}

/// A method on a formulation in a precision.
struct SweepRoute {
  std::string method, formulation;
  Precision precision;
  std::map<std::string, std::string> settings;
};

/// The route to the last of its times. Throws BadInput where it does not take the problem.
BoundRun bind_route(const Problem& problem, const SweepRoute& route, const Expression& end);

/// In one sweep over ascending times after the start, of which the last is the end of `run`; about
/// `total_steps` to the last, equal ones between two times. `steps` counts them up to each time.
/// Fewer motions than times where a step failed.
std::vector<Motion> sweep(const BoundRun& run, const std::vector<Expression>& times,
                          long total_steps, std::vector<long>& steps);

/// The progress of sweeps of which nobody knows how many there will be.
class SweepShares {
 public:
  /// Of the next one, of so much work, where as much as `later` is foreseen after it. It tells its
  /// progress within that part of the whole, while it lives.
  ProgressShare next(double work, double later);

 private:
  double done_ = 0;
};

/// Where the motion begins, with the multipliers of the index-1 solve. `nudge` moves every position
/// and velocity by that many units of round-off: what the solve makes of its own rounding.
Motion start_of_motion(const BoundRun& run, int nudge = 0);
}  // namespace daemark
