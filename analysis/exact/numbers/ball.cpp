#include "analysis/exact/numbers/ball.hpp"

#include <mpfr.h>

#include <algorithm>
#include <stdexcept>

namespace daemark::exact {

namespace {

rational end_of(const arb_struct* x, bool upper) {
  if (!arb_is_finite(x)) throw std::domain_error("an unbounded enclosure has no ends");
  arf_t end;
  arf_init(end);
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(end, x, Ball::precision + 64);
  Fraction q;
  arf_get_fmpq(q.q, end);
  arf_clear(end);
  return q.value();
}

template <class F, class... Arguments>
Ball of(F f, const Arguments&... arguments) {
  Ball out;
  f(out.raw(), arguments..., Ball::precision);
  return out;
}

}  // namespace

Ball::Ball(long value) : Ball() { arb_set_si(x_, value); }

Ball::Ball(const rational& value) : Ball() {
  const Fraction q(value);
  arb_set_fmpq(x_, q.q, precision);
}

Ball::Ball(const rational& lower, const rational& upper) : Ball(lower) {
  const Ball high(upper);
  arb_union(x_, x_, high.x_, precision);
}

Ball::Ball(const Number& value) : Ball() {
  rational lower, upper;
  value.enclose(lower, upper, precision);
  *this = Ball(lower, upper);
}

Ball::Ball(const Ball& other) : Ball() { arb_set(x_, other.x_); }

Ball& Ball::operator=(const Ball& other) {
  arb_set(x_, other.x_);
  return *this;
}

Ball& Ball::operator+=(const Ball& other) {
  arb_add(x_, x_, other.x_, precision);
  return *this;
}

Ball& Ball::operator-=(const Ball& other) {
  arb_sub(x_, x_, other.x_, precision);
  return *this;
}

Ball& Ball::operator*=(const Ball& other) {
  arb_mul(x_, x_, other.x_, precision);
  return *this;
}

Ball& Ball::operator/=(const Ball& other) {
  arb_div(x_, x_, other.x_, precision);
  return *this;
}

rational Ball::lower() const { return end_of(x_, false); }
rational Ball::upper() const { return end_of(x_, true); }
rational Ball::middle() const { return (lower() + upper()) / 2; }

Ball Ball::widened(const rational& radius) const {
  return Ball(rational(lower() - radius), rational(upper() + radius));
}

std::string Ball::decimal(int digits) const {
  const rational low = lower(), high = upper(), middle = (low + high) / 2;
  if (low == 0 && high == 0) return "0";
  std::string text = static_cast<wide>(middle).str(digits - 1, std::ios_base::scientific);
  const std::size_t e = text.find('e');
  const long exponent = std::stol(text.substr(e + 1)) - (digits - 1);
  rational unit = 1;  // of the last digit
  for (long i = 0; i < std::abs(exponent); ++i) unit *= 10;
  if (exponent < 0) unit = 1 / unit;
  std::string figures;
  for (const char c : text.substr(0, e))
    if (c != '.') figures += c;
  const rational value = rational(figures) * unit;
  const rational off = std::max(rational(high - value), rational(value - low));
  if (off > unit) throw std::domain_error("an enclosure too wide for its decimals");
  return text;
}

Ball sqrt(const Ball& x) { return of(arb_sqrt, x.raw()); }
Ball root(const Ball& x, int degree) {
  return of(arb_root_ui, x.raw(), static_cast<ulong>(degree));
}
Ball cos_pi(const rational& x) { return of(arb_cos_pi_fmpq, Fraction(x).q); }
Ball sin_pi(const rational& x) { return of(arb_sin_pi_fmpq, Fraction(x).q); }
Ball power(const Ball& x, int exponent) {
  return of(arb_pow_ui, x.raw(), static_cast<ulong>(exponent));
}

rational exact_value(const wide& x) {
  rational out;
  mpfr_get_q(out.backend().data(), x.backend().data());
  return out;
}

}  // namespace daemark::exact
