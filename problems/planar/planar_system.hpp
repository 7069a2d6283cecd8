// A PlanarMechanism recorded: in absolute coordinates (x, y, θ per body), and in the joint-free
// ones of a tree of revolute joints, θ_1 … θ_n (absolute angles).
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
class PlanarMechanism;
struct RigidBodies;

std::shared_ptr<const Mechanism> recorded(const PlanarMechanism& mechanism);

/// With x_b = Σ_k (c_bk cos θ_k + s_bk sin θ_k) + const along each axis, entry (i, j) of M and of
/// what speeds contribute are sums over bodies of constants times four products of the cosines and
/// sines of θ_i and θ_j: the constants are summed once. Torsion springs and dampers and loads act
/// between angles. No constraints; shown is (x, y, θ) of every body.
std::shared_ptr<const Mechanism> recorded_tree(const PlanarMechanism& mechanism);

/// Not finished (rigid_bodies.hpp).
std::shared_ptr<RigidBodies> rigid_bodies(const PlanarMechanism& mechanism);

/// What acts on a tree's angles θ_b, coordinate b, besides bodies.
std::vector<Element> elements_on_angles(const PlanarMechanism& mechanism);

/// A body held in two points is drawn as a bar between them, in more as their convex outline, on a
/// prismatic joint as a block. One held in a single point reaches from there through its mass
/// centre: as far as the uniform bar of its mass and inertia about the centre does, or without
/// inertia to the point mass at the centre.
Drawing planar_drawing(const PlanarMechanism& mechanism);

}  // namespace daemark
