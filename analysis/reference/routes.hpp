// Routes to a reference state. Two routes that share little but the model give one state, with the
// digits on which they agree.
//
//   closed form      where the problem has one
//   Taylor series    smooth mechanisms of moderate size, also by a second model of the same motion
//   collocation      gauss(s) on index 1, radau_iia(s) on GGL, with step-size control: steps follow
//                    fast transients, s and the tolerance the digits that are asked for
//   equal steps      gauss(24) with a series for many digits; collocation across singular
//                    positions, and in the tangent space where constraints depend on each other
#pragma once

#include <array>
#include <functional>

#include "analysis/reference/reference_store.hpp"
#include "analysis/setup/bound_run.hpp"

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

constexpr int most_reference_digits = 48;  ///< what 50-digit arithmetic can show at best

/// A motion at one of the times, and what computed it.
struct RoutePoint {
  Motion motion;
  std::string by;
};

/// To ascending times after the start, for so many digits; called again with more where the routes
/// do not agree on enough. Fewer points than times where a step failed, none where more cannot be
/// had. Throws TaylorFailure where the route does not take the motion at all.
using Route = std::function<std::vector<RoutePoint>(int digits)>;

/// In double where the problem exists in that alone or its constraints depend on each other.
int digits_within_reach(const Problem& problem);
/// Whether there is a model that a Taylor series can be made of.
bool has_series(const Problem& problem);
Route closed_form(const Problem& problem, const std::vector<Expression>& times);
/// A Taylor series, and for few digits the second of integrations(), for many a Gauss method of
/// order 48 whose equal steps are as many as those of the series.
std::array<Route, 2> with_series(const Problem& problem, const std::vector<Expression>& times,
                                 int digits);
/// By a family of methods with step-size control.
Route collocation(const Problem& problem, const std::vector<Expression>& times, const char* family,
                  const char* formulation, Precision precision);
/// Different order, different stability, different equations. In double where the problem exists in
/// that alone, where its constraints depend on each other, and for `digits` that double gives.
std::array<Route, 2> integrations(const Problem& problem, const std::vector<Expression>& times,
                                  int digits);
/// In equal steps, halved and more from call to call: long ones step across singular positions that
/// controlled ones do not pass.
std::array<Route, 2> equal_integrations(const Problem& problem,
                                        const std::vector<Expression>& times, int digits);

/// The start, with multipliers from one solve of the index-1 equations and the digits these have.
RoutePoint start_of_motion(const Problem& problem, int digits, int& agreed_digits);

}  // namespace daemark
