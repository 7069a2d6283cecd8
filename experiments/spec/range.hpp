// What is known of a value: the number, or bounds where something it depends on is missing. The
// largest of several values, for example, exceeds a number as soon as one of them does.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace daemark {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  static Range of(double value) { return {value, value}; }
  std::optional<double> value() const;  ///< a number (NaN too); absent where only bounds are known
};

/// `op`: + - * / ^ neg abs log log10 sqrt min max. Bounds may be wider than need be.
Range combine(const std::string& op, const std::vector<Range>& args);

/// `op`: < <= > >= == !=. Absent where the bounds leave it open, or for NaN.
std::optional<bool> compare(const std::string& op, const Range& a, const Range& b);

/// Whole numbers below 10^7, which counts are, in full; others with `digits` significant ones.
std::string significant(double value, int digits);

/// "0.5", "0.5 or more", "0.5 or less", "0.5 to 2", "?".
std::string shown(const Range& range, int digits);

}  // namespace daemark
