#include "problems/planar/planar_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/program/stop.hpp"

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
  checkpoint();
  if (mass.value < 0 || inertia.value < 0)
    throw BadInput(fmt::format("body {}: mass and inertia must not be negative", name));
  // A row of equal loops repeats the angles of the two bodies before, whose cosines are at hand.
  const int first = std::max(0, static_cast<int>(bodies_.size()) - 2);
  int alike = static_cast<int>(bodies_.size()) - 1;
  while (alike >= first && bodies_[alike].theta != theta.value) --alike;
  const bool known = alike >= first;
  bodies_.push_back({name, mass.value, inertia.value, theta.value, omega.value,
                     known ? bodies_[alike].cosine : wide(cos(theta.value)),
                     known ? bodies_[alike].sine : wide(sin(theta.value))});
  loads_.push_back({wide(0), wide(0), wide(0)});
  links_.emplace_back();
  tree_body_.push_back(false);
  return static_cast<int>(bodies_.size()) - 1;
}

void PlanarMechanism::place(int body, int by, const BodyPoint& on_by, const BodyPoint& on_body) {
  Body& b = bodies_[body];
  wide px = on_by.x.value, py = on_by.y.value, vx = 0, vy = 0;
  if (by != ground) {
    const Body& a = bodies_[by];
    const wide rx = a.cosine * on_by.x.value - a.sine * on_by.y.value;
    const wide ry = a.sine * on_by.x.value + a.cosine * on_by.y.value;
    px = a.x + rx, py = a.y + ry;
    vx = a.vx - a.omega * ry, vy = a.vy + a.omega * rx;
  }
  const wide rx = b.cosine * on_body.x.value - b.sine * on_body.y.value;
  const wide ry = b.sine * on_body.x.value + b.cosine * on_body.y.value;
  b.x = px - rx, b.y = py - ry;
  b.vx = vx + b.omega * ry, b.vy = vy - b.omega * rx;
  b.placed = true;
}

void PlanarMechanism::revolute(int a, BodyPoint on_a, int b, BodyPoint on_b, Rows rows) {
  checkpoint();
  check_pair(a, b, "revolute");
  const bool a_placed = a == ground || bodies_[a].placed;
  const bool closes_loop = b == ground || bodies_[b].placed;
  if (!a_placed)
    throw BadInput("revolute: declare joints from the ground outwards, body a has no joint yet");
  ++joints_;
  revolutes_.push_back({a, b, on_a.value(), on_b.value()});
  if (!closes_loop) place(b, a, on_a, on_b);
  for (int axis = 0; axis < 2; ++axis) {
    TrigRow row;
    row.quantity = {fmt::format("joint{}_{}", joints_, axis == 0 ? "x" : "y"), "m"};
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
  prismatics_.push_back(
      {a, b, on_a.value(), on_b.value(), angle.value, wide(bodies_[b].theta - theta_a)});
}

void PlanarMechanism::drive(int a, int b, MotionLaw law) {
  check_pair(a, b, "drive");
  if (b == ground) throw BadInput("drive: the second body must not be the ground");
  TrigRow row;
  row.quantity = {"drive_" + bodies_[b].name, "rad"};
  row.linear.emplace_back(3 * b + 2, wide(1));
  if (a != ground) row.linear.emplace_back(3 * a + 2, wide(-1));
  row.law = shared_law(std::move(law));
  rows_.push_back(row);
}

void PlanarMechanism::stiff() {
  if (couplings_.empty()) throw BadInput("stiff: no spring or damper precedes it");
  couplings_.back().stiff = true;
}
std::shared_ptr<const PlanarMechanism> PlanarMechanism::stiff_part() const {
  if (!has_stiff_coupling()) return nullptr;
  auto part = std::make_shared<PlanarMechanism>(*this);
  part->keep_stiff_couplings();
  std::fill(part->loads_.begin(), part->loads_.end(), std::array<wide, 3>{0, 0, 0});
  part->timed_loads_.clear(), part->frictions_.clear();
  part->gravity_ = 0;
  return part;
}

void PlanarMechanism::load(const char* what, int body, const std::array<wide, 3>& value,
                           SharedLaw law) {
  check_loaded(body, what);
  for (int axis = 0; axis < 3; ++axis) {
    if (!law) loads_[body][axis] += value[axis];
    if (law && value[axis] != 0) timed_loads_.push_back({body, axis, value[axis], law});
  }
}

void PlanarMechanism::trace(int body, BodyPoint point) {
  check_body(body, "trace");
  if (body == ground) throw BadInput("trace: a point of a body, not of the ground");
  traced_ = {{body, body, point.value(), point.value()}};
}

bool PlanarMechanism::is_tree() const {
  for (bool in_tree : tree_body_)
    if (!in_tree) return false;
  for (const Coupling& c : couplings_)
    if (!is_torsion(c.kind)) return false;
  for (const TimedLoad& load : timed_loads_)
    if (load.axis != 2) return false;
  return prismatics_.empty() && rods_.empty() && frictions_.empty() &&
         rows_.size() == 2 * bodies_.size();
}

}  // namespace daemark
