#include "problems/planar/planar_mechanism.hpp"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "problems/planar/planar_system.hpp"
#include "problems/planar/planar_tree.hpp"

namespace daemark {

namespace {

/// Adds sign · (the point of a body along one axis) to a row; ground points are constants.
void add_point(PlanarMechanism::TrigRow& row, int body, const BodyPoint& p, int axis, int sign) {
  if (body == PlanarMechanism::ground) {
    row.constant += sign * (axis == 0 ? p.x.value : p.y.value);
    return;
  }
  row.linear.emplace_back(3 * body + axis, wide(sign));
  if (p.x.value == 0 && p.y.value == 0) return;
  if (axis == 0)
    row.trig.emplace_back(3 * body + 2, wide(sign * p.x.value), wide(-sign * p.y.value));
  else
    row.trig.emplace_back(3 * body + 2, wide(sign * p.y.value), wide(sign * p.x.value));
}

/// Merges terms of the same angle and drops those that cancel.
void merge_trig(PlanarMechanism::TrigRow& row) {
  std::vector<std::tuple<int, wide, wide>> merged;
  std::unordered_map<int, std::size_t> place;
  for (auto& [k, c, s] : row.trig) {
    const auto [found, added] = place.emplace(k, merged.size());
    if (added) {
      merged.emplace_back(k, c, s);
      continue;
    }
    auto& [mk, mc, ms] = merged[found->second];
    mc += c, ms += s;
  }
  std::erase_if(merged, [](const auto& m) { return std::get<1>(m) == 0 && std::get<2>(m) == 0; });
  row.trig = std::move(merged);
}

}  // namespace

int PlanarMechanism::body(const std::string& name, Exact mass, Exact inertia, Exact theta,
                          Exact omega) {
  if (mass.value < 0 || inertia.value < 0)
    throw BadInput(fmt::format("body {}: mass and inertia must not be negative", name));
  bodies_.push_back({name, mass.value, inertia.value, theta.value, omega.value, 0, 0, 0, 0, false});
  torques_.emplace_back(0);
  forces_.push_back({wide(0), wide(0)});
  links_.emplace_back();
  tree_body_.push_back(false);
  return static_cast<int>(bodies_.size()) - 1;
}

void PlanarMechanism::check_body(int body, const char* element) const {
  if (body < ground || body >= static_cast<int>(bodies_.size()))
    throw BadInput(fmt::format("{}: body {} does not exist, accepted: ground or 0..{}", element,
                               body, static_cast<int>(bodies_.size()) - 1));
}

void PlanarMechanism::check_pair(int a, int b, const char* element) const {
  check_body(a, element), check_body(b, element);
  if (a == b)
    throw BadInput(fmt::format("{}: both ends are on {}, accepted: two different bodies", element,
                               a == ground ? "the ground" : "body " + bodies_[a].name));
}

void PlanarMechanism::place(int body, int by, const BodyPoint& on_by, const BodyPoint& on_body) {
  using std::cos;
  using std::sin;
  Body& b = bodies_[body];
  wide px = on_by.x.value, py = on_by.y.value, vx = 0, vy = 0;
  if (by != ground) {
    const Body& a = bodies_[by];
    const wide c = cos(a.theta), s = sin(a.theta);
    const wide rx = c * on_by.x.value - s * on_by.y.value;
    const wide ry = s * on_by.x.value + c * on_by.y.value;
    px = a.x + rx, py = a.y + ry;
    vx = a.vx - a.omega * ry, vy = a.vy + a.omega * rx;
  }
  const wide c = cos(b.theta), s = sin(b.theta);
  const wide rx = c * on_body.x.value - s * on_body.y.value;
  const wide ry = s * on_body.x.value + c * on_body.y.value;
  b.x = px - rx, b.y = py - ry;
  b.vx = vx + b.omega * ry, b.vy = vy - b.omega * rx;
  b.placed = true;
}

void PlanarMechanism::revolute(int a, BodyPoint on_a, int b, BodyPoint on_b, Rows rows) {
  check_pair(a, b, "revolute");
  const bool a_placed = a == ground || bodies_[a].placed;
  const bool closes_loop = b == ground || bodies_[b].placed;
  if (!a_placed)
    throw BadInput("revolute: declare joints from the ground outwards, body a has no joint yet");
  ++joints_;
  revolutes_.push_back({a, b, {on_a.x.value, on_a.y.value}, {on_b.x.value, on_b.y.value}});
  if (!closes_loop) place(b, a, on_a, on_b);
  for (int axis = 0; axis < 2; ++axis) {
    TrigRow row;
    row.name = fmt::format("joint{}_{}", joints_, axis == 0 ? "x" : "y");
    add_point(row, b, on_b, axis, 1);
    add_point(row, a, on_a, axis, -1);
    merge_trig(row);
    const bool a_in_tree = a == ground || tree_body_[a];
    if (!closes_loop && a_in_tree) {
      links_[b].before = a;
      TrigRow& step = links_[b].step[axis];  // x_b − x_a = −(everything else of the row)
      step.constant = -row.constant;
      for (const auto& [k, c, s] : row.trig) step.trig.emplace_back(k, -c, -s);
    }
    if (rows == Rows::absolute && a != ground && a_in_tree) {
      std::erase_if(row.linear, [&](const auto& l) { return l.first == 3 * a + axis; });
      const TrigRow parent = position_row(a, axis);
      row.constant -= parent.constant;
      for (const auto& [k, c, s] : parent.trig) row.trig.emplace_back(k, -c, -s);
      merge_trig(row);
    }
    rows_.push_back(row);
  }
  if (!closes_loop && (a == ground || tree_body_[a])) tree_body_[b] = true;
}

PlanarMechanism::TrigRow PlanarMechanism::position_row(int body, int axis) const {
  TrigRow row;
  std::vector<const wide*> constants;
  for (int b = body; b != ground; b = links_[b].before) {
    const TrigRow& step = links_[b].step[axis];
    constants.push_back(&step.constant);
    row.trig.insert(row.trig.end(), step.trig.begin(), step.trig.end());
  }
  for (auto c = constants.rbegin(); c != constants.rend(); ++c) row.constant += **c;
  merge_trig(row);
  return row;
}

void PlanarMechanism::prismatic(int a, BodyPoint on_a, Exact angle, int b, BodyPoint on_b) {
  check_pair(a, b, "prismatic");
  if (b == ground) throw BadInput("prismatic: the second body must not be the ground");
  if (a != ground && !bodies_[a].placed)
    throw BadInput("prismatic: declare joints from the ground outwards, body a has no joint yet");
  ++joints_;
  if (!bodies_[b].placed) place(b, a, on_a, on_b);
  const wide theta_a = a == ground ? wide(0) : bodies_[a].theta;
  prismatics_.push_back({a,
                         b,
                         {on_a.x.value, on_a.y.value},
                         {on_b.x.value, on_b.y.value},
                         angle.value,
                         wide(bodies_[b].theta - theta_a)});
}

void PlanarMechanism::drive(int a, int b, MotionLaw law) {
  check_pair(a, b, "drive");
  if (b == ground) throw BadInput("drive: the second body must not be the ground");
  TrigRow row;
  row.name = fmt::format("drive_{}", bodies_[b].name);
  row.linear.emplace_back(3 * b + 2, wide(1));
  if (a != ground) row.linear.emplace_back(3 * a + 2, wide(-1));
  row.law = std::make_shared<MotionLaw>(std::move(law));
  rows_.push_back(row);
}

void PlanarMechanism::spring(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact stiffness,
                             Exact free_length) {
  check_pair(a, b, "spring");
  couplings_.push_back({Coupling::spring,
                        a,
                        b,
                        {on_a.x.value, on_a.y.value},
                        {on_b.x.value, on_b.y.value},
                        stiffness.value,
                        free_length.value});
}
void PlanarMechanism::damper(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact coefficient) {
  check_pair(a, b, "damper");
  couplings_.push_back({Coupling::damper,
                        a,
                        b,
                        {on_a.x.value, on_a.y.value},
                        {on_b.x.value, on_b.y.value},
                        coefficient.value,
                        wide(0)});
}
void PlanarMechanism::torsion_spring(int a, int b, Exact stiffness, Exact free_angle) {
  check_pair(a, b, "torsion_spring");
  couplings_.push_back({Coupling::torsion_spring, a, b, {}, {}, stiffness.value, free_angle.value});
}
void PlanarMechanism::torsion_damper(int a, int b, Exact coefficient) {
  check_pair(a, b, "torsion_damper");
  couplings_.push_back({Coupling::torsion_damper, a, b, {}, {}, coefficient.value, wide(0)});
}

void PlanarMechanism::torque(int body, Exact value) {
  check_body(body, "torque");
  if (body == ground) throw BadInput("torque: acts on a body, not on the ground");
  torques_[body] += value.value;
}
void PlanarMechanism::torque(int body, Exact amplitude, MotionLaw law) {
  check_body(body, "torque");
  if (body == ground) throw BadInput("torque: acts on a body, not on the ground");
  timed_torques_.push_back(
      {body, amplitude.value, std::make_shared<const MotionLaw>(std::move(law))});
}
void PlanarMechanism::force(int body, Exact x, Exact y) {
  check_body(body, "force");
  if (body == ground) throw BadInput("force: acts on a body, not on the ground");
  forces_[body][0] += x.value, forces_[body][1] += y.value;
}

void PlanarMechanism::output(const std::string& id, const std::string& meaning,
                             const std::string& unit, OutputLaw law) {
  for (const OutputInfo& known : outputs_)
    if (known.id == id)
      throw BadInput(fmt::format("output {} is declared twice, accepted: one of each id", id));
  outputs_.push_back({id, meaning, unit});
  output_laws_.push_back(std::move(law));
}

void PlanarMechanism::trace(int body, BodyPoint point) {
  check_body(body, "trace");
  if (body == ground) throw BadInput("trace: a point of a body, not of the ground");
  traced_ = {{body, body, {point.x.value, point.y.value}, {point.x.value, point.y.value}}};
}

bool PlanarMechanism::is_tree() const {
  for (bool in_tree : tree_body_)
    if (!in_tree) return false;
  for (const CouplingData& c : couplings_)
    if (c.kind == Coupling::spring || c.kind == Coupling::damper) return false;
  return prismatics_.empty() && rows_.size() == 2 * bodies_.size();
}

Problem PlanarMechanism::problem(const std::string& name) const {
  std::set<std::string> names;
  for (const Body& b : bodies_) {
    if (!b.placed) throw BadInput(fmt::format("{}: body {} has no joint", name, b.name));
    if (!names.insert(b.name).second)
      throw BadInput(fmt::format("{}: two bodies are called '{}'; accepted: a name for each", name,
                                 b.name));
  }
  const auto shared = std::make_shared<const PlanarMechanism>(*this);
  Problem problem;
  problem.name = name;
  problem.absolute = {[shared] { return make_planar_system<double>(shared); },
                      [shared] { return make_planar_system<quad>(shared); },
                      [shared] { return make_planar_system<real50>(shared); }};
  if (is_tree())
    problem.minimal = {[shared] { return make_planar_tree<double>(*shared); },
                       [shared] { return make_planar_tree<quad>(*shared); },
                       [shared] { return make_planar_tree<real50>(*shared); }};
  return problem;
}

}  // namespace daemark
