// A PlanarMechanism in absolute coordinates (x, y, θ per body), recorded.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
class PlanarMechanism;

std::shared_ptr<const Mechanism> recorded(const PlanarMechanism& mechanism);
}  // namespace daemark
