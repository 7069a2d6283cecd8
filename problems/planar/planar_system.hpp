// A PlanarMechanism in absolute coordinates (x, y, θ per body) as a MechanicalSystem<S>.
#pragma once

#include "problems/system/mechanical_system.hpp"

namespace daemark {
class PlanarMechanism;

template <class S>
MechanicalPtr<S> make_planar_system(std::shared_ptr<const PlanarMechanism> mechanism);
template <class S>
MechanicalPtr<S> make_planar_system(const PlanarMechanism& mechanism);  ///< of a copy
}  // namespace daemark
