// Elliptic Fekete points (Bendtsen & Thomsen; IVP Test Set [mazzia2008]), without units: N = 20
// points of mass 1 on the unit sphere repel each other by 1/distance and are damped by α, so that
// they come to rest where Π |p_i − p_j| has a local maximum:
//   p_i'' = Σ_j (p_i − p_j)/|p_i − p_j|² − α p_i' − 2 λ_i p_i,  p_i·p_i = 1,
// potential −Σ_{i<j} log |p_i − p_j|, whose value says how good the rest is whatever turns the
// points have taken; before the rest the motion is sensitive to its start. The Test Set's index-2
// form, with p' = q + 2 μ p, is `ggl`; it writes + λ, so that its multipliers are minus these.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
namespace {

PartFunctions repulsion(const PartArguments& at) {
  Var d[3], squared;
  for (int i = 0; i < 3; ++i) d[i] = at.q[i] - at.q[3 + i], squared += square(d[i]);
  PartFunctions f;
  for (int i = 0; i < 6; ++i) f.force.push_back(i < 3 ? d[i] / squared : -d[i - 3] / squared);
  f.potential = -log(squared) / Var(2);
  return f;
}

/// On the unit sphere; datum: the damping.
PartFunctions point_on_sphere(const PartArguments& at) {
  PartFunctions f;
  f.mass = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  f.rows = {-1};
  for (int i = 0; i < 3; ++i) {
    f.force.push_back(-(at.data[0] * at.v[i]));
    f.dissipation += f.force[i] * at.v[i];
    f.rows[0] += square(at.q[i]);
  }
  return f;
}

Drawing drawing_of_points(int points) {
  using Kind = DrawnShape::Kind;
  Drawing drawing;
  drawing.look_from(-60, 25);
  drawing.shapes = [points](double, const double* q) {
    constexpr int corners = 48;
    std::vector<SpacePoint> equator, masses;
    for (int i = 0; i <= corners; ++i) {
      const double angle = 2 * boost::math::constants::pi<double>() * i / corners;
      equator.push_back({std::cos(angle), std::sin(angle), 0});
    }
    for (int i = 0; i < points; ++i) masses.push_back({q[3 * i], q[3 * i + 1], q[3 * i + 2]});
    return std::vector<DrawnShape>{{Kind::ground, equator},
                                   {Kind::mass, masses},
                                   {Kind::traced, {masses[0]}},
                                   {Kind::traced, {masses[10]}}};
  };
  return drawing;
}

struct Ring {
  wide first, height;  ///< angles: around the axis, above the equator
  int points, begin;   ///< numbers of the points on the ring: begin, begin + 1, ...
};

std::shared_ptr<const Mechanism> points_mechanism(const std::vector<Ring>& rings,
                                                  const wide& damping) {
  const wide& circle = boost::math::constants::two_pi<wide>();
  auto made = std::make_shared<Mechanism>();
  ElementKinds kinds;
  int points = 0;
  const auto node = [](int i) { return ElementNode{3 * i, 3}; };
  for (const Ring& ring : rings)
    for (int i = ring.begin; i < ring.begin + ring.points; ++i, ++points) {
      const wide around = ring.first + circle * i / ring.points;
      for (const wide& x : {wide(cos(around) * cos(ring.height)),
                            wide(sin(around) * cos(ring.height)), wide(sin(ring.height))})
        made->q0.push_back(x), made->v0.emplace_back(0);
      for (const char* axis : {"x", "y", "z"})
        made->coordinates.push_back({fmt::format("{}{}", axis, points + 1), "none"});
      made->elements.push_back(kinds.make({"point", {}}, {node(points)}, {damping},
                                          {{fmt::format("lambda_{}", points + 1), "none"}},
                                          point_on_sphere));
      for (int j = 0; j < points; ++j)
        made->elements.push_back(
            kinds.make({"repulsion", {}}, {node(points), node(j)}, {}, {}, repulsion));
    }
  made->drawing = [points] { return drawing_of_points(points); };
  return made;
}

}  // namespace

void register_fekete(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "fekete";
  info.summary = "20 points on a sphere that repel each other and come to rest, 60 coordinates";
  info.source = "[mazzia2008], Fekete problem";
  info.equations =
      "p_i'' = sum_j (p_i - p_j)/|p_i - p_j|^2 - alpha p_i' - 2 lambda_i p_i; p_i.p_i = 1; at rest "
      "at the start on rings of 3, 7, 6 and 4 points: the angle of point i of n around the axis is "
      "first + 2 pi i/n, i = 1..n on the first three rings, 0..3 on the last; the Test Set writes "
      "+ 2 lambda_i p_i: its multipliers are minus these";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "IVP Test Set";
    const wide damping = data("alpha", "1/2", "1", source);
    const auto first =
        data("first, of each ring", {"pi/13", "pi/29", "pi/7", "pi/17"}, "1", source);
    const auto height = data("above the equator, each ring",
                             {"3*pi/8", "pi/8", "-2*pi/15", "-3*pi/10"}, "1", source);
    std::vector<Ring> rings;
    for (int i = 0; i < 4; ++i)
      rings.push_back({first[i], height[i], std::array{3, 7, 6, 4}[i], i < 3 ? 1 : 0});
    Problem problem;
    problem.absolute = recorded_makers([=] { return points_mechanism(rings, damping); });
    return problem;
  });
}

}  // namespace daemark
