// How a PlanarMechanism is drawn: every body through the points where something holds it.
#pragma once

#include "problems/system/drawing.hpp"

namespace daemark {
class PlanarMechanism;

/// A body held in two points is a bar between them, in more their convex outline, on a prismatic
/// joint a block. One held in a single point reaches from there through its mass centre: as far as
/// the uniform bar of its mass and inertia about the centre does, or without inertia to the point
/// mass at the centre.
Drawing planar_drawing(const PlanarMechanism& mechanism);
}  // namespace daemark
