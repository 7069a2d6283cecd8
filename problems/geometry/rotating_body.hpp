// The rotation of one rigid body as a part of a model: inertia, gyroscopic terms and energy, in
// increments on a chart and in a quaternion. Inertia J is diagonal in the body's frame.
//
// chart: Cayley–Gibbs–Rodrigues increments, R = R(g) R_ref (rotation.hpp). In the frame of R_ref:
//   ν = Gᵀ ġ with constant inertia J_ref = R_ref J R_refᵀ, so that G (J_ref ν̇ + ν × J_ref ν) is
//   what moments meet (charts.hpp).
// quaternion p: Ω = 2 vector part of p* ṗ, with p·p = 1 as a row, (p·p − 1)/2.
#pragma once

#include <algorithm>

#include "base/numbers/jet.hpp"
#include "problems/geometry/charts.hpp"

namespace daemark::rotation {

template <class T, class S>
Vec3<T> scaled(const Vec3<S>& diagonal, const Vec3<T>& x) {
  return {T(diagonal[0]) * x[0], T(diagonal[1]) * x[1], T(diagonal[2]) * x[2]};
}

template <class S>
class RotationOnChart {
 public:
  explicit RotationOnChart(const Vec3<S>& inertia) : diagonal_(inertia) { turn_inertia(); }

  const Quaternion<S>& reference() const { return reference_; }
  void set(const S* numbers) {
    std::copy_n(numbers, 4, reference_.begin());
    turn_inertia();
  }
  /// G J_ref Gᵀ into three rows of `stride` entries.
  template <class T>
  void mass(const T* g, T* M, int stride) const {
    for (int j = 0; j < 3; ++j) {
      Vec3<T> unit{T(0), T(0), T(0)};
      unit[j] = T(1);
      const Vec3<T> column =
          cayley_spin(vector(g), momentum(cayley_spin_transposed(vector(g), unit)));
      for (int i = 0; i < 3; ++i) M[stride * i + j] = column[i];
    }
  }
  /// −G (J_ref Ġᵀ ġ + ν × J_ref ν).
  template <class T>
  void gyroscopic(const T* at, const T* rate_at, T* f) const {
    const Vec3<T> g = vector(at), rate = vector(rate_at), nu = cayley_spin_transposed(g, rate);
    const T stretch = cayley_scale(g) * dot(g, rate) / T(-2);  // ν̇ = stretch ν + Gᵀ g̈
    const Vec3<T> moment =
        cayley_spin(g, combine(stretch, momentum(nu), T(1), cross(nu, momentum(nu))));
    for (int i = 0; i < 3; ++i) f[i] = -moment[i];
  }
  template <class T>
  T kinetic(const T* g, const T* rate) const {
    const Vec3<T> nu = cayley_spin_transposed(vector(g), vector(rate));
    return dot(nu, momentum(nu)) / T(2);
  }

 private:
  template <class T>
  Vec3<T> momentum(const Vec3<T>& x) const {
    Vec3<T> y;
    for (int i = 0; i < 3; ++i)
      y[i] = T(inertia_[i][0]) * x[0] + T(inertia_[i][1]) * x[1] + T(inertia_[i][2]) * x[2];
    return y;
  }
  void turn_inertia() {
    for (int j = 0; j < 3; ++j) {
      Vec3<S> unit{S(0), S(0), S(0)};
      unit[j] = S(1);
      const Vec3<S> x = rotate(reference_, scaled(diagonal_, rotate(conjugate(reference_), unit)));
      for (int i = 0; i < 3; ++i) inertia_[i][j] = x[i];
    }
  }

  Vec3<S> diagonal_;
  Quaternion<S> reference_{S(1), S(0), S(0), S(0)};  ///< R_ref
  std::array<Vec3<S>, 3> inertia_;                   ///< J_ref
};

template <class S>
struct RotationInQuaternion {
  Vec3<S> inertia;

  /// Ω; its transpose is pull_back.
  template <class T>
  static Vec3<T> spin(const T* p, const T* rate) {
    const Vec3<T> u = vector(p + 1), w = vector(rate + 1), n = cross(u, w);
    Vec3<T> omega;
    for (int i = 0; i < 3; ++i) omega[i] = T(2) * (p[0] * w[i] - rate[0] * u[i] - n[i]);
    return omega;
  }
  template <class T>
  static void pull_back(const T* p, const Vec3<T>& x, T* on_p) {
    const Vec3<T> u = vector(p + 1), n = cross(u, x);
    on_p[0] = T(-2) * dot(u, x);
    for (int i = 0; i < 3; ++i) on_p[1 + i] = T(2) * (p[0] * x[i] + n[i]);
  }
  /// Into four rows of `stride` entries.
  template <class T>
  void mass(const T* p, T* M, int stride) const {
    for (int j = 0; j < 4; ++j) {
      Quaternion<T> unit{T(0), T(0), T(0), T(0)}, column;
      unit[j] = T(1);
      pull_back(p, scaled(inertia, spin(p, unit.data())), column.data());
      for (int i = 0; i < 4; ++i) M[stride * i + j] = column[i];
    }
  }
  template <class T>
  void gyroscopic(const T* p, const T* rate, T* f) const {
    const Vec3<T> omega = spin(p, rate);
    pull_back(p, cross(scaled(inertia, omega), omega), f);
  }
  template <class T>
  static T norm_row(const T* p) {
    return (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - T(1)) / T(2);
  }
  template <class T>
  T kinetic(const T* p, const T* rate) const {
    const Vec3<T> omega = spin(p, rate);
    return dot(omega, scaled(inertia, omega)) / T(2);
  }
  static void show(const S* p, const S* rate, S* psi, S* omega) {
    const Vec3<S> turn = logarithm(Quaternion<S>{p[0], p[1], p[2], p[3]}), w = spin(p, rate);
    std::copy(turn.begin(), turn.end(), psi), std::copy(w.begin(), w.end(), omega);
  }
};

}  // namespace daemark::rotation
