// Contacts of the wheelset (wheelset.cpp has the equations): where wheel and rail touch, and the
// forces of creep there.
#pragma once

#include <array>
#include <cmath>

#include "base/numbers/jet.hpp"
#include "base/numbers/scalar.hpp"

namespace daemark::wheelset {

enum Coordinate { x, y, z, theta, phi, beta, psi_left, xi_left, psi_right, xi_right };

template <class S>
struct WheelsetData {
  S mass, gravity, speed, radius, J1, J2, friction, arm, springs_x, springs_z;
  S E, G, sigma, shear, C11, C22, C23, pi;
  S slope, half_width, rail, rail_sine, rail_cosine;  ///< of δ0: tangent, and r_s times the others
  std::array<S, 10> start;
  std::array<S, 2> touch;  ///< multipliers of touch at the start, nearly

  /// Every number as `to` has it.
  template <class F>
  auto with(F to) const {
    WheelsetData<decltype(to(mass))> out{to(mass),
                                         to(gravity),
                                         to(speed),
                                         to(radius),
                                         to(J1),
                                         to(J2),
                                         to(friction),
                                         to(arm),
                                         to(springs_x),
                                         to(springs_z),
                                         to(E),
                                         to(G),
                                         to(sigma),
                                         to(shear),
                                         to(C11),
                                         to(C22),
                                         to(C23),
                                         to(pi),
                                         to(slope),
                                         to(half_width),
                                         to(rail),
                                         to(rail_sine),
                                         to(rail_cosine),
                                         {},
                                         {}};
    for (int i = 0; i < 10; ++i) out.start[i] = to(start[i]);
    for (int i = 0; i < 2; ++i) out.touch[i] = to(touch[i]);
    return out;
  }
};

template <class S>
struct Contacts {
  WheelsetData<S> d;

  /// g, g', g'' at a place of the left (1) or right (−1) rail.
  template <class T>
  std::array<T, 3> rail(int side, const T& across) const {
    using std::sqrt;
    const T sign(S{static_cast<double>(side)}), inner(S(d.half_width + d.rail_sine)),
        square(S(d.rail * d.rail)), from = sign * across - inner,
                                    height = sqrt(T(square - from * from));
    return {height - T(S(d.radius + d.rail_cosine)), -(sign * from) / height,
            -square / (height * height * height)};
  }

  template <class T>
  struct Contact {
    int side;
    T sin_theta, cos_theta, sin_phi, cos_phi, sin_psi, cos_psi, xi;
    T radius, slope;          ///< R, R'
    T rail_slope, rail_bend;  ///< g', g''
    T touch, normal, skew;    ///< the rows
    T by_x, by_theta;         ///< ∂touch/∂x, ∂touch/∂θ
    T sin_delta, cos_delta;   ///< of the contact plane

    Contact(const Contacts& model, int of_side, const T* q) : side(of_side) {
      using std::cos;
      using std::sin;
      using std::sqrt;
      const T* const own = q + (side > 0 ? psi_left : psi_right);
      const WheelsetData<S>& d = model.d;
      const T sign(S{static_cast<double>(side)}), one(S(1));
      sin_theta = sin(q[theta]), cos_theta = cos(q[theta]);
      sin_phi = sin(q[phi]), cos_phi = cos(q[phi]);
      sin_psi = sin(own[0]), cos_psi = cos(own[0]), xi = own[1];
      radius = T(d.radius) + T(d.slope) * (T(d.half_width) - sign * xi);
      slope = -sign * T(d.slope);
      const T across = q[x] + xi * cos_theta * cos_phi +
                       radius * (cos_theta * sin_phi * cos_psi - sin_theta * sin_psi);
      const auto [height, rise, bend] = model.rail(side, across);
      rail_slope = rise, rail_bend = bend;
      touch = height - q[y] - xi * sin_phi + radius * cos_phi * cos_psi;
      const T up = slope * sin_phi + cos_phi * cos_psi,
              over = (slope * cos_phi - sin_phi * cos_psi) * cos_theta + sin_psi * sin_theta;
      normal = rise * up + over;
      skew = (slope * cos_phi - sin_phi * cos_psi) * sin_theta - cos_theta * sin_psi;
      by_x = rise;
      by_theta = -rise * (radius * (cos_theta * sin_psi + cos_psi * sin_phi * sin_theta) +
                          cos_phi * sin_theta * xi);
      const T tangent = -sign * over / up;
      cos_delta = one / sqrt(T(one + tangent * tangent));
      sin_delta = tangent * cos_delta;
    }

    /// About the axes of yaw, roll and spin, of a force (x, y, z) in the contact.
    std::array<T, 3> moments(const std::array<T, 3>& force) const {
      const T &a = force[0], &b = force[1], &c = force[2];
      return {-(xi * sin_theta + radius * sin_psi * cos_theta * cos_phi) * a -
                  radius * sin_psi * sin_phi * b +
                  (radius * sin_psi * sin_theta * cos_phi - xi * cos_theta) * c,
              (radius * cos_psi * cos_phi - xi * sin_phi) * (cos_theta * a - sin_theta * c) +
                  (xi * cos_phi + radius * cos_psi * sin_phi) * b,
              radius * (sin_psi * cos_phi * b -
                        (cos_psi * sin_theta + sin_psi * cos_theta * sin_phi) * a -
                        (cos_psi * cos_theta - sin_psi * sin_theta * sin_phi) * c)};
    }
  };

  /// Left and right, from (0, 0) = Σ of their components and the rails' forces on x and y.
  template <class T>
  static std::array<T, 2> normal_forces(const Contact<T>& left, const Contact<T>& right,
                                        const T* lambda) {
    const T across = -(left.by_x * lambda[0] + right.by_x * lambda[1]), up = lambda[0] + lambda[1],
            determinant = -(left.sin_delta * right.cos_delta + right.sin_delta * left.cos_delta);
    return {(right.cos_delta * across - right.sin_delta * up) / determinant,
            -(left.cos_delta * across + left.sin_delta * up) / determinant};
  }

  /// Half the size of the contact ellipse, from the curvatures of wheel and rail.
  template <class T>
  T ellipse(const Contact<T>& at, const T& N) const {
    using std::sqrt;
    const T one(S(1)), half(S(1) / S(2));
    const T rolling = half / (at.radius * sqrt(T(one + at.slope * at.slope))),
            steep = one + at.rail_slope * at.rail_slope,
            across = -half * at.rail_bend / (steep * sqrt(steep));
    return cube_root(T(T(S(3 * (1 - d.sigma) * d.E)) * abs(N) /
                       (T(S(2 * d.pi)) * (rolling + across) * T(S(d.shear * sqrt(d.G))))));
  }

  /// Along, across and turning: velocities in the contact over that of rolling. The wheel is turned
  /// by θ / cos δ, with sine s and cosine c.
  template <class T>
  std::array<T, 3> creepages(const Contact<T>& at, const T* v, const T& s, const T& c) const {
    using std::sqrt;
    const T two(S(2)), sign(S{static_cast<double>(at.side)}),
        spin = T(S(d.speed / d.radius)) + v[beta];
    const T lever = at.xi * at.sin_phi - at.radius * at.cos_phi * at.cos_psi,
            ahead =
                at.radius * (c * at.sin_phi * at.cos_psi - s * at.sin_psi) + at.xi * c * at.cos_phi,
            aside =
                at.radius * (s * at.sin_phi * at.cos_psi + c * at.sin_psi) + at.xi * s * at.cos_phi;
    const std::array<T, 3> slip{
        v[x] - spin * at.radius * (s * at.cos_psi + c * at.sin_phi * at.sin_psi) -
            v[theta] * aside - v[phi] * c * lever,
        v[y] + spin * at.radius * at.cos_phi * at.sin_psi +
            v[phi] * (at.xi * at.cos_phi + at.radius * at.sin_phi * at.cos_psi),
        v[z] + T(d.speed) - spin * at.radius * (c * at.cos_psi - s * at.sin_phi * at.sin_psi) -
            v[theta] * ahead + v[phi] * s * lever};
    const T r0 = slip[0] - two * v[x], r1 = slip[1] - two * v[y],
            r2 = slip[2] - two * v[z] - T(S(2 * d.speed));
    const T rolling = sqrt(T(r0 * r0 + r1 * r1 + r2 * r2)) / two;
    return {
        (s * slip[0] + c * slip[2]) / rolling,
        (c * at.cos_delta * slip[0] + sign * at.sin_delta * slip[1] - s * at.cos_delta * slip[2]) /
            rolling,
        (at.cos_delta * v[theta] - sign * at.sin_delta * spin) / rolling};
  }

  template <class T>
  struct Creep {
    T s, c;               ///< of θ / cos δ
    T forward, sideways;  ///< in the contact plane, before the cut-off
    T asked;              ///< of friction: their sum over μ |N|
  };
  template <class T>
  Creep<T> creep(const Contact<T>& at, const T* q, const T* v, const T& N) const {
    using std::cos;
    using std::sin;
    using std::sqrt;
    using std::tanh;
    const T turned = q[theta] / at.cos_delta, s = sin(turned), c = cos(turned);
    const auto [along, across, turning] = creepages(at, v, s, c);
    const T axis = ellipse(at, N), most = T(d.friction) * N, stiff = T(d.shear) * axis * axis;
    const T forward = tanh(T(stiff * T(d.C11) * along / most)),
            sideways = tanh(T(stiff * (T(d.C22) * across + axis * T(d.C23) * turning) / most));
    return {s, c, -most * forward, -most * sideways,
            sqrt(T(forward * forward + sideways * sideways))};
  }

  /// (x, y, z) on the wheel.
  template <class T>
  std::array<T, 3> creep_force(const Contact<T>& at, const T* q, const T* v, const T& N) const {
    Creep<T> creep = this->creep(at, q, v, N);
    const T over = select(T(creep.asked - T(S(1))), creep.asked, T(S(1)));
    creep.forward = creep.forward / over, creep.sideways = creep.sideways / over;
    return {creep.s * creep.forward + creep.c * at.cos_delta * creep.sideways,
            T(S{static_cast<double>(at.side)}) * at.sin_delta * creep.sideways,
            creep.c * creep.forward - creep.s * at.cos_delta * creep.sideways};
  }

  static S cube_root(const S& x) {
    using std::exp;
    using std::log;
    return exp(S(log(x) / 3));
  }
  template <class T, int N>
  static Dual<T, N> cube_root(const Dual<T, N>& x) {
    const T root = cube_root(x.value);
    return x.chain(root, T(S(1)) / (T(S(3)) * root * root));
  }
};

}  // namespace daemark::wheelset
