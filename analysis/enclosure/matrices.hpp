// Matrices and magnitudes of enclosures.
#pragma once

#if __has_include(<flint/acb_mat.h>)
#include <flint/acb_mat.h>
#else
#include <acb_mat.h>
#endif
#include <cfloat>
#include <cmath>

#include "analysis/enclosure/enclosure.hpp"

namespace daemark {

namespace arb {

struct RealMatrix {
  using Value = arb_mat_struct;
  static constexpr auto init = arb_mat_init;
  static constexpr auto clear = arb_mat_clear;
  static constexpr auto inverse = arb_mat_approx_inv;
  static constexpr auto middle = arb_mat_get_mid;
  static constexpr auto multiply = arb_mat_mul;
};
struct ComplexMatrix {
  using Value = acb_mat_struct;
  static constexpr auto init = acb_mat_init;
  static constexpr auto clear = acb_mat_clear;
  static constexpr auto inverse = acb_mat_approx_inv;
  static constexpr auto middle = acb_mat_get_mid;
  static constexpr auto multiply = acb_mat_mul;
};

}  // namespace arb

template <class S>
class ArbMatrix {
  using Of = std::conditional_t<std::is_same_v<S, RealBall>, arb::RealMatrix, arb::ComplexMatrix>;

 public:
  ArbMatrix(int rows, int columns) { Of::init(x_, rows, columns); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  ~ArbMatrix() { Of::clear(x_); }
  void set(int i, int j, const S& y) { arb::set(arb_mat_entry(x_, i, j), y.raw()); }
  S get(int i, int j) const {
    S y;
    arb::set(y.raw(), arb_mat_entry(x_, i, j));
    return y;
  }
  bool approximate_inverse(const ArbMatrix& a) {
    const bool found = Of::inverse(x_, a.x_, enclosure_bits) != 0;
    Of::middle(x_, x_);
    return found;
  }
  void multiply(const ArbMatrix& a, const ArbMatrix& b) {
    Of::multiply(x_, a.x_, b.x_, enclosure_bits);
  }

 private:
  typename Of::Value x_[1];
};

/// A magnitude of Arb, with any exponent.
class Magnitude {
 public:
  Magnitude() { mag_init(x_); }
  Magnitude(const Magnitude&) = delete;
  Magnitude& operator=(const Magnitude&) = delete;
  ~Magnitude() { mag_clear(x_); }
  mag_ptr raw() { return x_; }
  /// An upper bound; infinite beyond 2^1000.
  double upper() const {
    if (mag_is_zero(x_)) return 0;
    return mag_cmp_2exp_si(x_, -1000) < 0 ? 0x1p-1000 : mag_get_d(x_);
  }

 private:
  mag_t x_;
};

/// Above a sum of products of magnitudes that was rounded to nearest, a million operations at most,
/// underflow included.
inline double outward(double x) { return x * (1 + 1e-9) + DBL_MIN; }

/// The larger of two bounds; NaN where either is, so that a comparison with it fails.
inline double larger(double x, double y) { return x > y || std::isnan(x) ? x : y; }

/// An upper bound of |x| 2^shift.
template <class S>
double scaled_magnitude(const S& x, long shift) {
  Magnitude m;
  arb::magnitude(m.raw(), x.raw());
  mag_mul_2exp_si(m.raw(), m.raw(), shift);
  return m.upper();
}

/// An upper bound of |x|; infinite beyond the range of double.
template <class S>
double magnitude(const S& x) {
  return scaled_magnitude(x, 0);
}

/// e with |x| < 2^e; small for 0.
template <class S>
int exponent(const S& x) {
  Magnitude m;
  arb::magnitude(m.raw(), x.raw());
  constexpr int of_zero = -1000000;
  return mag_is_zero(m.raw()) ? of_zero : static_cast<int>(MAG_EXP(m.raw()));
}

/// The middle, rounded: no bound.
inline double near_middle(const RealBall& x) {
  return arf_get_d(arb_midref(x.raw()), ARF_RND_NEAR);
}

inline double radius_bound(const RealBall& x) {
  Magnitude m;
  mag_set(m.raw(), arb_radref(x.raw()));
  return m.upper();
}

inline RealBall exact_middle(const RealBall& x) {
  RealBall y;
  arb_get_mid_arb(y.raw(), x.raw());
  return y;
}

inline void add_error(RealBall& x, mag_srcptr error) { arb_add_error_mag(x.raw(), error); }
inline void add_error(ComplexBall& x, mag_srcptr error) { acb_add_error_mag(x.raw(), error); }

/// Σ c_k h^k, k <= order.
inline RealBall polynomial(const RealBall* c, int order, const RealBall& h) {
  RealBall sum = c[order];
  for (int k = order - 1; k >= 0; --k) {
    sum = sum * h;
    sum += c[k];
  }
  return sum;
}

/// Widens x by bound 2^shift.
template <class S>
void add_error(S& x, double bound, long shift = 0) {
  Magnitude m;
  mag_set_d(m.raw(), bound);
  mag_mul_2exp_si(m.raw(), m.raw(), shift);
  add_error(x, m.raw());
}

}  // namespace daemark
