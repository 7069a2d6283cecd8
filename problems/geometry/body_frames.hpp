// A mechanism with rotations on a chart as a Lie group: its configurations are Rᵏ × SO(3)ᵏ, its
// velocities those of the frames of the bodies, (ẋ, Ω = Rᵀω). At the origin of a chart, g = 0,
// increments have ġ = ω = R Ω and g̈ = R Ω̇, so that a mechanism evaluated there, with the chart at
// R, gives the equations on the group. Flat mechanisms are Rⁿ.
#pragma once

#include <vector>

#include "base/numbers/scalar.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/system/mechanical_system.hpp"

// The tangent map of the exponential of SO(3), in the frame of the body, and Cayley increments from
// spins. For any scalar-like T: sums of series that are entire, so that nothing branches near zero;
// for turns of at most 2π.
//
//   d/dt exp(w) = exp(w) (T(w) ẇ)×,  T(w) = I − c₁ w× + d₁ w× w×,  T⁻¹(w) = I + ½ w× + e₁ w× w×
//   c₁ = (1 − cos x)/x², d₁ = (x − sin x)/x³, e₁ = (1 − x/2 cot(x/2))/x², x = |w|
// [Brüls, Cardona & Arnold 2012, eqs. of SO(3); Hante & Arnold 2021 use the same signs]
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

namespace daemark {

template <class S>
class BodyFrames {
 public:
  /// Throws BadInput where a chart is of another kind than rotations beside each other.
  explicit BodyFrames(const MechanicalSystem<S>& mechanism);

  bool flat() const { return first_.empty(); }
  /// The rotation that coordinate j belongs to, −1: none; and its first coordinate.
  int rotation_of(int j) const { return rotation_of_[j]; }
  int first_of(int rotation) const { return first_[rotation]; }

  /// Rates in the frames of bodies from those in space, and back, n entries; `chart` at R.
  void to_body(const S* chart, const S* space, S* body) const;
  void to_space(const S* chart, const S* body, S* space) const;
  /// The configuration (q, chart) · exp(w), w in the frame of bodies; q has no increments, nor has
  /// q_to.
  void move(const S* q, const S* chart, const S* w, S* q_to, S* chart_to) const;
  /// q, v, v̇ at (q_at, chart_at) with rates v, a of bodies, in the coordinates of another chart.
  void to_chart(const S* chart, const S* q_at, const S* chart_at, const S* body_v, const S* body_a,
                S* q, S* v, S* a) const;
  /// to = T(w) x and T⁻¹(w) x.
  void tangent(const S* w, const S* x, S* to) const;
  void tangent_inverse(const S* w, const S* x, S* to) const;
  /// Columns R e_k of a rotation, as rows: [k] = R e_k.
  std::array<rotation::Vec3<S>, 3> axes(const S* chart, int rotation) const;

 private:
  int n_;
  std::vector<int> first_, rotation_of_;
};

/// Whether M is constant in the frames of the bodies and forces depend on velocities by gyroscopic
/// moments alone, −Ω × ∂T/∂Ω: what variational integrators on groups ask for.
bool has_rigid_inertia(MechanicalSystem<double>& mechanism);

}  // namespace daemark
