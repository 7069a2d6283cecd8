// A planar mechanism as other programs take it.
#include <fmt/format.h>

#include "problems/bodies/rigid_bodies.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/planar/planar_system.hpp"

namespace daemark {
namespace {

using Vec3 = RigidBodies::Vec3;

Vec3 in_space(const std::array<wide, 2>& p) { return {p[0], p[1], wide(0)}; }

/// law − a constant: the turn since the start.
SharedLaw since(const SharedLaw& law, const wide& start) {
  return shared_law([law, start](const Var& t) { return (*law)(t)-Var(start); });
}

void add_joints(const PlanarMechanism& m, RigidBodies& out) {
  const Vec3 z = RigidBodies::axis(2);
  for (const auto& r : m.revolutes())
    out.joints.push_back({fmt::format("hinge{}", out.joints.size() + 1),
                          "revolute",
                          {r.a, r.b},
                          {in_space(r.on_a), in_space(r.on_b)},
                          {z, z}});
  for (const auto& p : m.prismatics()) {
    const auto along = [&](const wide& angle) { return Vec3{cos(angle), sin(angle), wide(0)}; };
    out.joints.push_back({fmt::format("slide{}", out.joints.size() + 1),
                          "prismatic",
                          {p.a, p.b},
                          {in_space(p.on_a), in_space(p.on_b)},
                          {along(p.angle), along(wide(p.angle - p.offset))}});
  }
  for (const auto& row : m.rows()) {
    if (!row.law) continue;
    const int b = row.linear[0].first / 3;
    const int a = row.linear.size() > 1 ? row.linear[1].first / 3 : RigidBodies::ground;
    out.drives.push_back({"drive_" + m.bodies()[b].name,
                          "turn",
                          {a, b},
                          {},
                          {z, z},
                          since(row.law, out.angle_between(a, b))});
  }
}

}  // namespace

std::shared_ptr<RigidBodies> rigid_bodies(const PlanarMechanism& m) {
  const Vec3 z = RigidBodies::axis(2);
  auto made = std::make_shared<RigidBodies>();
  RigidBodies& out = *made;
  out.planar = true;
  out.gravity[1] = -m.gravity();
  for (const auto& b : m.bodies()) {
    const int number = static_cast<int>(out.bodies.size());
    // A thin bar along x, if it were one in space.
    const wide thin = b.inertia / 1000;
    out.bodies.push_back({b.name,
                          b.mass,
                          {thin, b.inertia, b.inertia, wide(0), wide(0), wide(0)},
                          {b.x, b.y, wide(0)},
                          {b.vx, b.vy, wide(0)},
                          {wide(0), wide(0), b.omega},
                          {cos(wide(b.theta / 2)), wide(0), wide(0), sin(wide(b.theta / 2))},
                          b.inertia > 0});
    using Kind = RigidBodies::Shown::Kind;
    out.shown.push_back({number, Kind::point, 0});
    out.shown.push_back({number, Kind::point, 1});
    out.shown.push_back({number, Kind::angle, 2, {b.theta, wide(0), wide(0)}});
  }
  add_joints(m, out);
  const auto angle = [&](int body) { return body < 0 ? wide(0) : m.bodies()[body].theta; };
  for (const auto& c : m.couplings()) {
    constexpr const char* names[] = {"spring", "damper", "torsion_spring", "torsion_damper"};
    out.couplings.push_back({names[static_cast<int>(c.kind)],
                             {c.a, c.b},
                             {in_space(c.on_a), in_space(c.on_b)},
                             {z, z},
                             c.coefficient,
                             c.rest,
                             angle(c.b) - angle(c.a),
                             c.law});
  }
  const auto add_load = [&](int body, int axis, const wide& value, const SharedLaw& law) {
    if (value == 0) return;
    RigidBodies::Load load{body, axis == 2, {}, {}, law};
    load.value[axis] = value;
    out.loads.push_back(load);
  };
  for (std::size_t b = 0; b < m.loads().size(); ++b)
    for (int axis = 0; axis < 3; ++axis)
      add_load(static_cast<int>(b), axis, m.loads()[b][axis], nullptr);
  for (const auto& load : m.timed_loads()) add_load(load.body, load.axis, load.amplitude, load.law);
  return made;
}

}  // namespace daemark
