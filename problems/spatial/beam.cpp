#include "problems/spatial/beam.hpp"

#include "base/text/bad_input.hpp"
#include "problems/spatial/finite_volume_beam.hpp"
#include "problems/spatial/two_node_beam.hpp"

namespace daemark {
namespace {

using namespace rotation;
SectionStiffness stiffness_of(const BeamSection& section) {
  std::array<wide, 6> diagonal;
  for (int i = 0; i < 6; ++i) diagonal[i] = section.stiffness[i].value;
  return section_stiffness(diagonal);
}

/// On a line along axis 1, nodes `spacing` apart.
template <class Law>
Law straight_law(const BeamSection& section, const wide& spacing) {
  std::array<SectionPose<wide>, Law::nodes> poses;
  for (int i = 0; i < Law::nodes; ++i) poses[i] = {{wide(spacing * i), 0, 0}, {1, 0, 0, 0}};
  return Law(poses, stiffness_of(section));
}

/// In double only: these mechanisms are large.
template <class Law>
SpatialElement element_of(const Law& law) {
  SpatialElement element =
      spatial_element([law](const PartArguments& at) { return beam_element(law, at); });
  element.in_double_only = true;
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
  return [=](const SpatialView& view) {
    Var sum;
    for (const ShearPoint& at : points) {
      std::array<SectionPose<Var>, Law::nodes> poses;
      for (int i = 0; i < Law::nodes; ++i) {
        const int node = nodes[at.first + i];
        poses[i] = {view.position(node), view.orientation(node)};
      }
      const auto z = relative_poses<Var, Law::nodes>(poses, Law::reference);
      sum += law.section_forces(z.data(), at.point)[2];
    }
    return sum / Var(2);
  };
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
                           ? element_of(straight_law<FiniteVolumeBeam>(section, spacing_))
                           : element_of(straight_law<TwoNodeBeam>(section, spacing_));
  const long step = kind == BeamKind::finite_volume ? 2 : 1;
  for (long i = 0; i < spans; i += step)
    mechanism.element({nodes_.begin() + i, nodes_.begin() + i + step + 1}, element);
}

SpatialOutput Beam::middle_shear() const {
  const std::size_t middle = nodes_.size() / 2;
  if (kind_ == BeamKind::two_node)
    return mean_shear(straight_law<TwoNodeBeam>(section_, spacing_), nodes_,
                      {{{middle - 1, 0}, {middle, 0}}});
  const bool within = middle % 2 == 1;  // it is the middle of an element
  const std::size_t left = within ? middle - 1 : middle - 2, right = within ? left : middle;
  return mean_shear(straight_law<FiniteVolumeBeam>(section_, spacing_), nodes_,
                    {{{left, within ? 0 : 1}, {right, within ? 1 : 0}}});
}

SpatialOutput roll_angle(int node) {
  return [node](const SpatialView& view) {
    const auto p = view.orientation(node);
    const auto height = [&](int axis) {  // R_3i
      Vec3<Var> unit;
      unit[axis] = 1;
      return rotate(p, unit)[2];
    };
    const Var x = height(0), z = height(2);
    return atan2(height(1), sqrt(x * x + z * z));
  };
}

SpatialOutput rotation_component(int node, int axis) {
  return [=](const auto& view) { return logarithm(view.orientation(node))[axis]; };
}

SpatialOutput spin_component(int node, int axis) {
  return [=](const auto& view) { return view.spin(node)[axis]; };
}

}  // namespace daemark
