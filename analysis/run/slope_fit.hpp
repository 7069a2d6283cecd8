// What a convergence study finds for one quantity, by fit_slope (analysis/run/slope.hpp).
#pragma once

#include <vector>

namespace daemark {

enum class SlopeVerdict {
  asymptotic,      ///< the local slopes of the finest steps agree
  pre_asymptotic,  ///< they do not, or show less than any order: none is seen at these steps
  no_convergence,  ///< the error no longer falls, far above round-off: order 0
  round_off,       ///< too few steps above the round-off floor
  too_few,         ///< too few runs that reached the end
};
const char* slope_verdict_name(SlopeVerdict verdict);  ///< "asymptotic", "pre-asymptotic", ...

struct SlopeFit {
  double slope = 0;            ///< NaN where fewer than two points are usable
  std::vector<bool> used;      ///< which (h, error) entered
  std::vector<bool> floor;     ///< which are on the round-off floor and were left out
  double least = 0, most = 0;  ///< local slopes between neighbours among those used
  SlopeVerdict verdict = SlopeVerdict::too_few;
  int doubtful = -1;  ///< the point whose run in the next precision would settle what it is
  int points() const;
};

}  // namespace daemark
