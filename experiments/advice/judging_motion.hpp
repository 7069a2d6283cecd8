// The end of a motion by two methods in double, to judge others by, and runs that end in time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {

struct RunResult;

/// q, v, λ at the end, in the coordinates of references.
using MotionEnd = std::array<std::vector<double>, 3>;

/// q, v, λ of a run, which is in scalar S, in the coordinates of references.
template <class S, class T>
std::array<std::vector<T>, 3> in_reference(const BoundRun& run, const S& t,
                                           std::array<std::vector<T>, 3> motion) {
  const auto mechanism = run.problem.make<S>(run.formulation.info.minimal);
  if (mechanism->chart_size() > 0) return motion;  // it is shown in these coordinates
  const std::vector<S> q(motion[0].begin(), motion[0].end()), v(motion[1].begin(), motion[1].end());
  std::vector<S> to_q(mechanism->reference_coordinates()), to_v(to_q.size());
  mechanism->to_reference({t, q.data(), v.data()}, to_q.data(), to_v.data());
  motion[0].assign(to_q.begin(), to_q.end()), motion[1].assign(to_v.begin(), to_v.end());
  return motion;
}

/// Of a run with a history. λ is empty where the formulation has none.
MotionEnd at_end(const BoundRun& run, const RunResult& result);

/// 2-norm of a − b; NaN where their sizes differ.
double apart(const std::vector<double>& a, const std::vector<double>& b);

/// Runs for so many seconds at most: then its status is "timed_out".
RunResult run_within(const BoundRun& run, double seconds);

struct JudgingMotion {
  MotionEnd end;
  double way = 0;          ///< the scale of the part that is asked for
  double uncertainty = 0;  ///< of that part, relative to `way`
  std::vector<std::string> routes;
};

/// Runs two methods with ever smaller tolerances until they agree to a twentieth of `accuracy`. The
/// scale is the largest of ‖q(T) − q(0)‖, T ‖v(0)‖ and T ‖v(T)‖ for q, this by T for v, and the
/// larger of ‖λ(0)‖ and ‖λ(T)‖ for λ. Throws NoReference.
JudgingMotion judging_motion(const std::string& problem, const std::string& t_end, int part,
                             double accuracy, double seconds);

}  // namespace daemark
