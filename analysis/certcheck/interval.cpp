#include "analysis/certcheck/interval.hpp"

#include <algorithm>
#include <stdexcept>

namespace daemark::certcheck {

namespace {

constexpr int grid_bits = 600;

rational on_grid(const rational& x, bool up) {
  if (mp::msb(mp::denominator(x)) <= grid_bits) return x;
  exact::integer q, r;
  mp::divide_qr(exact::integer(mp::numerator(x) << grid_bits), exact::integer(mp::denominator(x)),
                q, r);  // truncates
  if (r != 0 && up && x > 0) q += 1;
  if (r != 0 && !up && x < 0) q -= 1;
  return rational(q, exact::power_of_two(grid_bits));
}

Interval outwards(const rational& low, const rational& high) {
  return {on_grid(low, false), on_grid(high, true)};
}

}  // namespace

Interval::Interval(const rational& low, const rational& high) : lower(low), upper(high) {
  if (upper < lower) throw std::invalid_argument("an empty interval");
}

Interval& Interval::operator+=(const Interval& other) {
  return *this = outwards(lower + other.lower, upper + other.upper);
}

Interval& Interval::operator-=(const Interval& other) {
  return *this = outwards(lower - other.upper, upper - other.lower);
}

Interval& Interval::operator*=(const Interval& other) {
  const rational ends[4] = {lower * other.lower, lower * other.upper, upper * other.lower,
                            upper * other.upper};
  return *this = outwards(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
}

Interval& Interval::operator/=(const Interval& other) {
  if (other.has_zero()) throw std::domain_error("division by an interval that holds zero");
  return *this *= outwards(1 / other.upper, 1 / other.lower);
}

bool hurwitz(const IntervalRow& p) {
  return !p.empty() && p.back().positive() &&
         has_hurwitz_minors(p, [](const Interval& x) { return x.positive(); });
}

}  // namespace daemark::certcheck
