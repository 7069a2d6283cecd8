// Real algebraic numbers in one explicit field Q(theta), with decided equality and sign.
//
// theta is the one root of an irreducible integer polynomial in an isolating interval; a number is
// a polynomial in theta of lower degree. Equality is equality of coefficients, the sign follows
// from an enclosure that is refined until it excludes zero. Nothing is ever rounded.
// The certificate checker shares this header and its two sources with the prover, nothing else of
// it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analysis/exact/numbers/flint.hpp"

namespace daemark::exact {

using integer = mp::number<mp::backends::gmp_int, mp::et_off>;
inline integer power_of_two(long exponent) { return integer(1) << exponent; }

class Field;
using FieldPtr = std::shared_ptr<const Field>;

/// Largest degree of Q(theta) that is accepted anywhere.
inline constexpr int max_field_degree = 32;

/// Q(theta), theta = the only root of `minimal` in [lower, upper].
class Field {
 public:
  /// minimal: integer coefficients, ascending. Throws BadInput unless irreducible, of degree 2 to
  /// max_field_degree, with exactly one real root in [lower, upper].
  static FieldPtr make(const std::vector<rational>& minimal, const rational& lower,
                       const rational& upper);
  ~Field();
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  int degree() const { return static_cast<int>(minimal_.size()) - 1; }
  const std::vector<rational>& minimal() const { return minimal_; }
  const rational& lower() const { return lower_; }
  const rational& upper() const { return upper_; }
  const std::string& generator_text() const { return text_; }  ///< sqrt(d) or root(...)
  const fmpq_poly_struct* modulus() const { return modulus_; }
  /// An interval around theta, at most 2^-precision wide.
  void enclose(rational& lower, rational& upper, long precision) const;
  bool same_as(const Field& other) const;

 private:
  Field() = default;
  std::vector<rational> minimal_;
  rational lower_, upper_;
  std::string text_;
  fmpq_poly_t modulus_;
  mutable std::mutex mutex_;
  mutable long precision_ = 0;  ///< of the cached enclosure
  mutable rational cached_lower_, cached_upper_;
};

class Number {
 public:
  Number() : Number(0L) {}
  Number(int value) : Number(static_cast<long>(value)) {}  // NOLINT: integers are numbers
  Number(long value);                                      // NOLINT
  Number(const rational& value);                           // NOLINT
  /// Σ coefficients[i] theta^i; reduced. A null field accepts one coefficient at most.
  Number(const std::vector<rational>& coefficients, FieldPtr field);
  Number(const Number& other);
  Number(Number&& other) noexcept;
  Number& operator=(const Number& other);
  Number& operator=(Number&& other) noexcept;
  ~Number();

  static Number generator(const FieldPtr& field);

  Number& operator+=(const Number& other);
  Number& operator-=(const Number& other);
  Number& operator*=(const Number& other);
  Number& operator/=(const Number& other);  ///< throws std::domain_error on zero
  Number operator-() const;
  Number inverse() const;

  bool is_zero() const { return value_->length == 0; }
  bool is_rational() const { return value_->length <= 1; }
  rational to_rational() const;  ///< throws std::domain_error unless is_rational()
  int sign() const;
  bool operator==(const Number& other) const;
  bool operator<(const Number& other) const;
  bool operator>(const Number& other) const { return other < *this; }

  const FieldPtr& field() const { return field_; }
  std::vector<rational> coefficients() const;  ///< ascending powers of theta, no trailing zeros
  /// The same number with theta replaced by `image` (theta of a smaller field in a larger one).
  Number lifted(const Number& image) const;
  /// lower <= value <= upper, exact rationals, relative width about 2^-precision.
  void enclose(rational& lower, rational& upper, long precision) const;
  wide to_wide() const;                   ///< correct to about 125 digits
  std::string text() const;               ///< exact, in the grammar of expressions
  std::string decimal(int digits) const;  ///< scientific, `digits` significant digits
  long bits() const;                      ///< size of the largest coefficient
  const fmpq_poly_struct* raw() const { return value_; }

 private:
  void adopt(const Number& other);  ///< joins the two fields or throws std::logic_error
  void reduce();
  fmpq_poly_t value_;
  FieldPtr field_;  ///< null: rational
};

inline Number operator+(Number a, const Number& b) { return a += b; }
inline Number operator-(Number a, const Number& b) { return a -= b; }
inline Number operator*(Number a, const Number& b) { return a *= b; }
inline Number operator/(Number a, const Number& b) { return a /= b; }
inline Number abs(const Number& x) { return x.sign() < 0 ? -x : x; }
Number pow(const Number& base, long exponent);
std::string rational_text(const rational& x);  ///< "-3/4"

/// 1/k.
inline Number inverse_of(int k) { return Number(rational(1) / rational(k)); }

}  // namespace daemark::exact
