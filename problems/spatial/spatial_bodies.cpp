// A spatial mechanism as other programs take it.
#include "problems/bodies/rigid_bodies.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/spatial/spatial_system.hpp"

namespace daemark {

using namespace rotation;

std::shared_ptr<RigidBodies> rigid_bodies(const SpatialMechanism& m) {
  auto made = std::make_shared<RigidBodies>();
  RigidBodies& out = *made;
  std::vector<Vec3<wide>> centres;  // in the nodes' frames
  for (const auto& node : m.nodes()) {
    const SpatialInertia& I = node.inertia;
    Vec3<wide> o{wide(0), wide(0), wide(0)};
    if (I.mass > 0)
      for (int i = 0; i < 3; ++i) o[i] = I.moment[i] / I.mass;
    const auto about = [&](int i, int j) {
      return wide(I.inertia[i][j] - I.mass * ((i == j ? dot(o, o) : wide(0)) - o[i] * o[j]));
    };
    const Vec3<wide> arm = rotate(node.orientation, o), turned = cross(node.spin, arm);
    const int number = static_cast<int>(out.bodies.size());
    out.bodies.push_back(
        {node.name,
         I.mass,
         {about(0, 0), about(1, 1), about(2, 2), about(0, 1), about(0, 2), about(1, 2)},
         combine(wide(1), node.position, wide(1), arm),
         combine(wide(1), node.velocity, wide(1), turned),
         node.spin,
         node.orientation});
    using Kind = RigidBodies::Shown::Kind;
    for (int k = 0; k < 3; ++k)
      out.shown.push_back({number, Kind::point, k, combine(wide(0), o, wide(-1), o)});
    for (int k = 0; k < 3; ++k) out.shown.push_back({number, Kind::rotation, k});
    centres.push_back(o);
  }
  const auto from_centre = [&](int body, const Vec3<wide>& point) {
    return body < 0 ? point : combine(wide(1), point, wide(-1), centres[body]);
  };
  for (const auto& joint : m.declared()) {
    RigidBodies::Joint copy = joint;
    for (int side = 0; side < 2; ++side)
      copy.points[side] = from_centre(joint.bodies[side], joint.points[side]);
    (copy.law ? out.drives : out.joints).push_back(std::move(copy));
  }
  for (const auto& c : m.couplings())
    out.couplings.push_back({is_damper(c.kind) ? "damper" : "spring",
                             {c.a, c.b},
                             {from_centre(c.a, c.on_a), from_centre(c.b, c.on_b)},
                             {},
                             c.coefficient,
                             c.rest,
                             wide(0),
                             c.law});
  for (const auto& load : m.loads())
    out.loads.push_back(
        {load.node, load.moment, from_centre(load.node, load.on_node), load.value, load.law});
  out.gravity = m.gravity().acceleration;
  out.gravity_law = m.gravity().factor;
  return made;
}

}  // namespace daemark
