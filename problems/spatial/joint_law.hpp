// Linear springs, dampers and rotors, and friction, on the freedom of a hinge or slide, as elements
// of the spatial builder: a torque about an axis of a, or a force along it.
#pragma once

#include <optional>

#include "problems/builder/friction.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {

/// rotor: inertia [kg m², kg] that only the relative motion sees, a motor's behind its gear.
enum class JointLaw { spring, damper, rotor };

/// Of b against a about or along an axis of space at the start, which stays in the frame of a; the
/// angle or way s is 0 there. Without a point it is an angle, in (−π, π]: that of `across`, a
/// direction of b (any normal of the axis by default), which may lean out of the plane normal to
/// the axis; with `to`, a direction of b, that between both: of the middle one of three hinges.
/// Adds −coefficient (s − rest), −coefficient ṡ or −coefficient s̈. A
/// damper of an axis alone adds −coefficient ω · axis, also where the axis is not held.
struct JointFreedom {
  int a, b;
  std::optional<Vector> at;
  Vector axis;
  std::optional<Vector> across = {}, to = {};
};
void add_joint_law(SpatialMechanism& mechanism, JointLaw law, const JointFreedom& freedom,
                   const Exact& coefficient, const Exact& rest);

/// Dry friction against ω · axis, or against the rate of the way: of the point of b against the
/// point of a that is there.
void add_joint_friction(SpatialMechanism& mechanism, const JointFreedom& freedom,
                        const FrictionLaw& law);

}  // namespace daemark
