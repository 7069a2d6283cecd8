// The rotations of a mechanism on one chart: triples g of its coordinates, each the increment from
// a reference orientation of its own, R = R(g) R_ref (rotation.hpp). The chart holds the R_ref as
// unit quaternions, four numbers each, in the order of the rotations.
//
// Shown, and compared, are the rotation vector ψ of R and Ω = Rᵀω, the spin in the body's frame.
#pragma once

#include <string>
#include <vector>

#include "problems/geometry/rotation.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// One rotation: coordinates first .. first + 3 and the orientation a motion starts from.
template <class S>
struct ChartRotation {
  std::string name;  ///< of the body or node
  int first;
  rotation::Quaternion<S> orientation;  ///< a unit
};

template <class S>
class RotationCharts {
 public:
  RotationCharts() = default;
  explicit RotationCharts(std::vector<ChartRotation<S>> rotations)
      : rotations_(std::move(rotations)) {}

  int size() const { return 4 * static_cast<int>(rotations_.size()); }
  void initial(S* chart) const;
  /// First coordinate of each rotation.
  std::vector<int> coordinates() const;
  /// Whether all increments are ones a chart can hold: turns below 171° (|g| = 2 tan(φ/2) < 25).
  bool hold(const S* q) const;

  /// As MechanicalSystem::rebase(). Points that are π or more from the new origin become not a
  /// number: their increments do not exist.
  void rebase(S* chart, const std::vector<ChartPoint<S>>& points) const;

  // As in MechanicalSystem, for the coordinates of rotations; others are left as they are.
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const;
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const;
  void reference_difference(const real50* a, const real50* b, real50* difference) const;
  std::vector<std::string> reference_names(std::vector<std::string> coordinates) const;
  std::vector<std::string> reference_velocity_names(std::vector<std::string> coordinates) const;

 private:
  std::vector<ChartRotation<S>> rotations_;
};

namespace rotation {

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

}  // namespace rotation
}  // namespace daemark
