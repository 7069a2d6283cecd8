#include "problems/spatial/beam.hpp"

#include "base/text/bad_input.hpp"
#include "problems/geometry/rotation_charts.hpp"
#include "problems/spatial/finite_volume_beam.hpp"
#include "problems/spatial/two_node_beam.hpp"

namespace daemark {
namespace {

using namespace rotation;
using Volume = FiniteVolumeBeam<double>;
using TwoNode = TwoNodeBeam<double>;

SectionStiffness<double> stiffness_of(const BeamSection& section) {
  std::array<double, 6> diagonal;
  for (int i = 0; i < 6; ++i) diagonal[i] = to_double(section.stiffness[i].value);
  return section_stiffness<double>(diagonal);
}

/// On a line along axis 1, nodes `spacing` apart.
template <class Law>
Law straight_law(const BeamSection& section, const wide& spacing) {
  std::array<SectionPose<double>, Law::nodes> poses;
  for (int i = 0; i < Law::nodes; ++i)
    poses[i] = {{to_double(wide(spacing * i)), 0, 0}, {1, 0, 0, 0}};
  return Law(poses, stiffness_of(section));
}

/// In double only: these mechanisms are large.
template <class Law>
SpatialElement beam_element(const Law& law) {
  SpatialElement element;
  element.in_double = [law](const std::vector<ElementNode>& nodes) {
    typename BeamElement<double, Law>::Offsets offsets;
    offsets.fill({1, 0, 0, 0});
    return std::make_unique<BeamElement<double, Law>>(nodes, offsets, law);
  };
  return element;
}

/// Where an element begins among the nodes of a beam, and which of its evaluation points counts.
struct ShearPoint {
  std::size_t first;
  int point;
};

template <class Law>
SpatialOutput mean_shear(const Law& law, const std::vector<int>& nodes,
                         const std::array<ShearPoint, 2>& points) {
  SpatialOutput output;
  output.in_double = [=](const SpatialView<double>& view) {
    double sum = 0;
    for (const ShearPoint& at : points) {
      std::array<SectionPose<double>, Law::nodes> poses;
      for (int i = 0; i < Law::nodes; ++i) {
        const int node = nodes[at.first + i];
        poses[i] = {view.position(node), view.orientation(node)};
      }
      const auto z = relative_poses<double, Law::nodes>(poses, Law::reference);
      sum += law.section_forces(z.data(), at.point)[2];
    }
    return sum / 2;
  };
  return output;
}

}  // namespace

BeamKind beam_kind(const Arguments& arguments) {
  return arguments.word("element", {"volume", "two_node"}) == "volume" ? BeamKind::finite_volume
                                                                       : BeamKind::two_node;
}

Beam::Beam(SpatialMechanism& mechanism, const std::string& name, const BeamSection& section,
           long elements, const Vector& from, const Vector& to, const Vector& second, BeamKind kind,
           const Vector& velocity, const Vector& spin)
    : section_(section), kind_(kind) {
  if (elements < 1) throw BadInput("beam " + name + ": it needs at least one element");
  const Vec3<wide> start = from.value(), along = combine(wide(1), to.value(), wide(-1), start);
  const wide length = sqrt(wide(dot(along, along)));
  if (!(length > 0)) throw BadInput("beam " + name + ": its length is zero");
  for (const Exact& number : {section.mass, section.inertia_2, section.inertia_3})
    if (!(number.value > 0))
      throw BadInput("beam " + name + ": mass and inertia a length must be positive");
  stiffness_of(section);  // refuses what is not positive
  const long spans = 2 * elements;
  spacing_ = length / spans;
  const Orientation frame = Orientation::axes(Vector::of(along), second);
  for (long i = 0; i <= spans; ++i) {
    const Vec3<wide> arm = combine(wide(wide(i) / spans), along, wide(0), along);
    const Vec3<wide> swirl = cross(spin.value(), arm);
    Placement at;
    at.position = Vector::of(combine(wide(1), start, wide(1), arm));
    at.orientation = frame;
    at.velocity = Vector::of(combine(wide(1), velocity.value(), wide(1), swirl));
    at.spin = spin;
    nodes_.push_back(mechanism.node(name + "_" + std::to_string(i), at));
  }
  // A rigid piece of half a span on either side of a node.
  const wide piece = spacing_ / 2, own = section.mass.value * piece * piece * piece / 12;
  const wide J2 = section.inertia_2.value * piece, J3 = section.inertia_3.value * piece;
  const Inertia inertia{wide(J2 + J3), wide(J2 + own), wide(J3 + own)};
  for (long i = 0; i <= spans; ++i)
    for (const int side : {-1, 1})
      if ((side < 0 && i > 0) || (side > 0 && i < spans))
        mechanism.inertia(nodes_[i], wide(section.mass.value * piece), inertia,
                          {wide(side * piece / 2), 0, 0});
  const auto element = kind == BeamKind::finite_volume
                           ? beam_element(straight_law<Volume>(section, spacing_))
                           : beam_element(straight_law<TwoNode>(section, spacing_));
  const long step = kind == BeamKind::finite_volume ? 2 : 1;
  for (long i = 0; i < spans; i += step)
    mechanism.element({nodes_.begin() + i, nodes_.begin() + i + step + 1}, element);
}

SpatialOutput Beam::middle_shear() const {
  const std::size_t middle = nodes_.size() / 2;
  if (kind_ == BeamKind::two_node)
    return mean_shear(straight_law<TwoNode>(section_, spacing_), nodes_,
                      {{{middle - 1, 0}, {middle, 0}}});
  const bool within = middle % 2 == 1;  // it is the middle of an element
  const std::size_t left = within ? middle - 1 : middle - 2, right = within ? left : middle;
  return mean_shear(straight_law<Volume>(section_, spacing_), nodes_,
                    {{{left, within ? 0 : 1}, {right, within ? 1 : 0}}});
}

SpatialOutput roll_angle(int node) {
  return spatial_output([node](const auto& view) {
    using S = std::remove_cvref_t<decltype(view.position(0)[0])>;
    using std::atan2;
    using std::sqrt;
    const auto p = view.orientation(node);
    const auto height = [&](int axis) {  // R_3i
      Vec3<S> unit{S(0), S(0), S(0)};
      unit[axis] = S(1);
      return rotate(p, unit)[2];
    };
    const S x = height(0), z = height(2);
    return S(atan2(height(1), S(sqrt(S(x * x + z * z)))));
  });
}

SpatialOutput rotation_component(int node, int axis) {
  return spatial_output([=](const auto& view) { return logarithm(view.orientation(node))[axis]; });
}

SpatialOutput spin_component(int node, int axis) {
  return spatial_output([=](const auto& view) { return view.spin(node)[axis]; });
}

}  // namespace daemark
