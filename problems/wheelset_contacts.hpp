// Contacts of the wheelset (wheelset.cpp has the equations): where wheel and rail touch, and the
// forces of creep there.
#pragma once

#include <array>

#include "base/graph/graph.hpp"

namespace daemark::wheelset {

enum Coordinate { x, y, z, theta, phi, beta, psi_left, xi_left, psi_right, xi_right };

struct WheelsetData {
  wide mass, gravity, speed, radius, J1, J2, friction, arm, springs_x, springs_z;
  wide E, G, sigma, shear, C11, C22, C23, pi;
  wide slope, half_width, rail, rail_sine, rail_cosine;  ///< of δ0: tangent, r_s times the others
  std::array<wide, 10> start{};
  std::array<wide, 2> touch;  ///< multipliers of touch at the start, nearly
};

struct Contacts {
  WheelsetData d;

  /// g, g', g'' at a place of the left (1) or right (−1) rail.
  std::array<Var, 3> rail(int side, const Var& across) const {
    const wide inner = d.half_width + d.rail_sine, square = d.rail * d.rail;
    const Var from = side * across - inner, height = sqrt(square - from * from);
    return {height - wide(d.radius + d.rail_cosine), -(side * from) / height,
            -square / (height * height * height)};
  }

  struct Contact {
    int side;
    Var sin_theta, cos_theta, sin_phi, cos_phi, sin_psi, cos_psi, xi;
    Var radius, slope;          ///< R, R'
    Var rail_slope, rail_bend;  ///< g', g''
    Var touch, normal, skew;    ///< the rows
    Var by_x, by_theta;         ///< ∂touch/∂x, ∂touch/∂θ
    Var sin_delta, cos_delta;   ///< of the contact plane

    Contact(const Contacts& model, int of_side, const Var* q) : side(of_side) {
      const Var* const own = q + (side > 0 ? psi_left : psi_right);
      const WheelsetData& d = model.d;
      sin_theta = sin(q[theta]), cos_theta = cos(q[theta]);
      sin_phi = sin(q[phi]), cos_phi = cos(q[phi]);
      sin_psi = sin(own[0]), cos_psi = cos(own[0]), xi = own[1];
      radius = d.radius + d.slope * (d.half_width - side * xi);
      slope = -side * d.slope;
      const Var across = q[x] + xi * cos_theta * cos_phi +
                         radius * (cos_theta * sin_phi * cos_psi - sin_theta * sin_psi);
      const auto [height, rise, bend] = model.rail(side, across);
      rail_slope = rise, rail_bend = bend;
      touch = height - q[y] - xi * sin_phi + radius * cos_phi * cos_psi;
      const Var up = slope * sin_phi + cos_phi * cos_psi,
                over = (slope * cos_phi - sin_phi * cos_psi) * cos_theta + sin_psi * sin_theta;
      normal = rise * up + over;
      skew = (slope * cos_phi - sin_phi * cos_psi) * sin_theta - cos_theta * sin_psi;
      by_x = rise;
      by_theta = -rise * (radius * (cos_theta * sin_psi + cos_psi * sin_phi * sin_theta) +
                          cos_phi * sin_theta * xi);
      const Var tangent = -side * over / up;
      cos_delta = 1 / sqrt(1 + tangent * tangent);
      sin_delta = tangent * cos_delta;
    }

    /// About the axes of yaw, roll and spin, of a force (x, y, z) in the contact.
    std::array<Var, 3> moments(const std::array<Var, 3>& force) const {
      const Var &a = force[0], &b = force[1], &c = force[2];
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
  static std::array<Var, 2> normal_forces(const Contact& left, const Contact& right,
                                          const Var* lambda) {
    const Var across = -(left.by_x * lambda[0] + right.by_x * lambda[1]),
              up = lambda[0] + lambda[1],
              determinant = -(left.sin_delta * right.cos_delta + right.sin_delta * left.cos_delta);
    return {(right.cos_delta * across - right.sin_delta * up) / determinant,
            -(left.cos_delta * across + left.sin_delta * up) / determinant};
  }

  /// Half the size of the contact ellipse, from the curvatures of wheel and rail.
  Var ellipse(const Contact& at, const Var& N) const {
    const Var rolling = 0.5 / (at.radius * sqrt(1 + at.slope * at.slope)),
              steep = 1 + at.rail_slope * at.rail_slope,
              across = -0.5 * at.rail_bend / (steep * sqrt(steep));
    return cube_root(3 * (1 - d.sigma) * d.E * abs(N) /
                     (2 * d.pi * (rolling + across) * wide(d.shear * sqrt(d.G))));
  }

  /// Along, across and turning: velocities in the contact over that of rolling. The wheel is turned
  /// by θ / cos δ, with sine s and cosine c.
  std::array<Var, 3> creepages(const Contact& at, const Var* v, const Var& s, const Var& c) const {
    const Var spin = d.speed / d.radius + v[beta];
    const Var lever = at.xi * at.sin_phi - at.radius * at.cos_phi * at.cos_psi,
              ahead = at.radius * (c * at.sin_phi * at.cos_psi - s * at.sin_psi) +
                      at.xi * c * at.cos_phi,
              aside = at.radius * (s * at.sin_phi * at.cos_psi + c * at.sin_psi) +
                      at.xi * s * at.cos_phi;
    const std::array<Var, 3> slip{
        v[x] - spin * at.radius * (s * at.cos_psi + c * at.sin_phi * at.sin_psi) -
            v[theta] * aside - v[phi] * c * lever,
        v[y] + spin * at.radius * at.cos_phi * at.sin_psi +
            v[phi] * (at.xi * at.cos_phi + at.radius * at.sin_phi * at.cos_psi),
        v[z] + d.speed - spin * at.radius * (c * at.cos_psi - s * at.sin_phi * at.sin_psi) -
            v[theta] * ahead + v[phi] * s * lever};
    const Var r0 = slip[0] - 2 * v[x], r1 = slip[1] - 2 * v[y],
              r2 = slip[2] - 2 * v[z] - wide(2 * d.speed);
    const Var rolling = sqrt(r0 * r0 + r1 * r1 + r2 * r2) / 2;
    return {(s * slip[0] + c * slip[2]) / rolling,
            (c * at.cos_delta * slip[0] + at.side * at.sin_delta * slip[1] -
             s * at.cos_delta * slip[2]) /
                rolling,
            (at.cos_delta * v[theta] - at.side * at.sin_delta * spin) / rolling};
  }

  struct Creep {
    Var s, c;               ///< of θ / cos δ
    Var forward, sideways;  ///< in the contact plane, before the cut-off
    Var asked;              ///< of friction: their sum over μ |N|
  };
  Creep creep(const Contact& at, const Var* q, const Var* v, const Var& N) const {
    const Var turned = q[theta] / at.cos_delta, s = sin(turned), c = cos(turned);
    const auto [along, across, turning] = creepages(at, v, s, c);
    const Var axis = ellipse(at, N), most = d.friction * N, stiff = d.shear * axis * axis;
    const Var forward = tanh(stiff * d.C11 * along / most),
              sideways = tanh(stiff * (d.C22 * across + axis * d.C23 * turning) / most);
    return {s, c, -most * forward, -most * sideways, sqrt(forward * forward + sideways * sideways)};
  }

  /// (x, y, z) on the wheel.
  std::array<Var, 3> creep_force(const Contact& at, const Var* q, const Var* v,
                                 const Var& N) const {
    Creep creep = this->creep(at, q, v, N);
    const Var over = select(creep.asked - 1, creep.asked, 1);
    creep.forward = creep.forward / over, creep.sideways = creep.sideways / over;
    return {creep.s * creep.forward + creep.c * at.cos_delta * creep.sideways,
            at.side * at.sin_delta * creep.sideways,
            creep.c * creep.forward - creep.s * at.cos_delta * creep.sideways};
  }

  static Var cube_root(const Var& x) { return exp(log(x) / 3); }
};

}  // namespace daemark::wheelset
