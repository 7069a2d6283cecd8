// The tangent map of the exponential of SO(3), in the frame of the body, and Cayley increments from
// spins. For any scalar-like T: sums of series that are entire, so that nothing branches near zero;
// for turns of at most 2π.
//
//   d/dt exp(w) = exp(w) (T(w) ẇ)×,  T(w) = I − c₁ w× + d₁ w× w×,  T⁻¹(w) = I + ½ w× + e₁ w× w×
//   c₁ = (1 − cos x)/x², d₁ = (x − sin x)/x³, e₁ = (1 − x/2 cot(x/2))/x², x = |w|
// [Brüls, Cardona & Arnold 2012, eqs. of SO(3); Hante & Arnold 2021 use the same signs]
#pragma once

#include "base/numbers/scalar.hpp"
#include "problems/geometry/rotation.hpp"

namespace daemark::rotation {

/// Σ_k (−1)^k numerator(k) z^k/(2k + first)!, summed to `terms` terms, the smallest first.
template <class T, class Numerator>
T alternating_series(const T& z, int first, int terms, Numerator numerator) {
  T sum(0.0);
  for (int k = terms; k-- > 0;) {
    // Horner: term k and what follows it, over the factorials between.
    sum = T(numerator(k)) -
          z * sum / T(static_cast<double>((2 * k + first + 1) * (2 * k + first + 2)));
  }
  double factorial = 1;
  for (int i = 2; i <= first; ++i) factorial *= i;
  return sum / T(factorial);
}

/// Terms for |z| ≤ (2π)² in the scalar S: of that size a term is z^k/(2k)!.
template <class S>
int series_terms() {
  return std::is_same_v<S, double> ? 22 : 40;
}

template <class T>
struct TangentScales {
  T c1, d1, e1;
};

template <class T>
TangentScales<T> tangent_scales(const Vec3<T>& w, int terms) {
  const T z = dot(w, w);
  const auto one = [](int) { return 1.0; };
  const T c1 = alternating_series(z, 2, terms, one), d1 = alternating_series(z, 3, terms, one);
  // (2 c₁ − sin x/x)/x² over 2 c₁
  const T e = alternating_series(z, 4, terms, [](int k) { return 2.0 * (k + 1); });
  return {c1, d1, e / (c1 + c1)};
}

/// T(w) x.
template <class T>
Vec3<T> tangent(const Vec3<T>& w, const Vec3<T>& x, int terms) {
  const TangentScales<T> s = tangent_scales(w, terms);
  const Vec3<T> once = cross(w, x), turned = combine(-s.c1, once, s.d1, cross(w, once));
  return combine(T(1.0), x, T(1.0), turned);
}
/// T⁻¹(w) x.
template <class T>
Vec3<T> tangent_inverse(const Vec3<T>& w, const Vec3<T>& x, int terms) {
  const TangentScales<T> s = tangent_scales(w, terms);
  const Vec3<T> once = cross(w, x), turned = combine(T(0.5), once, s.e1, cross(w, once));
  return combine(T(1.0), x, T(1.0), turned);
}

/// ġ of an increment g whose frame spins with ω: G⁻¹ω = ω − ½ g × ω + ¼ g (g·ω).
template <class T>
Vec3<T> cayley_rate(const Vec3<T>& g, const Vec3<T>& omega) {
  const Vec3<T> turned = combine(T(-0.5), cross(g, omega), T(dot(g, omega) / T(4.0)), g);
  return combine(T(1.0), omega, T(1.0), turned);
}
/// g̈ of the same, with ġ and ω̇.
template <class T>
Vec3<T> cayley_acceleration(const Vec3<T>& g, const Vec3<T>& rate, const Vec3<T>& omega,
                            const Vec3<T>& omega_rate) {
  const Vec3<T> drag = combine(T(-0.5), cross(rate, omega), T(dot(g, omega) / T(4.0)), rate);
  const Vec3<T> all = combine(T(1.0), drag, T(dot(rate, omega) / T(4.0)), g);
  return combine(T(1.0), all, T(1.0), cayley_rate(g, omega_rate));
}

}  // namespace daemark::rotation
