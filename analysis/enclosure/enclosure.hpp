// Numbers known to lie in a ball (Arb), as scalars of graphs: every operation encloses the exact
// result, also what is rounded. Complex enclosures are rectangles; a function on its branch cut has
// no enclosure there, so that what is finite is analytic.
#pragma once

#include <gmp.h>  // first: FLINT 3 declares its conversions only then

#if __has_include(<flint/acb.h>)
#include <flint/acb.h>
#else
#include <acb.h>
#endif
#include <mpfr.h>

#include <string>
#include <utility>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// Bits of the midpoints that operations of this thread round to.
inline thread_local long enclosure_bits = 128;

class EnclosureBits {
 public:
  explicit EnclosureBits(long bits) : before_(std::exchange(enclosure_bits, bits)) {}
  EnclosureBits(const EnclosureBits&) = delete;
  EnclosureBits& operator=(const EnclosureBits&) = delete;
  ~EnclosureBits() { enclosure_bits = before_; }

 private:
  long before_;
};

namespace arb {

// The same names for both types of Arb.

inline void init(arb_ptr x) { arb_init(x); }
inline void init(acb_ptr x) { acb_init(x); }
inline void clear(arb_ptr x) { arb_clear(x); }
inline void clear(acb_ptr x) { acb_clear(x); }
inline void swap(arb_ptr x, arb_ptr y) { arb_swap(x, y); }
inline void swap(acb_ptr x, acb_ptr y) { acb_swap(x, y); }
inline void set(arb_ptr x, arb_srcptr y) { arb_set(x, y); }
inline void set(acb_ptr x, acb_srcptr y) { acb_set(x, y); }
inline void set_si(arb_ptr x, long y) { arb_set_si(x, y); }
inline void set_si(acb_ptr x, long y) { acb_set_si(x, y); }
inline void add(arb_ptr z, arb_srcptr x, arb_srcptr y) { arb_add(z, x, y, enclosure_bits); }
inline void add(acb_ptr z, acb_srcptr x, acb_srcptr y) { acb_add(z, x, y, enclosure_bits); }
inline void sub(arb_ptr z, arb_srcptr x, arb_srcptr y) { arb_sub(z, x, y, enclosure_bits); }
inline void sub(acb_ptr z, acb_srcptr x, acb_srcptr y) { acb_sub(z, x, y, enclosure_bits); }
inline void mul(arb_ptr z, arb_srcptr x, arb_srcptr y) { arb_mul(z, x, y, enclosure_bits); }
inline void mul(acb_ptr z, acb_srcptr x, acb_srcptr y) { acb_mul(z, x, y, enclosure_bits); }
inline void div(arb_ptr z, arb_srcptr x, arb_srcptr y) { arb_div(z, x, y, enclosure_bits); }
inline void div(acb_ptr z, acb_srcptr x, acb_srcptr y) { acb_div(z, x, y, enclosure_bits); }
inline void addmul(arb_ptr z, arb_srcptr x, arb_srcptr y) { arb_addmul(z, x, y, enclosure_bits); }
inline void addmul(acb_ptr z, acb_srcptr x, acb_srcptr y) { acb_addmul(z, x, y, enclosure_bits); }
inline void mul_si(arb_ptr z, arb_srcptr x, long y) { arb_mul_si(z, x, y, enclosure_bits); }
inline void mul_si(acb_ptr z, acb_srcptr x, long y) { acb_mul_si(z, x, y, enclosure_bits); }
inline void div_si(arb_ptr z, arb_srcptr x, long y) { arb_div_si(z, x, y, enclosure_bits); }
inline void div_si(acb_ptr z, acb_srcptr x, long y) { acb_div_si(z, x, y, enclosure_bits); }
inline void neg(arb_ptr z, arb_srcptr x) { arb_neg(z, x); }
inline void neg(acb_ptr z, acb_srcptr x) { acb_neg(z, x); }
inline bool finite(arb_srcptr x) { return arb_is_finite(x) != 0; }
inline bool finite(acb_srcptr x) { return acb_is_finite(x) != 0; }
inline void dot(arb_ptr z, arb_srcptr x, arb_srcptr y, long step, long size) {
  arb_dot(z, nullptr, 0, x, 1, y, step, size, enclosure_bits);
}
inline void dot(acb_ptr z, acb_srcptr x, acb_srcptr y, long step, long size) {
  acb_dot(z, nullptr, 0, x, 1, y, step, size, enclosure_bits);
}
/// An upper bound of the absolute value.
inline void magnitude(mag_t z, arb_srcptr x) { arb_get_mag(z, x); }
inline void magnitude(mag_t z, acb_srcptr x) { acb_get_mag(z, x); }

}  // namespace arb

/// Value: arb_struct or acb_struct.
template <class Value>
class Enclosure {
 public:
  using Arb = Value;
  Enclosure() { arb::init(x_); }
  Enclosure(int value) : Enclosure() { arb::set_si(x_, value); }  // NOLINT: integers are numbers
  Enclosure(double) = delete;                                     // ball_of
  Enclosure(const Enclosure& o) : Enclosure() { arb::set(x_, o.x_); }
  Enclosure(Enclosure&& o) noexcept : Enclosure() { arb::swap(x_, o.x_); }
  Enclosure& operator=(const Enclosure& o) {
    arb::set(x_, o.x_);
    return *this;
  }
  Enclosure& operator=(Enclosure&& o) noexcept {
    arb::swap(x_, o.x_);
    return *this;
  }
  ~Enclosure() { arb::clear(x_); }

  Value* raw() { return x_; }
  const Value* raw() const { return x_; }
  bool finite() const { return arb::finite(x_); }

  Enclosure& operator+=(const Enclosure& o) {
    arb::add(x_, x_, o.x_);
    return *this;
  }
  Enclosure& operator/=(int k) {
    arb::div_si(x_, x_, k);
    return *this;
  }
  friend Enclosure operator+(const Enclosure& x, const Enclosure& y) {
    Enclosure z;
    arb::add(z.x_, x.x_, y.x_);
    return z;
  }
  friend Enclosure operator-(const Enclosure& x, const Enclosure& y) {
    Enclosure z;
    arb::sub(z.x_, x.x_, y.x_);
    return z;
  }
  friend Enclosure operator*(const Enclosure& x, const Enclosure& y) {
    Enclosure z;
    arb::mul(z.x_, x.x_, y.x_);
    return z;
  }
  friend Enclosure operator/(const Enclosure& x, const Enclosure& y) {
    Enclosure z;
    arb::div(z.x_, x.x_, y.x_);
    return z;
  }
  friend Enclosure operator*(int k, const Enclosure& x) {
    Enclosure z;
    arb::mul_si(z.x_, x.x_, k);
    return z;
  }
  friend Enclosure operator/(const Enclosure& x, int k) {
    Enclosure z;
    arb::div_si(z.x_, x.x_, k);
    return z;
  }
  friend Enclosure operator-(const Enclosure& x) {
    Enclosure z;
    arb::neg(z.x_, x.x_);
    return z;
  }
  friend void add_product(Enclosure& sum, const Enclosure& x, const Enclosure& y) {
    arb::addmul(sum.x_, x.x_, y.x_);
  }
  /// Σ x_j y_j over 0 <= j < size.
  friend Enclosure dot(const Enclosure* x, const Enclosure* y, int size) {
    Enclosure z;
    arb::dot(z.x_, x->x_, y->x_, 1, size);
    return z;
  }
  /// Σ x_j y_{size-1-j}: what series multiply by.
  friend Enclosure dot_reversed(const Enclosure* x, const Enclosure* y, int size) {
    Enclosure z;
    if (size > 0) arb::dot(z.x_, x->x_, y[size - 1].x_, -1, size);
    return z;
  }

 private:
  Value x_[1];
};

using RealBall = Enclosure<arb_struct>;
using ComplexBall = Enclosure<acb_struct>;

RealBall sqrt(const RealBall& x);
RealBall sin(const RealBall& x);
RealBall cos(const RealBall& x);
RealBall exp(const RealBall& x);
RealBall log(const RealBall& x);
RealBall tanh(const RealBall& x);
RealBall asin(const RealBall& x);
RealBall acos(const RealBall& x);
RealBall atan(const RealBall& x);
RealBall atan2(const RealBall& y, const RealBall& x);
ComplexBall sqrt(const ComplexBall& x);
ComplexBall sin(const ComplexBall& x);
ComplexBall cos(const ComplexBall& x);
ComplexBall exp(const ComplexBall& x);
ComplexBall log(const ComplexBall& x);
ComplexBall tanh(const ComplexBall& x);
ComplexBall asin(const ComplexBall& x);
ComplexBall acos(const ComplexBall& x);
ComplexBall atan(const ComplexBall& x);
/// Near real (x, y) off the cut x <= 0, y = 0; not finite elsewhere.
ComplexBall atan2(const ComplexBall& y, const ComplexBall& x);

RealBall abs(const RealBall& x);
/// A branch is taken where its condition has one sign over the ball; else nothing is known.
RealBall select(const RealBall& condition, const RealBall& above, const RealBall& below);
ComplexBall abs(const ComplexBall& x);  ///< not analytic: never finite, like select
ComplexBall select(const ComplexBall& condition, const ComplexBall& above,
                   const ComplexBall& below);

RealBall ball_of(const rational& x);
RealBall ball_of(double x);
std::vector<std::string> dumped(const std::vector<RealBall>& balls);  ///< without rounding
std::vector<RealBall> loaded(const std::vector<std::string>& dumped);
real50 middle(const RealBall& x);  ///< rounded
real50 radius(const RealBall& x);  ///< rounded up, with the rounding of middle()

/// Short binary fractions are exact; others stand for numbers within 2^-420 of their size, which is
/// more than a few roundings to 130 digits move them.
template <>
RealBall from_wide<RealBall>(const wide& x);
template <>
ComplexBall from_wide<ComplexBall>(const wide& x);

}  // namespace daemark
