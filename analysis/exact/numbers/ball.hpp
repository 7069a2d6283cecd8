// Certified enclosures of real numbers (Arb), for what lives in no field of small degree.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/numbers/flint.hpp"
#include "analysis/exact/numbers/number.hpp"

namespace daemark::exact {

/// A real number known to lie in midpoint ± radius; every operation encloses the exact result.
class Ball {
 public:
  static constexpr long precision = 512;

  Ball() { arb_init(x_); }
  Ball(int value) : Ball(static_cast<long>(value)) {}  // NOLINT: integers are numbers
  Ball(long value);                                    // NOLINT
  explicit Ball(const rational& value);
  explicit Ball(const Number& value);
  Ball(const rational& lower, const rational& upper);
  Ball(const Ball& other);
  Ball& operator=(const Ball& other);
  ~Ball() { arb_clear(x_); }

  Ball& operator+=(const Ball& other);
  Ball& operator-=(const Ball& other);
  Ball& operator*=(const Ball& other);
  Ball& operator/=(const Ball& other);  ///< unbounded when the divisor may vanish
  Ball operator-() const { return Ball(0) -= *this; }

  bool bounded() const { return arb_is_finite(x_) != 0; }
  bool positive() const { return arb_is_positive(x_) != 0; }
  bool may_vanish() const { return arb_contains_zero(x_) != 0; }
  bool overlaps(const Ball& other) const { return arb_overlaps(x_, other.x_) != 0; }
  bool inside(const Ball& other) const { return arb_contains_interior(other.x_, x_) != 0; }
  /// Ends of the enclosure; throws std::domain_error unless bounded().
  rational lower() const;
  rational upper() const;
  rational middle() const;
  Ball widened(const rational& radius) const;
  /// `digits` significant digits, at most one unit of the last off for every point of the ball.
  std::string decimal(int digits) const;

  const arb_struct* raw() const { return x_; }
  arb_struct* raw() { return x_; }

 private:
  arb_t x_;
};

inline Ball operator+(Ball a, const Ball& b) { return a += b; }
inline Ball operator-(Ball a, const Ball& b) { return a -= b; }
inline Ball operator*(Ball a, const Ball& b) { return a *= b; }
inline Ball operator/(Ball a, const Ball& b) { return a /= b; }
Ball sqrt(const Ball& x);
Ball root(const Ball& x, int degree);
Ball cos_pi(const rational& x);
Ball sin_pi(const rational& x);
Ball power(const Ball& x, int exponent);

rational exact_value(const wide& x);  ///< a binary fraction

using BallVector = std::vector<Ball>;
using BallMatrix = std::vector<BallVector>;

}  // namespace daemark::exact
