// One integration through the times of a reference, and how far two of them agree.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// In the coordinates results are compared in.
struct Motion {
  std::vector<real50> q, v, lambda;
};

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
  std::string method, formulation, precision;
  std::map<std::string, std::string> settings;
};

/// In one sweep over ascending times after the start; about `total_steps` to the last, equal ones
/// between two times. `steps` counts them up to each time. Shorter where a step failed. Throws
/// BadInput where the problem, method and formulation do not go together.
std::vector<Motion> sweep(const Problem& problem, const SweepRoute& route,
                          const std::vector<Expression>& times, long total_steps,
                          std::vector<long>& steps);

/// Where the motion begins, with the multipliers of the index-1 solve; `route`: one that takes the
/// problem. `nudge` moves every position and velocity by that many units of round-off: what the
/// solve makes of its own rounding.
Motion start_of_motion(const Problem& problem, const SweepRoute& route, int nudge = 0);

/// Significant digits on which all components agree, at most `most`; 0 where a route failed.
/// Components below the fourth root of the round-off of the largest of their kind (a coordinate
/// that stays 0) are measured against that.
int agreement(const Motion& a, const Motion& b, double roundoff, int most);

}  // namespace daemark
