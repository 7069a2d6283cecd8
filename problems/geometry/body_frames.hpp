// A mechanism with rotations on a chart as a Lie group: its configurations are Rᵏ × SO(3)ᵏ, its
// velocities those of the frames of the bodies, (ẋ, Ω = Rᵀω). At the origin of a chart, g = 0,
// increments have ġ = ω = R Ω and g̈ = R Ω̇, so that a mechanism evaluated there, with the chart at
// R, gives the equations on the group. Flat mechanisms are Rⁿ.
#pragma once

#include <vector>

#include "problems/geometry/rotation_tangent.hpp"
#include "problems/system/mechanical_system.hpp"

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
