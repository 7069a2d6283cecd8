#include "problems/spatial/spatial_system.hpp"

#include "problems/elements/assembly.hpp"
#include "problems/spatial/spatial_drawing.hpp"
#include "problems/spatial/spatial_loads.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/spatial/turn_rate.hpp"

namespace daemark {
namespace {

using namespace rotation;

template <class S>
Vec3<S> narrow(const Vec3<wide>& x) {
  return {from_wide<S>(x[0]), from_wide<S>(x[1]), from_wide<S>(x[2])};
}

template <class S>
class SpatialSystem final : public ElementSystem<S>, public Drawable {
 public:
  struct Parts {
    std::vector<Quantity> coordinates;
    std::vector<S> q0, v0;
    std::vector<ChartRotation<S>> rotations;
    std::vector<std::unique_ptr<Element<S>>> elements;
  };
  SpatialSystem(Parts parts, const SpatialMechanism& m)
      : ElementSystem<S>(parts.coordinates, std::move(parts.q0), std::move(parts.v0),
                         std::move(parts.elements), RotationCharts<S>(std::move(parts.rotations)),
                         std::max(m.redundancy(), 0)),
        output_laws_(m.output_laws()),
        drawing_(spatial_drawing(m)),
        stiff_(m.stiff_part()) {
    this->outputs_ = m.outputs();
  }
  MechanicalPtr<S> stiff_part() const override {
    return stiff_ ? make_spatial_system<S>(*stiff_) : nullptr;
  }

  void output_values(const MotionPoint<S>& p, S* values) override {
    const SpatialView<S> view{p};
    for (const SpatialOutput& law : output_laws_) {
      if constexpr (std::is_same_v<S, double>)
        *values++ = law.in_double(view);
      else
        *values++ = law.in_real50(view);
    }
  }

  Drawing drawing() const override { return drawing_; }

 private:
  std::vector<SpatialOutput> output_laws_;
  Drawing drawing_;
  std::shared_ptr<const SpatialMechanism> stiff_;
};

template <class S>
SpatialInertia<S> narrow(const SpatialInertia<wide>& inertia) {
  return {from_wide<S>(inertia.mass),
          narrow<S>(inertia.moment),
          {narrow<S>(inertia.inertia[0]), narrow<S>(inertia.inertia[1]),
           narrow<S>(inertia.inertia[2])}};
}

ElementNode element_node(int node) {
  return node < 0 ? ElementNode::spatial_ground() : ElementNode::spatial(node);
}

template <class S>
std::unique_ptr<Element<S>> make_turn_rate(const SpatialMechanism::Joint& joint) {
  std::vector<ElementNode> nodes;
  for (const int node : joint.turned) nodes.push_back(TurnRate<S>::orientation(node));
  return std::make_unique<VelocityElement<S, TurnRate<S>>>(
      node_coordinates(nodes), joint.rows, TurnRate<S>{narrow<S>(joint.axis), joint.law},
      node_charts(nodes));
}

template <class S>
std::unique_ptr<Element<S>> make_joint(const SpatialMechanism::Joint& joint) {
  if (joint.features.empty()) return make_turn_rate<S>(joint);
  std::vector<ElementNode> nodes;
  for (const int node : joint.nodes) nodes.push_back(ElementNode::spatial(node));
  std::vector<JointFeature<S>> features;
  for (const auto& f : joint.features) features.push_back({f.node, f.point, narrow<S>(f.local)});
  std::vector<JointRow<S>> rows;
  for (const auto& row : joint.equations) {
    rows.push_back({{}, row.subtracts_law});
    for (const auto& term : row.terms)
      rows.back().terms.push_back({from_wide<S>(term.coefficient), term.u, term.w, term.factor});
  }
  return std::make_unique<SpatialJoint<S>>(nodes, joint.rows, std::move(features), std::move(rows),
                                           joint.law);
}

template <class S>
void add_nodes(const SpatialMechanism& m, typename SpatialSystem<S>::Parts& parts) {
  for (const auto& node : m.nodes()) {
    parts.rotations.push_back(
        {node.name,
         static_cast<int>(parts.coordinates.size()) + 3,
         {from_wide<S>(node.orientation[0]), from_wide<S>(node.orientation[1]),
          from_wide<S>(node.orientation[2]), from_wide<S>(node.orientation[3])}});
    constexpr const char* axes[] = {"x_", "y_", "z_", "gx_", "gy_", "gz_"};
    for (int i = 0; i < 6; ++i) {
      parts.coordinates.push_back({axes[i] + node.name, i < 3 ? "m" : "rad"});
      parts.q0.push_back(i < 3 ? from_wide<S>(node.position[i]) : S(0));
      parts.v0.push_back(from_wide<S>(i < 3 ? node.velocity[i] : node.spin[i - 3]));
    }
  }
}

}  // namespace

template <class S>
MechanicalPtr<S> make_spatial_system(const SpatialMechanism& m) {
  typename SpatialSystem<S>::Parts parts;
  add_nodes<S>(m, parts);
  const SpatialGravity<S> gravity{narrow<S>(m.gravity().acceleration), m.gravity().factor};
  for (const auto& custom : m.elements()) {
    std::vector<ElementNode> nodes;
    for (const int node : custom.nodes) nodes.push_back(element_node(node));
    if constexpr (std::is_same_v<S, double>)
      parts.elements.push_back(custom.element.in_double(nodes));
    else
      parts.elements.push_back(custom.element.in_real50(nodes));
  }
  // After beam elements, whose blocks then stand in the patterns without gaps.
  for (std::size_t i = 0; i < m.nodes().size(); ++i) {
    const SpatialInertia<wide>& inertia = m.nodes()[i].inertia;
    if (inertia.mass != 0)
      parts.elements.push_back(std::make_unique<SpatialBody<S>>(
          ElementNode::spatial(static_cast<int>(i)), narrow<S>(inertia), gravity));
  }
  for (const auto& joint : m.joints()) parts.elements.push_back(make_joint<S>(joint));
  for (const auto& c : m.couplings()) {
    const std::vector<ElementNode> nodes{element_node(c.a), element_node(c.b)};
    parts.elements.push_back(std::make_unique<ForceElement<S, SpatialCoupling<S>>>(
        node_coordinates(nodes),
        SpatialCoupling<S>{narrow<S>(c.on_a), narrow<S>(c.on_b), c.damper,
                           from_wide<S>(c.coefficient), from_wide<S>(c.rest), c.law},
        node_charts(nodes)));
  }
  for (const auto& load : m.loads()) {
    const std::vector<ElementNode> nodes{ElementNode::spatial(load.node)};
    parts.elements.push_back(std::make_unique<ForceElement<S, SpatialLoad<S>>>(
        node_coordinates(nodes),
        SpatialLoad<S>{narrow<S>(load.on_node), narrow<S>(load.value), load.moment, load.law},
        node_charts(nodes)));
  }
  return std::make_shared<SpatialSystem<S>>(std::move(parts), m);
}
template MechanicalPtr<double> make_spatial_system<double>(const SpatialMechanism&);
template MechanicalPtr<real50> make_spatial_system<real50>(const SpatialMechanism&);

}  // namespace daemark
