// Rational interval arithmetic of the checker; the prover's enclosures are balls.
#pragma once

#include <vector>

#include "analysis/exact/numbers/number.hpp"

namespace daemark::certcheck {

/// lower <= x <= upper. Results are rounded outwards to a fixed grid, so that they stay short.
struct Interval {
  rational lower, upper;

  Interval() = default;
  Interval(const rational& point) : lower(point), upper(point) {}  // NOLINT: points are intervals
  Interval(int point) : Interval(rational(point)) {}               // NOLINT
  Interval(const rational& low, const rational& high);  ///< throws std::invalid_argument if empty

  bool positive() const { return lower > 0; }
  bool has_zero() const { return lower <= 0 && upper >= 0; }
  /// Strictly inside.
  bool inside(const Interval& other) const { return lower > other.lower && upper < other.upper; }
  bool within(const Interval& other) const { return lower >= other.lower && upper <= other.upper; }
  rational middle() const { return (lower + upper) / 2; }

  Interval& operator+=(const Interval& other);
  Interval& operator-=(const Interval& other);
  Interval& operator*=(const Interval& other);
  Interval& operator/=(const Interval& other);  ///< throws std::domain_error when it has_zero()
  Interval operator-() const { return {rational(-upper), rational(-lower)}; }
};

inline Interval operator+(Interval a, const Interval& b) { return a += b; }
inline Interval operator-(Interval a, const Interval& b) { return a -= b; }
inline Interval operator*(Interval a, const Interval& b) { return a *= b; }
inline Interval operator/(Interval a, const Interval& b) { return a /= b; }

using IntervalRow = std::vector<Interval>;
using IntervalTable = std::vector<IntervalRow>;

/// All roots in Re z < 0 for every polynomial of the box, ascending powers, leading one positive.
bool hurwitz(const IntervalRow& p);

}  // namespace daemark::certcheck
