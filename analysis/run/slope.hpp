// The observed order: least-squares slope of log error over log h in the asymptotic range.
#pragma once

#include <vector>

namespace daemark {

struct SlopeFit {
  double slope;            ///< NaN where fewer than two points are usable
  std::vector<bool> used;  ///< which (h, error) entered
};

/// `h` and `error` in the same order, any order of h. Left out are: failed runs (NaN, 0), points on
/// the round-off floor (from the step on below which the error no longer falls), and coarse steps
/// before the asymptotic range (the longest run of local slopes, from the finest usable step
/// upwards, that stays within 0.6 of the median of its two finest).
SlopeFit fit_slope(const std::vector<double>& h, const std::vector<double>& error);

}  // namespace daemark
