// What a SpatialMechanism looks like, from its declaration alone: each node's lines to where joints
// and springs hold it, beams through their nodes, joints, springs, dampers, mass centres apart from
// their node. Looked at with gravity downwards.
#pragma once

#include "problems/system/drawing.hpp"

namespace daemark {
class SpatialMechanism;

/// Reads the reference coordinates: x and the rotation vector of each node.
Drawing spatial_drawing(const SpatialMechanism& mechanism);
}  // namespace daemark
