// A tree of revolute joints in its joint-free coordinates θ_1 … θ_n (absolute angles).
//
// x_b = Σ_k (c_bk cos θ_k + s_bk sin θ_k) + const, so M, f and their derivatives are closed sums
// over bodies; torsion springs and dampers act between angles. No constraints; to_reference() gives
// (x, y, θ) of every body.
#pragma once

#include "problems/system/mechanical_system.hpp"

namespace daemark {
class PlanarMechanism;

template <class S>
MechanicalPtr<S> make_planar_tree(const PlanarMechanism& mechanism);
}  // namespace daemark
