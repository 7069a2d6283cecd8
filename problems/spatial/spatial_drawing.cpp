#include <cmath>

#include "problems/builder/sketch.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/spatial/spatial_system.hpp"

namespace daemark {
namespace {

using namespace rotation;
using Kind = DrawnShape::Kind;

SpacePoint rounded(const Vec3<wide>& x) {
  return {to_double(x[0]), to_double(x[1]), to_double(x[2])};
}

/// A point of a node, or of the ground (−1), in its frame.
struct NodePoint {
  int node;
  SpacePoint at;
  bool operator==(const NodePoint&) const = default;
  SpacePoint in_space(const double* q) const {
    if (node < 0) return at;
    const double* x = q + 6 * node;
    const Vec3<double> r = rotate(exponential(vector(x + 3)), Vec3<double>{at[0], at[1], at[2]});
    return {x[0] + r[0], x[1] + r[1], x[2] + r[2]};
  }
};

class SpatialSketch : public Sketch<NodePoint> {
 public:
  explicit SpatialSketch(const SpatialMechanism& m)
      : mechanism_(m), held_(m.nodes().size()), beam_node_(m.nodes().size()) {
    for (const auto& joint : m.joints())
      for (const auto& f : joint.features)
        if (f.point) hold({joint.nodes[f.node], rounded(f.local)});
    for (const auto& c : m.couplings()) hold({c.a, rounded(c.on_a)}), hold({c.b, rounded(c.on_b)});
    beams();
    for (std::size_t b = 0; b < held_.size(); ++b) body(static_cast<int>(b));
    for (const auto& joint : m.joints()) this->joint(joint);
    for (const auto& c : m.couplings())
      add(is_damper(c.kind) ? Kind::damper : Kind::spring,
          {{c.a, rounded(c.on_a)}, {c.b, rounded(c.on_b)}});
    add(Kind::traced, {last_});
  }

 private:
  void hold(const NodePoint& point) {
    if (point.node < 0) return;
    auto& points = held_[point.node];
    if (std::count(points.begin(), points.end(), point) == 0) points.push_back(point);
  }

  /// Elements between nodes: a line through these, on through elements that share an end, with a
  /// stroke across each end that shows how it is turned.
  void beams() {
    std::vector<std::vector<NodePoint>> lines;
    for (const auto& custom : mechanism_.elements()) {
      std::vector<int> nodes = custom.nodes;
      std::erase(nodes, SpatialMechanism::ground);
      if (nodes.size() < 2) continue;
      const auto at = [&](int i) { return mechanism_.nodes()[nodes[i]].position; };
      const Vec3<wide> span = combine(wide(1), at(1), wide(-1), at(0));
      const double half = std::sqrt(to_double(dot(span, span))) / 5;
      const auto across = [&](std::vector<NodePoint>& line, int node) {
        for (const double y : {0.0, -half, half, 0.0}) line.push_back({node, {0, y, 0}});
      };
      if (lines.empty() || lines.back().back().node != nodes.front())
        across(lines.emplace_back(), nodes.front());
      for (const int node : nodes) {
        beam_node_[node] = true;
        if (node != nodes.front() && node != nodes.back()) lines.back().push_back({node, {}});
      }
      across(lines.back(), nodes.back());
    }
    for (std::vector<NodePoint>& line : lines) add(Kind::body, std::move(line));
  }

  void body(int b) {
    const auto& inertia = mechanism_.nodes()[b].inertia;
    const NodePoint node{b, {}};
    NodePoint mass = node;
    if (inertia.mass > 0 && !beam_node_[b])  // that of a beam is spread along it
      for (int i = 0; i < 3; ++i) mass.at[i] = to_double(inertia.moment[i] / inertia.mass);
    for (const NodePoint& point : held_[b])
      if (!(point == node)) add(Kind::body, {point, node});
    if (!(mass == node)) add(Kind::body, {node, mass}), add(Kind::mass, {mass});
    if (!(mass == node) || !held_[b].empty()) last_ = mass;
  }

  void joint(const SpatialMechanism::Joint& joint) {
    for (const auto& f : joint.features) {
      if (!f.point) continue;
      const NodePoint at{joint.nodes[f.node], rounded(f.local)};
      if (joint.nodes.size() == 1) {
        const auto& node = mechanism_.nodes()[at.node];
        const Vec3<wide> r = rotate(node.orientation, f.local);
        add(Kind::ground, {{-1, rounded(combine(wide(1), node.position, wide(1), r))}});
      }
      add(Kind::joint, {at});
      return;
    }
  }

  const SpatialMechanism& mechanism_;
  std::vector<std::vector<NodePoint>> held_;
  std::vector<bool> beam_node_;
  NodePoint last_{0, {}};
};

}  // namespace

Drawing spatial_drawing(const SpatialMechanism& mechanism) {
  Drawing drawing;
  drawing.look_from(-60, 20);
  // From z upwards to the axis against gravity: axes change places in a circle.
  const auto& g = mechanism.gravity().acceleration;
  int down = 2;
  for (int i = 0; i < 3; ++i)
    if (abs(g[i]) > abs(g[down])) down = i;
  for (SpacePoint* direction : {&drawing.right, &drawing.up}) {
    SpacePoint turned;
    for (int i = 0; i < 3; ++i) turned[(i + down + 1) % 3] = (*direction)[i];
    *direction = turned;
  }
  drawing.shapes = SpatialSketch(mechanism).shapes();
  return drawing;
}

}  // namespace daemark
