// Numbers with an uncertainty: values with the uncertainties of their digits, and how
// far those move sums and products.
//
// Each number gets an uncertainty u. A decimal: one unit of its last digit, of the longest entry's
// where it is much shorter (trailing zeros are dropped), unless its whole group (A, b, c) is:
// weights to 6 decimals with an A to 16 have an accuracy of their own. With 15 to 18 decimals it is
// 2^-52 of its size, as most of those were computed in double; 0 where no entry has more than 3
// decimals. A fraction p/q with q >= 1000: 1/q², which continued fractions achieve. With
// denominators up to Q in the file one of sqrt(Q) or more is rounded too: 1/(q Q). Everything else
// is exact. In sums, products and quotients uncertainties add up as derivatives say. One of a list,
// a row of A or weights, may be what the others leave of its sum: each that is not 0 has the sum of
// them all. A polynomial condition moves by at most its value at |x| + u less that at |x|, all
// signs made positive: the excess.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/numbers/ball.hpp"
#include "base/numbers/expression.hpp"

namespace daemark::exact {

/// Of a file's longest entries: digits after the point, denominators of fractions; 0: none.
struct Digits {
  int decimals = 0;
  wide denominator = 0;
};
Digits digits_of(const std::vector<const Expression*>& entries);
/// For a group of entries: `file`, with the group's own decimals where these are much fewer and two
/// entries or more have them and are no dyadic fractions.
Digits digits_of_group(const std::vector<const Expression*>& group, const Digits& file);
/// 0 for what is exact. `file`: of all entries that belong together.
wide uncertainty(const Expression& entry, const Digits& file);
/// The same of a list; `has_sum`: one entry may be what the others leave of it.
std::vector<wide> uncertainties(const std::vector<Expression>& list, const Digits& file,
                                bool has_sum = true);
/// Some entry has an uncertainty.
bool any_uncertain(const std::vector<const Expression*>& entries);

/// Ten times the largest of them all, at least 1e-12: what decimals may leave of a condition in
/// relation to the size of its terms.
wide rounding_unit(const std::vector<std::vector<const Expression*>>& groups);

/// The value with its uncertainty as radius.
Ball ball_of(const Expression& entry, const Digits& file);
BallVector balls_of(const std::vector<Expression>& list, const Digits& file, bool has_sum = true);

/// What counts as exactly zero: 1e-100.
wide exactly_zero();

/// Numbers x, with |x| and the excess of (|x| + u) in double: all signs positive, so that nothing
/// cancels.
struct Uncertain {
  std::vector<wide> value;
  std::vector<double> size, excess;

  Uncertain() = default;
  Uncertain(const std::vector<Expression>& list, const Digits& file, bool has_sum = true);
  static Uncertain ones(std::size_t count);
  std::size_t count() const { return value.size(); }
};

Uncertain product(const Uncertain& x, const Uncertain& y);  ///< entry by entry
Uncertain applied(const std::vector<Uncertain>& rows, const Uncertain& x);

/// A number at 130 digits with the sum of the absolute values of the terms that it is made of: what
/// it may be off by is in relation to that.
struct Sized {
  wide value = 0, size = 0;
  Sized() = default;
  explicit Sized(int x) : Sized(wide(x)) {}
  explicit Sized(const wide& x) : value(x), size(abs(x)) {}
  Sized& operator+=(const Sized& x) {
    value += x.value, size += x.size;
    return *this;
  }
  Sized& operator*=(const Sized& x) {
    value *= x.value, size *= x.size;
    return *this;
  }
  friend Sized operator*(Sized x, const Sized& y) { return x *= y; }
  friend bool operator==(const Sized& x, const Sized& y) { return x.value == y.value; }
};
using SizedVector = std::vector<Sized>;
SizedVector sized(const std::vector<wide>& list);
std::vector<SizedVector> sized(const std::vector<std::vector<wide>>& rows);

/// A condition Σ weights · function = target: its residual and how far rounding moves it.
struct Condition {
  wide residual;
  double bound;
  bool holds() const { return abs(residual) <= wide(bound) + exactly_zero(); }
};
Condition condition(const Uncertain& weights, const Uncertain& function, const wide& target);

}  // namespace daemark::exact
