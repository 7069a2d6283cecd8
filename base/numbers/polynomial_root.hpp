// Real roots of rational polynomials, counted and enclosed in exact arithmetic.
// Sturm's theorem: e.g. von zur Gathen & Gerhard, Modern Computer Algebra, section 4 (exercises).
#pragma once

#include <optional>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

using exact_integer = mp::number<mp::gmp_int, mp::et_off>;

/// The k-th root of x >= 0 if it is rational.
std::optional<rational> exact_root(const rational& x, int k);
/// a of x^n - a, n >= 2, a > 0: what a radical is the root of.
std::optional<rational> radicand(const std::vector<rational>& polynomial);

/// The integer polynomial with coprime coefficients that is a positive multiple of `polynomial`.
std::vector<exact_integer> primitive_part(const std::vector<rational>& polynomial);

/// Sturm chain of a polynomial, divided by the greatest common divisor of it and its derivative,
/// so that multiple roots count once. Coefficients are integers in ascending powers.
class SturmChain {
 public:
  /// `polynomial`: coprime coefficients, ascending powers, last one nonzero, degree >= 1. Takes
  /// about 2 to 4 ns * (bits of all coefficients) * (number of coefficients)^2.
  explicit SturmChain(std::vector<exact_integer> polynomial);

  /// Distinct real roots in the open interval (lower, upper), lower < upper.
  int count(const rational& lower, const rational& upper) const;

  /// The polynomial with the same roots, each of them simple.
  const std::vector<exact_integer>& square_free() const { return chain_.front(); }

 private:
  std::vector<std::vector<exact_integer>> chain_;
};

/// The one root of a square-free polynomial inside the open interval (lower, upper), which must
/// hold exactly one; enclosed exactly, relative error below 2^-440 before rounding to `wide`.
wide refine_root(std::vector<exact_integer> square_free, const rational& lower,
                 const rational& upper);

}  // namespace daemark
