// A SpatialMechanism recorded: elements on charts, with its outputs and its drawing.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
class SpatialMechanism;
struct RigidBodies;

std::shared_ptr<const Mechanism> recorded(const SpatialMechanism& mechanism);

/// Not finished (rigid_bodies.hpp).
std::shared_ptr<RigidBodies> rigid_bodies(const SpatialMechanism& mechanism);

/// A body is drawn as lines from its mass centre to the points where something holds it, a beam
/// along its nodes.
Drawing spatial_drawing(const SpatialMechanism& mechanism);

}  // namespace daemark
