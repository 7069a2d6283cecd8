// Building Q(theta): adjoining one algebraic number after another, always with a proof.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/exact/numbers/poly.hpp"

namespace daemark::exact {

/// A real algebraic number before it has a field: a polynomial it is a root of, and enclosures
/// lower <= x <= upper of width about 2^-precision.
struct Radical {
  std::vector<rational> polynomial;
  std::function<void(rational& lower, rational& upper, long precision)> enclose;
};

/// The root of the polynomial in (lower, upper), where its values at the ends have opposite signs
/// and it has no other root: bisection. Throws std::logic_error for equal signs.
Radical bracketed_root(const std::vector<rational>& polynomial, const rational& lower,
                       const rational& upper);

/// The field grown so far. `adjoin` returns the new number in the field after the call, and in
/// `image` where theta of the field before the call has gone (used with Number::lifted).
class Tower {
 public:
  explicit Tower(std::string where) : where_(std::move(where)) {}
  const FieldPtr& field() const { return field_; }
  Number adjoin(const Radical& radical, Number& image);

 private:
  Number start(const std::vector<rational>& minimal, const Radical& radical);
  Number extend(const std::vector<rational>& minimal, const Radical& radical, Number& image);
  std::string where_;
  FieldPtr field_;
};

/// Irreducible factors over Q with integer coefficients, without multiplicity.
std::vector<std::vector<rational>> irreducible_factors(const std::vector<rational>& polynomial,
                                                       bool& repeated);

/// The factor that vanishes at the radical.
std::vector<rational> minimal_polynomial(const Radical& radical);

}  // namespace daemark::exact
