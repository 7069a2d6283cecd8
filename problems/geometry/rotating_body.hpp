// The rotation of one rigid body as a part of a model: inertia, gyroscopic terms and energy, in
// increments on a chart and in a quaternion. Inertia J is diagonal in the body's frame.
//
// chart: Cayley–Gibbs–Rodrigues increments, R = R(g) R_ref (rotation.hpp). In the frame of R_ref:
//   ν = Gᵀ ġ with constant inertia J_ref = R_ref J R_refᵀ, so that G (J_ref ν̇ + ν × J_ref ν) is
//   what moments meet (charts.hpp).
// quaternion p: Ω = 2 vector part of p* ṗ, with p·p = 1 as a row, (p·p − 1)/2.
#pragma once

#include <algorithm>

#include "base/graph/derivative.hpp"
#include "problems/geometry/charts.hpp"

namespace daemark::rotation {

template <class T, class S>
Vec3<T> scaled(const Vec3<S>& diagonal, const Vec3<T>& x) {
  return {T(diagonal[0]) * x[0], T(diagonal[1]) * x[1], T(diagonal[2]) * x[2]};
}

class RotationOnChart {
 public:
  static constexpr int width = 3;
  explicit RotationOnChart(const Vec3<wide>& inertia) : diagonal_(inertia) { turn_inertia(); }

  void set(const Var* numbers) {
    std::copy_n(numbers, 4, reference_.begin());
    turn_inertia();
  }
  /// From R = I, with spin Ω; what is not written is zero.
  static void initial(const Vec3<wide>& spin, Var*, Var* rate) {
    std::copy(spin.begin(), spin.end(), rate);
  }
  /// R x
  Vec3<Var> turned(const Var* g, const Vec3<wide>& x) const {
    return cayley_rotate(vector(g), rotate(reference_, constant<Var>(x)));
  }
  /// G J_ref Gᵀ into three rows of `stride` entries.
  void mass(const Var* g, Var* M, int stride) const {
    for (int j = 0; j < 3; ++j) {
      Vec3<Var> unit;
      unit[j] = 1;
      const Vec3<Var> column =
          cayley_spin(vector(g), momentum(cayley_spin_transposed(vector(g), unit)));
      for (int i = 0; i < 3; ++i) M[stride * i + j] = column[i];
    }
  }
  /// −G (J_ref Ġᵀ ġ + ν × J_ref ν).
  void gyroscopic(const Var* at, const Var* rate_at, Var* f) const {
    const Vec3<Var> g = vector(at), rate = vector(rate_at), nu = cayley_spin_transposed(g, rate);
    const Var stretch = cayley_scale(g) * dot(g, rate) / -2;  // ν̇ = stretch ν + Gᵀ g̈
    const Vec3<Var> moment =
        cayley_spin(g, combine(stretch, momentum(nu), Var(1), cross(nu, momentum(nu))));
    for (int i = 0; i < 3; ++i) f[i] = -moment[i];
  }

 private:
  Vec3<Var> momentum(const Vec3<Var>& x) const {
    return {dot(inertia_[0], x), dot(inertia_[1], x), dot(inertia_[2], x)};
  }
  void turn_inertia() {
    for (int j = 0; j < 3; ++j) {
      Vec3<Var> unit;
      unit[j] = 1;
      const Vec3<Var> x =
          rotate(reference_, scaled(diagonal_, rotate(conjugate(reference_), unit)));
      for (int i = 0; i < 3; ++i) inertia_[i][j] = x[i];
    }
  }

  Vec3<wide> diagonal_;
  Quaternion<Var> reference_{1, 0, 0, 0};  ///< R_ref
  std::array<Vec3<Var>, 3> inertia_;       ///< J_ref
};

struct RotationInQuaternion {
  static constexpr int width = 4;
  Vec3<wide> inertia;

  /// From R = I, with spin Ω; what is not written is zero.
  static void initial(const Vec3<wide>& spin, Var* p, Var* rate) {
    p[0] = 1;
    for (int i = 0; i < 3; ++i) rate[1 + i] = spin[i] / 2;
  }
  /// R x
  static Vec3<Var> turned(const Var* p, const Vec3<wide>& x) {
    return rotate(quaternion(p), constant<Var>(x));
  }
  /// Ω; its transpose is pull_back.
  static Vec3<Var> spin(const Var* p, const Var* rate) {
    const Vec3<Var> u = vector(p + 1), w = vector(rate + 1), n = cross(u, w);
    Vec3<Var> omega;
    for (int i = 0; i < 3; ++i) omega[i] = 2 * (p[0] * w[i] - rate[0] * u[i] - n[i]);
    return omega;
  }
  static void pull_back(const Var* p, const Vec3<Var>& x, Var* on_p) {
    const Vec3<Var> u = vector(p + 1), n = cross(u, x);
    on_p[0] = -2 * dot(u, x);
    for (int i = 0; i < 3; ++i) on_p[1 + i] = 2 * (p[0] * x[i] + n[i]);
  }
  /// Into four rows of `stride` entries.
  void mass(const Var* p, Var* M, int stride) const {
    for (int j = 0; j < 4; ++j) {
      Quaternion<Var> unit, column;
      unit[j] = 1;
      pull_back(p, scaled(inertia, spin(p, unit.data())), column.data());
      for (int i = 0; i < 4; ++i) M[stride * i + j] = column[i];
    }
  }
  void gyroscopic(const Var* p, const Var* rate, Var* f) const {
    const Vec3<Var> omega = spin(p, rate);
    pull_back(p, cross(scaled(inertia, omega), omega), f);
  }
  static Var norm_row(const Var* p) {
    return (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1) / 2;
  }
  static void show(const Var* p, const Var* rate, Var* psi, Var* omega) {
    const Vec3<Var> turn = logarithm(quaternion(p)), w = spin(p, rate);
    std::copy(turn.begin(), turn.end(), psi), std::copy(w.begin(), w.end(), omega);
  }
};

}  // namespace daemark::rotation
