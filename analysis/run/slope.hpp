// The observed order: the least-squares slope of log error over log h in the asymptotic range,
// which is sought from the finest steps upwards, and what is known of round-off.
#pragma once

#include <vector>

#include "analysis/run/slope_fit.hpp"

namespace daemark {

/// How large round-off may be at a step h: each of N = span/h steps makes some hundred roundings
/// relative to the quantity's scale, and what the constraints fix is differentiated: their errors
/// are divided by h once or twice, which is a power of N in the quantity's own units.
struct RoundOff {
  double unit = 0;       ///< unit round-off of the arithmetic
  double scale = 0;      ///< size of the quantity
  double span = 1;       ///< length of the integration [s]
  int power = 1;         ///< of N: 1 for accumulation and 1 for each differentiation
  double left = 0;       ///< what Newton's tolerance leaves, in units of the quantity
  double reference = 0;  ///< error of the reference, likewise: no precision resolves less
  double bound(double h) const;
  /// With one power of N less where there are two or more: errors this small are surely round-off.
  double least_bound(double h) const;
};

/// Of the least-squares line through (log x, log y) where y is finite and > 0; NaN where fewer than
/// two points are.
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// Of q, v or λ (`level` 0, 1, 2: how often the position constraints are differentiated to give it)
/// on a formulation of that index, which fixes the derivative 3 − index of the positions.
int round_off_power(int level, int index);

/// `h` and `error` in the same order, any order of h; failed runs are NaN. `finer`: errors of the
/// same runs in the next precision, NaN where there is none; may be empty.
///
/// A point is on the round-off floor only if it breaks the trend of the coarser ones, if errors do
/// not go on falling after it, and if it and all finer ones are below the bound or the next
/// precision at least halves its error; where there is no trend yet, if it is below the bound and
/// that precision halves its error. Coarser points no larger than the round-off seen on the floor
/// are on it too. The two finest local slopes of the other points decide: where they differ by at
/// most 1/4 and the finest is 1/2 or more, the range begins at the finest step and goes on to
/// coarser ones as long as local slopes stay within 1/10 of the finest. (An error C h^p (1 + c h)
/// has a local slope 0.7 c h off p, half as much at half the step, so that the finest is off by
/// their difference.)
SlopeFit fit_slope(const std::vector<double>& h, const std::vector<double>& error,
                   const RoundOff& round_off, const std::vector<double>& finer = {});

}  // namespace daemark
