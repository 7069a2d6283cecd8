#include "problems/bodies/rigid_bodies.hpp"

#include <algorithm>
#include <set>

namespace daemark {

using namespace rotation;

wide RigidBodies::angle_between(int a, int b) const {
  const auto angle = [&](int body) -> wide {
    if (body == ground) return 0;
    const Quaternion<wide>& p = bodies[body].orientation;
    return 2 * atan2(p[3], p[0]);
  };
  return angle(b) - angle(a);
}

// A body without mass between a prismatic joint and a hinge, with nothing else on it: its hinge is
// a pin that slides along the line.
void RigidBodies::merge_sliders() {
  for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
    const auto touches = [b](const auto& pair) { return pair[0] == b || pair[1] == b; };
    if (!bodies[b].is_massless() ||
        std::any_of(couplings.begin(), couplings.end(),
                    [&](const Coupling& c) { return touches(c.bodies); }) ||
        std::any_of(loads.begin(), loads.end(), [&](const Load& l) { return l.body == b; }) ||
        std::any_of(drives.begin(), drives.end(),
                    [&](const Joint& d) { return touches(d.bodies); }))
      continue;
    std::vector<Joint*> own;
    for (Joint& joint : joints)
      if (touches(joint.bodies)) own.push_back(&joint);
    if (own.size() != 2) continue;
    if (own[0]->type == "revolute") std::swap(own[0], own[1]);
    Joint &line = *own[0], &pin = *own[1];
    if (line.type != "prismatic" || pin.type != "revolute" || line.bodies[1] != b) continue;
    const int on = pin.bodies[0] == b ? 1 : 0;  // the pin's other body
    const auto same = [](const Vec3& x, const Vec3& y) { return x == y; };
    if (!same(pin.points[1 - on], line.points[1])) continue;
    const int other = pin.bodies[on];
    if (other == ground) continue;
    for (Shown& shown : this->shown)
      if (shown.body == b && shown.kind == Shown::Kind::point)
        shown.body = other, shown.at = pin.points[on];
    line.type = "slot", line.bodies[1] = other, line.points[1] = pin.points[on];
    line.axes[1] = axis(2);
    const std::string gone = pin.name;
    std::erase_if(joints, [&](const Joint& joint) { return joint.name == gone; });
    bodies.erase(bodies.begin() + b);
    const auto renumber = [b](int& body) { body -= body > b; };
    for (auto* list : {&joints, &drives})
      for (Joint& joint : *list) renumber(joint.bodies[0]), renumber(joint.bodies[1]);
    for (Coupling& c : couplings) renumber(c.bodies[0]), renumber(c.bodies[1]);
    for (Load& load : loads) renumber(load.body);
    for (Shown& shown : this->shown) renumber(shown.body);
    --b;
  }
}

// Breadth first from the ground, so that chains are short; a slot only where no hinge leads there.
void RigidBodies::mark_tree() {
  static const std::set<std::string> can_carry = {"revolute",    "spherical", "universal", "fixed",
                                                  "cylindrical", "prismatic", "slot"};
  std::vector<int> order, place(bodies.size(), -1);
  const auto take = [&](Joint& joint, int body) {
    if (joint.bodies[0] == body)
      for (auto* pair : {&joint.points, &joint.axes}) std::swap((*pair)[0], (*pair)[1]);
    if (joint.bodies[0] == body) std::swap(joint.bodies[0], joint.bodies[1]);
    joint.tree = true;
    place[body] = static_cast<int>(order.size());
    order.push_back(body);
  };
  const auto grow_from = [&](int from) {
    for (Joint& joint : joints)
      for (const int side : {1, 0}) {
        const int body = joint.bodies[side];
        if (joint.tree || body == ground || joint.bodies[1 - side] != from || place[body] >= 0 ||
            !can_carry.contains(joint.type) || (side == 0 && joint.type == "slot"))
          continue;
        take(joint, body);
      }
  };
  grow_from(ground);
  for (std::size_t i = 0; i < order.size(); ++i) grow_from(order[i]);
  for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
    if (place[b] >= 0) continue;
    joints.push_back({"free" + std::to_string(b + 1), "free", {ground, b}});
    joints.back().points[0] = bodies[b].position;
    for (Vec3& one : joints.back().axes) one = axis(2);
    take(joints.back(), b);
    for (std::size_t i = order.size() - 1; i < order.size(); ++i) grow_from(order[i]);
  }
  std::vector<Body> sorted;
  for (const int body : order) sorted.push_back(std::move(bodies[body]));
  bodies = std::move(sorted);
  const auto moved = [&](int& body) {
    if (body != ground) body = place[body];
  };
  for (auto* list : {&joints, &drives})
    for (Joint& joint : *list) moved(joint.bodies[0]), moved(joint.bodies[1]);
  for (Coupling& c : couplings) moved(c.bodies[0]), moved(c.bodies[1]);
  for (Load& load : loads) moved(load.body);
  for (Shown& s : shown) moved(s.body);
  std::stable_sort(joints.begin(), joints.end(), [](const Joint& x, const Joint& y) {
    return x.tree != y.tree ? x.tree : x.tree && x.bodies[1] < y.bodies[1];
  });
}

void RigidBodies::finish() {
  if (planar) merge_sliders();
  mark_tree();
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name.empty()) bodies[b].name = "body" + std::to_string(b + 1);
}

std::vector<std::string> RigidBodies::features() const {
  std::set<std::string> all;
  for (const Joint& joint : joints) {
    all.insert(joint.type);
    if (!joint.tree) all.insert("loops");
  }
  for (const Body& body : bodies) {
    if (body.is_massless()) all.insert("massless");
    if (body.is_point()) all.insert("point");
  }
  for (const Coupling& c : couplings) all.insert(c.kind + "s");
  for (const Load& load : loads) all.insert(load.is_moment ? "moments" : "forces");
  if (!drives.empty()) all.insert("drives");
  const auto has_law = [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](const auto& x) { return x.law != nullptr; });
  };
  if (gravity_law || has_law(couplings) || has_law(loads) || has_law(drives)) all.insert("laws");
  return {all.begin(), all.end()};
}

}  // namespace daemark
