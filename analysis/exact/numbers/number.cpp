#include "analysis/exact/numbers/number.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/program/stop.hpp"

namespace daemark::exact {

namespace {

// Interval arithmetic on rational endpoints, rounded outwards to `precision` bits so that the
// endpoints stay short.
rational round_to(const rational& x, long precision, bool up) {
  if (x == 0) return x;
  const integer numerator = mp::numerator(x), denominator = mp::denominator(x);
  const long exponent = static_cast<long>(mp::msb(integer(mp::abs(numerator)))) -
                        static_cast<long>(mp::msb(denominator)) - precision;
  integer q, r, n = numerator, d = denominator;
  if (exponent > 0) d <<= exponent;
  if (exponent < 0) n <<= -exponent;
  mp::divide_qr(n, d, q, r);  // truncates
  if (r != 0) {
    if (up && n > 0) q += 1;
    if (!up && n < 0) q -= 1;
  }
  return exponent >= 0 ? rational(integer(q << exponent)) : rational(q, power_of_two(-exponent));
}

}  // namespace

Number::Number(long value) {
  fmpq_poly_init(value_);
  fmpq_poly_set_si(value_, value);
}

Number::Number(const rational& value) {
  fmpq_poly_init(value_);
  fmpq_poly_set_fmpq(value_, Fraction(value).q);
}

Number::Number(const std::vector<rational>& coefficients, FieldPtr field)
    : field_(std::move(field)) {
  if (!field_ && coefficients.size() > 1)
    throw std::logic_error("a number with powers of theta needs a field");
  fmpq_poly_init(value_);
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    set_coefficient(value_, static_cast<long>(i), coefficients[i]);
  reduce();
}

Number::Number(const Number& other) : field_(other.field_) {
  fmpq_poly_init(value_);
  fmpq_poly_set(value_, other.value_);
}

Number::Number(Number&& other) noexcept : field_(std::move(other.field_)) {
  fmpq_poly_init(value_);
  fmpq_poly_swap(value_, other.value_);
}

Number& Number::operator=(const Number& other) {
  if (this == &other) return *this;
  fmpq_poly_set(value_, other.value_);
  field_ = other.field_;
  return *this;
}

Number& Number::operator=(Number&& other) noexcept {
  fmpq_poly_swap(value_, other.value_);
  field_.swap(other.field_);
  return *this;
}

Number::~Number() { fmpq_poly_clear(value_); }

Number Number::generator(const FieldPtr& field) {
  return Number(std::vector<rational>{0, 1}, field);
}

void Number::adopt(const Number& other) {
  if (!other.field_ || other.field_ == field_) return;
  if (!field_)
    field_ = other.field_;
  else if (!field_->same_as(*other.field_))
    throw std::logic_error("numbers of two different fields");
}

void Number::reduce() {
  if (field_ && value_->length > field_->degree()) fmpq_poly_rem(value_, value_, field_->modulus());
}

Number& Number::operator+=(const Number& other) {
  adopt(other);
  fmpq_poly_add(value_, value_, other.value_);
  return *this;
}

Number& Number::operator-=(const Number& other) {
  adopt(other);
  fmpq_poly_sub(value_, value_, other.value_);
  return *this;
}

Number& Number::operator*=(const Number& other) {
  checkpoint();
  adopt(other);
  fmpq_poly_mul(value_, value_, other.value_);
  reduce();
  return *this;
}

Number& Number::operator/=(const Number& other) { return *this *= other.inverse(); }

Number Number::operator-() const {
  Number out(*this);
  fmpq_poly_neg(out.value_, out.value_);
  return out;
}

Number Number::inverse() const {
  if (is_zero()) throw std::domain_error("division by an exact zero");
  checkpoint();
  Number out(*this);
  if (is_rational()) {
    fmpq_poly_inv(out.value_, value_);
  } else {
    fmpq_poly_t common, cofactor;
    fmpq_poly_init(common);
    fmpq_poly_init(cofactor);
    fmpq_poly_xgcd(common, out.value_, cofactor, value_, field_->modulus());
    fmpq_poly_clear(common);
    fmpq_poly_clear(cofactor);
    out.reduce();
  }
  return out;
}

rational Number::to_rational() const {
  if (!is_rational()) throw std::domain_error("not a rational number: " + text());
  return coefficient(value_, 0);
}

std::vector<rational> Number::coefficients() const {
  std::vector<rational> out;
  for (long i = 0; i < value_->length; ++i) out.push_back(coefficient(value_, i));
  return out;
}

Number Number::lifted(const Number& image) const {
  Number out;
  for (long i = value_->length - 1; i >= 0; --i) out = out * image + Number(coefficient(value_, i));
  return out;
}

void Number::enclose(rational& lower, rational& upper, long precision) const {
  if (is_rational()) {
    lower = upper = coefficient(value_, 0);
    return;
  }
  for (long work = precision + 32;; work *= 2) {
    checkpoint();
    rational theta_lower, theta_upper;
    field_->enclose(theta_lower, theta_upper, work);
    lower = upper = 0;
    for (long i = value_->length - 1; i >= 0; --i) {
      const rational products[4] = {lower * theta_lower, lower * theta_upper, upper * theta_lower,
                                    upper * theta_upper};
      const rational c = coefficient(value_, i);
      lower = round_to(*std::min_element(products, products + 4) + c, work, false);
      upper = round_to(*std::max_element(products, products + 4) + c, work, true);
    }
    const rational width = upper - lower;
    const rational size = lower > 0 ? lower : -upper;
    if (size > 0 && width * rational(power_of_two(precision)) <= size) return;
  }
}

int Number::sign() const {
  if (is_zero()) return 0;
  if (is_rational()) return coefficient(value_, 0) > 0 ? 1 : -1;
  rational lower, upper;
  enclose(lower, upper, 2);  // terminates: a nonzero polynomial in theta is a nonzero number
  return lower > 0 ? 1 : -1;
}

bool Number::operator==(const Number& other) const {
  if (field_ && other.field_ && field_ != other.field_ && !is_rational() &&
      !field_->same_as(*other.field_))
    throw std::logic_error("numbers of two different fields");
  return fmpq_poly_equal(value_, other.value_) != 0;
}

bool Number::operator<(const Number& other) const { return (*this - other).sign() < 0; }

wide Number::to_wide() const {
  rational lower, upper;
  enclose(lower, upper, 440);
  return static_cast<wide>(rational((lower + upper) / 2));
}

std::string Number::decimal(int digits) const {
  const wide value = to_wide();
  return value.str(digits, std::ios_base::scientific);
}

long Number::bits() const {
  const long coefficients = std::abs(_fmpz_vec_max_bits(value_->coeffs, value_->length));
  return std::max(coefficients, static_cast<long>(fmpz_bits(value_->den)));
}

std::string rational_text(const rational& x) { return x.str(); }

std::string Number::text() const {
  if (is_zero()) return "0";
  std::string out;
  for (long i = 0; i < value_->length; ++i) {
    const rational c = coefficient(value_, i);
    if (c == 0) continue;
    const bool negative = c < 0;
    const rational size = negative ? -c : c;
    std::string term = i > 0 && size == 1 ? "" : rational_text(size);
    if (i > 0) {
      if (!term.empty()) term += "*";
      term += field_->generator_text();
      if (i > 1) term += "^" + std::to_string(i);
    }
    out += (negative ? "-" : out.empty() ? "" : "+") + term;
  }
  return out;
}

Number pow(const Number& base, long exponent) {
  if (exponent < 0) return pow(base.inverse(), -exponent);
  Number out = 1, square = base;
  for (long e = exponent; e > 0; e /= 2) {
    if (e % 2 == 1) out *= square;
    if (e > 1) square *= square;
  }
  return out;
}

}  // namespace daemark::exact
