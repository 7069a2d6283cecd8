// The end of a motion by two methods in double, to judge others by, and runs that end in time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

struct BoundRun;
struct RunResult;

/// q, v, λ at the end, in the coordinates of references.
using MotionEnd = std::array<std::vector<double>, 3>;

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
