// A tree of revolute joints in its joint-free coordinates θ_1 … θ_n (absolute angles), recorded.
//
// With x_b = Σ_k (c_bk cos θ_k + s_bk sin θ_k) + const along each axis, entry (i, j) of M and of
// what speeds contribute are sums over bodies of constants times four products of the cosines and
// sines of θ_i and θ_j: the constants are summed once. Torsion springs and dampers and loads act
// between angles. No constraints; shown is (x, y, θ) of every body.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
class PlanarMechanism;

std::shared_ptr<const Mechanism> recorded_tree(const PlanarMechanism& mechanism);
}  // namespace daemark
