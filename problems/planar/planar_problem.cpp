// What is checked and settled of a planar mechanism before it is a problem.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "problems/bodies/rigid_bodies.hpp"
#include "problems/mechanism/dependent_rows.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/planar/planar_system.hpp"

namespace daemark {

namespace {

/// A row at the initial coordinates, but for its law.
wide row_value(const PlanarMechanism& mechanism, const PlanarMechanism::TrigRow& row) {
  const auto& bodies = mechanism.bodies();
  wide value = row.constant;
  for (const auto& [k, factor] : row.linear) {
    const PlanarMechanism::Body& body = bodies[k / 3];
    value += factor * (k % 3 == 0 ? body.x : k % 3 == 1 ? body.y : body.theta);
  }
  for (const auto& [k, c, s] : row.trig) value += c * bodies[k / 3].cosine + s * bodies[k / 3].sine;
  return value;
}

/// "crank and rod": the bodies that rows are about.
std::string bodies_of(const PlanarMechanism& mechanism,
                      const std::vector<const PlanarMechanism::TrigRow*>& rows) {
  std::set<int> bodies;
  for (const auto* row : rows) {
    for (const auto& [k, factor] : row->linear) bodies.insert(k / 3);
    for (const auto& [k, c, s] : row->trig) bodies.insert(k / 3);
  }
  std::string text = bodies.size() == 1 ? "the ground" : "";
  for (const int body : bodies)
    text += (text.empty() ? "" : " and ") + mechanism.bodies()[body].name;
  return text;
}

/// Joints after the one that places a body close a loop, which the initial angles must allow.
void check_loops(const std::string& name, const PlanarMechanism& mechanism) {
  constexpr double tolerance = 1e-12;  // what is accepted of an initial state
  const auto& rows = mechanism.rows();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    if (rows[i].law || rows[i + 1].law || !rows[i].quantity.name.ends_with("_x")) continue;
    const double x = to_double(row_value(mechanism, rows[i]));
    const double y = to_double(row_value(mechanism, rows[i + 1]));
    if (std::abs(x) <= tolerance && std::abs(y) <= tolerance) continue;
    const std::string joint = rows[i].quantity.name.substr(0, rows[i].quantity.name.size() - 2);
    throw BadInput(fmt::format(
        "{}: the loop does not close at {} between {}: with the initial angles its points are "
        "({:.6g}, {:.6g}) m apart; accepted: angles that close it to {:g} m",
        name, joint, bodies_of(mechanism, {&rows[i], &rows[i + 1]}), x, y, tolerance));
  }
  for (std::size_t i = 0; i < mechanism.prismatics().size(); ++i) {
    const PlanarMechanism::Prismatic& p = mechanism.prismatics()[i];
    const auto point = [&](int body, const std::array<wide, 2>& on) {
      if (body == PlanarMechanism::ground) return on;
      const PlanarMechanism::Body& b = mechanism.bodies()[body];
      return std::array<wide, 2>{wide(b.x + b.cosine * on[0] - b.sine * on[1]),
                                 wide(b.y + b.sine * on[0] + b.cosine * on[1])};
    };
    const auto a = point(p.a, p.on_a), b = point(p.b, p.on_b);
    const wide angle =
        p.angle + (p.a == PlanarMechanism::ground ? wide(0) : mechanism.bodies()[p.a].theta);
    const double gap = to_double(wide(cos(angle) * (b[1] - a[1]) - sin(angle) * (b[0] - a[0])));
    if (std::abs(gap) <= tolerance) continue;
    throw BadInput(fmt::format(
        "{}: the loop does not close at {}{} between {} and {}: with the initial angles the "
        "point is {:.6g} m off the line; accepted: angles that close it to {:g} m",
        name, p.turns ? "slot" : "prismatic", i + 1,
        p.a == PlanarMechanism::ground ? "the ground" : mechanism.bodies()[p.a].name,
        mechanism.bodies()[p.b].name, gap, tolerance));
  }
}

/// A point of a body, or of the ground, at the start.
std::array<wide, 2> point_at_start(const PlanarMechanism& mechanism, int body,
                                   const std::array<wide, 2>& on) {
  if (body == PlanarMechanism::ground) return on;
  const PlanarMechanism::Body& b = mechanism.bodies()[body];
  return {wide(b.x + b.cosine * on[0] - b.sine * on[1]),
          wide(b.y + b.sine * on[0] + b.cosine * on[1])};
}
template <class Pair>
double length_at_start(const PlanarMechanism& mechanism, const Pair& pair) {
  const auto a = point_at_start(mechanism, pair.a, pair.on_a),
             b = point_at_start(mechanism, pair.b, pair.on_b);
  return std::hypot(to_double(wide(b[0] - a[0])), to_double(wide(b[1] - a[1])));
}

void check_rods(const std::string& name, const PlanarMechanism& mechanism) {
  constexpr double tolerance = 1e-12;
  for (std::size_t i = 0; i < mechanism.rods().size(); ++i) {
    const PlanarMechanism::Rod& rod = mechanism.rods()[i];
    const double length = length_at_start(mechanism, rod), stated = to_double(rod.length);
    if (std::abs(length - stated) > tolerance * (1 + stated))
      throw BadInput(fmt::format(
          "{}: distance{} is {:.10g} m long and its points are {:.10g} m apart at the start; "
          "accepted: points at that distance, or \"assemble\": true",
          name, i + 1, stated, length));
  }
}

void check_springs(const std::string& name, const PlanarMechanism& mechanism) {
  for (const auto& c : mechanism.couplings())
    if (!is_torsion(c.kind) && (is_damper(c.kind) || c.rest != 0) &&
        length_at_start(mechanism, c) == 0)
      throw BadInput(fmt::format(
          "{}: a {} has length zero at the start, where its force has no direction; accepted: "
          "points apart, or a spring with free length 0",
          name, is_damper(c.kind) ? "damper" : "spring"));
}

}  // namespace

/// Closes the start, checks it, and gives angles that no force or joint reads an inertia.
void PlanarMechanism::settle(const std::string& name) {
  give_idle_inertia();
  if (assembly_) {
    const Assembled start = assembled_start(recorded(*this), 0, *assembly_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      Body& body = bodies_[b];
      const wide *const q = start.q.data() + 3 * b, *const v = start.v.data() + 3 * b;
      body.x = q[0], body.y = q[1], body.theta = q[2];
      body.vx = v[0], body.vy = v[1], body.omega = v[2];
      body.cosine = cos(body.theta), body.sine = sin(body.theta);
    }
    for (const std::string& line : start.remarks) remark(line);
  }
  check_loops(name, *this), check_rods(name, *this), check_springs(name, *this);
}

/// A body without inertia about its mass centre that everything holds there is a point mass: its
/// angle does not matter, and any inertia keeps it at rest.
void PlanarMechanism::give_idle_inertia() {
  std::vector<char> turns(bodies_.size(), false);
  const auto turned = [&](int body, const std::array<wide, 2>& on = {1, 0}) {
    if (body != ground && (on[0] != 0 || on[1] != 0)) turns[body] = true;
  };
  for (const TrigRow& row : rows_) {
    for (const auto& [column, factor] : row.linear)
      if (column % 3 == 2) turned(column / 3);
    for (const auto& [column, c, s] : row.trig) turned(column / 3);
  }
  for (const Prismatic& p : prismatics_) {
    turned(p.a), turned(p.b, p.on_b);
    if (!p.turns) turned(p.b);
  }
  for (const Rod& rod : rods_) turned(rod.a, rod.on_a), turned(rod.b, rod.on_b);
  for (const Coupling& c : couplings_) {
    const bool torsion = is_torsion(c.kind);
    turned(c.a, torsion ? std::array<wide, 2>{1, 0} : c.on_a);
    turned(c.b, torsion ? std::array<wide, 2>{1, 0} : c.on_b);
  }
  for (const Friction& f : frictions_) turned(f.a), turned(f.b);
  for (const TimedLoad& load : timed_loads_)
    if (load.axis == 2) turned(load.body);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].inertia == 0 && bodies_[b].mass > 0 && !turns[b] && loads_[b][2] == 0 &&
        bodies_[b].omega == 0)
      bodies_[b].inertia = bodies_[b].mass;
}

Problem PlanarMechanism::problem(const std::string& name) const {
  std::set<std::string> names;
  for (const Body& b : bodies_) {
    if (!b.placed) throw BadInput(fmt::format("{}: body {} has no joint", name, b.name));
    if (!names.insert(b.name).second)
      throw BadInput(
          fmt::format("{}: two bodies are called '{}'; accepted: a name for each", name, b.name));
  }
  const auto settled = std::make_shared<PlanarMechanism>(*this);
  settled->settle(name);
  const std::shared_ptr<const PlanarMechanism> shared = settled;
  Problem problem;
  problem.name = name;
  problem.absolute = recorded_makers([shared] {
    const auto made = recorded(*shared);
    return shared->leaves_out_ ? independent(made, 0, shared->remarks_) : made;
  });
  if (exportable_)
    problem.bodies = [shared] {
      const auto bodies = rigid_bodies(*shared);
      bodies->finish();
      return bodies;
    };
  if (is_tree()) problem.minimal = recorded_makers([shared] { return recorded_tree(*shared); });
  return problem;
}

}  // namespace daemark
