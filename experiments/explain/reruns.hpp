// Reruns of one integration with something changed, within a time for all of them.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"

namespace daemark {

/// q, v, λ at the end in the coordinates of references, with all digits. λ is empty where the
/// formulation has none.
using EndState = std::array<std::vector<real50>, 3>;

struct Rerun {
  RunResult result;  ///< its status is "refused" where the run cannot be bound
  EndState end;      ///< where the status is "ok"
  bool ok() const { return result.status == "ok"; }
};

class Reruns {
 public:
  Reruns(const BoundRun& run, double seconds);
  void begin(double seconds);  ///< so many are left

  /// That of the run, without what is recorded, timed and searched for.
  const RunRequest& request() const { return request_; }
  const BoundRun& run() const { return run_; }
  /// For at most this share of the time that is left.
  Rerun operator()(const RunRequest& request, double share = 1) const;

  double left() const;  ///< [s]

 private:
  const BoundRun& run_;
  RunRequest request_;
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
};

/// The step h divided by `by`, as something that can be typed.
Expression divided(const Expression& h, int by);

}  // namespace daemark
