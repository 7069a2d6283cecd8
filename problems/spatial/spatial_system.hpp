// A SpatialMechanism recorded: elements on charts, with its outputs.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
class SpatialMechanism;

std::shared_ptr<const Mechanism> recorded(const SpatialMechanism& mechanism);
}  // namespace daemark
