// Beams of a spatial mechanism: nodes along a line, rigid pieces of the beam lumped at them, and
// finite-volume elements (or, as a second route, two-node ones on the same nodes) between them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {

/// Axes 1 along the beam, 2 and 3 in the section.
struct BeamSection {
  std::array<Exact, 6> stiffness;  ///< EA, GA_2, GA_3 [N], GJ, EJ_2, EJ_3 [N m²]
  Exact mass;                      ///< a length [kg/m]
  Exact inertia_2, inertia_3;      ///< a length, about axes 2 and 3 [kg m]; about 1: their sum
};

enum class BeamKind { finite_volume, two_node };
/// The parameter `element` of a problem: volume | two_node.
BeamKind beam_kind(const Arguments& arguments);

/// The nodes of one beam, from its first end to its second.
class Beam {
 public:
  /// `elements` three-node elements (each two two-node ones) in a straight line from `from` to
  /// `to`, axis 2 towards `second`, moving as a rigid body that turns by `spin` about `from`, which
  /// moves at `velocity`. Between neighbours half of the beam is lumped at either. Throws BadInput
  /// for no elements, zero length, and stiffnesses or masses that are not positive.
  Beam(SpatialMechanism& mechanism, const std::string& name, const BeamSection& section,
       long elements, const Vector& from, const Vector& to, const Vector& second,
       BeamKind kind = BeamKind::finite_volume, const Vector& velocity = {},
       const Vector& spin = {});

  int first() const { return nodes_.front(); }
  int last() const { return nodes_.back(); }
  int middle() const { return nodes_[nodes_.size() / 2]; }

  /// Internal force along axis 3 of the section [N], the mean over the two evaluation points next
  /// to the middle of the beam.
  SpatialOutput middle_shear() const;

 private:
  std::vector<int> nodes_;
  BeamSection section_;
  BeamKind kind_;
  wide spacing_;  ///< of nodes [m]
};

/// The angle atan2(R_32, √(R_31² + R_33²)) [rad] of a node whose frame starts along the axes of
/// space.
SpatialOutput roll_angle(int node);
/// Of the rotation vector of a node, of length at most π, along an axis of space [rad].
SpatialOutput rotation_component(int node, int axis);
SpatialOutput spin_component(int node, int axis);  ///< of ω in space [rad/s]

}  // namespace daemark
