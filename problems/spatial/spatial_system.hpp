// A SpatialMechanism in a scalar: elements on a chart, with its outputs.
#pragma once

#include "problems/system/mechanical_system.hpp"

namespace daemark {
class SpatialMechanism;

template <class S>
MechanicalPtr<S> make_spatial_system(const SpatialMechanism& mechanism);
}  // namespace daemark
