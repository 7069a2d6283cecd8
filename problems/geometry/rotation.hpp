// Rotations of space, for any scalar-like T: vectors, quaternions, the exponential and its inverse,
// and the Cayley map of Gibbs–Rodrigues increments. Nothing allocates. `inline` is meant: calls of
// functions this small would cost as much as what they do.
//
// A quaternion is (scalar, vector); the unit quaternion p turns x into p x p* . Rotation vectors ψ:
// axis times angle [rad]. Increments g of the Cayley map: g = 2 tan(φ/2) n, |φ| < π, with
//   R(g) = I + c (g× + ½ g× g×), c = 4/(4 + g²); spin of the frame ω = G ġ, G = c (I + ½ g×).
#pragma once

#include <array>
#include <cmath>

#include "base/graph/graph.hpp"

namespace daemark::rotation {

template <class T>
using Vec3 = std::array<T, 3>;
template <class T>
using Quaternion = std::array<T, 4>;  ///< (scalar, vector)

template <class T>
inline T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
inline Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// s a + t b
template <class T>
inline Vec3<T> combine(const T& s, const Vec3<T>& a, const T& t, const Vec3<T>& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}
template <class T>
inline Vec3<T> vector(const T* x) {
  return {x[0], x[1], x[2]};
}
/// The same in another scalar: numbers among recorded ones.
template <class T, class S>
Vec3<T> constant(const Vec3<S>& x) {
  return {T(x[0]), T(x[1]), T(x[2])};
}

/// (p0² − |p|²) x + 2 p (p·x) + 2 p0 p × x: the rotation for unit p, homogeneous otherwise.
template <class T>
inline Vec3<T> rotate(const Quaternion<T>& p, const Vec3<T>& x) {
  const Vec3<T> axis{p[1], p[2], p[3]};
  const T along = dot(axis, x), keep = p[0] * p[0] - dot(axis, axis);
  const Vec3<T> turned = combine(T(along + along), axis, T(p[0] + p[0]), cross(axis, x));
  return combine(keep, x, T(1), turned);
}
/// The inverse of a unit quaternion.
template <class T>
inline Quaternion<T> conjugate(const Quaternion<T>& p) {
  return {p[0], -p[1], -p[2], -p[3]};
}
/// First b, then a: rotate(product(a, b), x) = rotate(a, rotate(b, x)).
template <class T>
inline Quaternion<T> product(const Quaternion<T>& a, const Quaternion<T>& b) {
  const Vec3<T> u{a[1], a[2], a[3]}, w{b[1], b[2], b[3]};
  const Vec3<T> v = combine(a[0], w, b[0], u), n = cross(u, w);
  return {a[0] * b[0] - dot(u, w), v[0] + n[0], v[1] + n[1], v[2] + n[2]};
}

template <class S>
Quaternion<S> quaternion(const S* p) {
  return {p[0], p[1], p[2], p[3]};
}
/// The quaternion of R(g), not normalised.
template <class S>
Quaternion<S> cayley_quaternion(const S* g) {
  return {S(1), S(g[0] / S(2)), S(g[1] / S(2)), S(g[2] / S(2))};
}
template <class S>
Quaternion<S> normalised(Quaternion<S> p) {
  using std::sqrt;
  const S length = sqrt(S(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]));
  for (S& x : p) x /= length;
  return p;
}

/// The unit quaternion of a rotation vector.
template <class S>
Quaternion<S> exponential(const Vec3<S>& psi) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const S angle = sqrt(dot(psi, psi)), half = angle / S(2);
  const S factor = select(angle, S(sin(half) / angle), S(0.5));
  return {cos(half), factor * psi[0], factor * psi[1], factor * psi[2]};
}
/// The rotation vector of length at most π; p need not be a unit.
template <class S>
Vec3<S> logarithm(const Quaternion<S>& p) {
  using std::atan2;
  using std::sqrt;
  const S sign = select(S(-p[0]), S(-1), S(1));
  const Vec3<S> v{sign * p[1], sign * p[2], sign * p[3]};
  const S sine = sqrt(dot(v, v));
  const S factor = select(sine, S(S(2) * atan2(sine, S(sign * p[0])) / sine), S(0));
  return {factor * v[0], factor * v[1], factor * v[2]};
}

/// c = 4/(4 + g²).
template <class T>
inline T cayley_scale(const Vec3<T>& g) {
  return T(4) / (T(4) + dot(g, g));
}
/// R(g) x.
template <class T>
inline Vec3<T> cayley_rotate(const Vec3<T>& g, const Vec3<T>& x) {
  const Vec3<T> once = cross(g, x);
  const Vec3<T> turned = combine(T(1), once, T(0.5), cross(g, once));
  const T c = cayley_scale(g);
  return {x[0] + c * turned[0], x[1] + c * turned[1], x[2] + c * turned[2]};
}
/// G x: the spin ω, in the frame the increments start from, of g with rate x.
template <class T>
inline Vec3<T> cayley_spin(const Vec3<T>& g, const Vec3<T>& x) {
  const T c = cayley_scale(g);
  return combine(c, x, T(c / T(2)), cross(g, x));
}
/// Gᵀ x: of a rate the spin in the turned frame, of a moment its components along g.
template <class T>
inline Vec3<T> cayley_spin_transposed(const Vec3<T>& g, const Vec3<T>& x) {
  const T c = cayley_scale(g);
  return combine(c, x, T(c / T(-2)), cross(g, x));
}

}  // namespace daemark::rotation
