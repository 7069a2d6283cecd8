// Laws of joints and couplings between two planar bodies, for ConstraintElement and ForceElement.
//
// Local coordinates: z = (x_a, y_a, θ_a, x_b, y_b, θ_b); the ground's entries are constants 0.
#pragma once

#include <array>

#include "problems/elements/element_laws.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

/// World position of a body-fixed point and the lever R s from the mass centre.
template <class T>
struct WorldPoint {
  T x, y, lever_x, lever_y;
};

template <class S, class T>
WorldPoint<T> world_point(const T* pose, const std::array<S, 2>& s) {
  using std::cos;
  using std::sin;
  const T c = cos(pose[2]), n = sin(pose[2]);
  const T lx = c * T(s[0]) - n * T(s[1]), ly = n * T(s[0]) + c * T(s[1]);
  return {pose[0] + lx, pose[1] + ly, lx, ly};
}

template <class S>
struct PrismaticJoint {
  static constexpr int size = 6, rows = 2;
  std::array<S, 2> on_a, on_b;
  S angle, offset;

  /// φ_1 = θ_b − θ_a − offset, φ_2 = normal_a · (P_b − P_a).
  template <class T>
  void constraint(const T&, const T* z, T* phi) const {
    using std::cos;
    using std::sin;
    const WorldPoint<T> pa = world_point<S, T>(z, on_a), pb = world_point<S, T>(z + 3, on_b);
    phi[0] = z[5] - z[2] - T(offset);
    const T direction = z[2] + T(angle);
    phi[1] = cos(direction) * (pb.y - pa.y) - sin(direction) * (pb.x - pa.x);
  }
  /// The first row is linear.
  bool fills(ElementBlock block, int i, int) const {
    return block == ElementBlock::gradient || block == ElementBlock::residual_q ||
           (block == ElementBlock::curvature && i == 1);
  }
};

template <class S>
struct PlanarCoupling {
  using Kind = PlanarMechanism::Coupling;
  static constexpr int size = 6;
  Kind kind;
  std::array<S, 2> on_a, on_b;
  S coefficient, rest;

  bool is_damper() const { return kind == Kind::damper || kind == Kind::torsion_damper; }
  bool uses_velocity() const { return is_damper(); }
  bool has_power() const { return is_damper(); }

  /// Generalised force on z; z_rate is used by dampers only.
  template <class T>
  void force(const T&, const T* z, const T* z_rate, T* f) const {
    using std::sqrt;
    for (int i = 0; i < 6; ++i) f[i] = T(0);
    if (kind == Kind::torsion_spring || kind == Kind::torsion_damper) {
      const T moment = kind == Kind::torsion_spring ? T(coefficient) * (z[5] - z[2] - T(rest))
                                                    : T(coefficient) * (z_rate[5] - z_rate[2]);
      f[2] = moment;
      f[5] = -moment;
      return;
    }
    const WorldPoint<T> pa = world_point<S, T>(z, on_a), pb = world_point<S, T>(z + 3, on_b);
    const T dx = pb.x - pa.x, dy = pb.y - pa.y;
    const T length = sqrt(dx * dx + dy * dy);
    T tension_per_length;
    if (kind == Kind::spring) {
      tension_per_length = T(coefficient) * (T(1) - T(rest) / length);
    } else {
      const T rx = z_rate[3] - pb.lever_y * z_rate[5] - z_rate[0] + pa.lever_y * z_rate[2];
      const T ry = z_rate[4] + pb.lever_x * z_rate[5] - z_rate[1] - pa.lever_x * z_rate[2];
      tension_per_length = T(coefficient) * (dx * rx + dy * ry) / (length * length);
    }
    const T fx = tension_per_length * dx, fy = tension_per_length * dy;  // on a, towards b
    f[0] = fx, f[1] = fy, f[2] = pa.lever_x * fy - pa.lever_y * fx;
    f[3] = -fx, f[4] = -fy, f[5] = pb.lever_y * fx - pb.lever_x * fy;
  }

  S potential(const S&, const S* z) const {
    using std::sqrt;
    if (is_damper()) return S(0);
    S stretch;
    if (kind == Kind::torsion_spring) {
      stretch = z[5] - z[2] - rest;
    } else {
      const WorldPoint<S> pa = world_point<S, S>(z, on_a), pb = world_point<S, S>(z + 3, on_b);
      const S dx = pb.x - pa.x, dy = pb.y - pa.y;
      stretch = sqrt(S(dx * dx + dy * dy)) - rest;
    }
    return coefficient * stretch * stretch / S(2);
  }
};

}  // namespace daemark
