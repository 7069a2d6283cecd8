// Elliptic Fekete points (Bendtsen & Thomsen; IVP Test Set [mazzia2008]), without units: N = 20
// points of mass 1 on the unit sphere repel each other by 1/distance and are damped by α, so that
// they come to rest where Π |p_i − p_j| has a local maximum:
//   p_i'' = Σ_j (p_i − p_j)/|p_i − p_j|² − α p_i' − 2 λ_i p_i,  p_i·p_i = 1,
// potential −Σ_{i<j} log |p_i − p_j|, whose value says how good the rest is whatever turns the
// points have taken; before the rest the motion is sensitive to its start. The Test Set's index-2
// form, with p' = q + 2 μ p, is `ggl`; it writes + λ, so that its multipliers are minus these.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "problems/elements/assembly.hpp"
#include "problems/elements/element_laws.hpp"
#include "problems/system/drawing.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

template <class S>
struct Repulsion {
  static constexpr int size = 6;
  bool uses_velocity() const { return false; }
  template <class T>
  void force(const T&, const T* q, const T*, T* f) const {
    const T x = q[0] - q[3], y = q[1] - q[4], z = q[2] - q[5];
    const T share = T(S(1)) / (x * x + y * y + z * z);
    f[0] = share * x, f[1] = share * y, f[2] = share * z;
    for (int i = 0; i < 3; ++i) f[3 + i] = -f[i];
  }
  S potential(const S&, const S* q) const {
    using std::log;
    const S x = q[0] - q[3], y = q[1] - q[4], z = q[2] - q[5];
    return -log(S(x * x + y * y + z * z)) / 2;
  }
};

template <class S>
struct DampedPoint {
  static constexpr int size = 3;
  S damping;
  bool uses_velocity() const { return true; }
  bool has_power() const { return true; }
  template <class T>
  void mass(const T*, T* M) const {
    std::fill_n(M, 9, T(S(0)));
    M[0] = M[4] = M[8] = T(S(1));
  }
  template <class T>
  void force(const T&, const T*, const T* v, T* f) const {
    for (int i = 0; i < 3; ++i) f[i] = -(T(damping) * v[i]);
  }
  bool fills(ElementBlock block, int i, int j) const {
    return (block == ElementBlock::mass || block == ElementBlock::residual_v) && i == j;
  }
};

struct OnUnitSphere {
  static constexpr int size = 3, rows = 1;
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - T(1);
  }
  bool fills(ElementBlock block, int i, int j) const {
    return block == ElementBlock::gradient || block == ElementBlock::curvature ||
           (block == ElementBlock::residual_q && i == j);
  }
};

template <class S>
class FeketePoints final : public ElementSystem<S>, public Drawable {
 public:
  using ElementSystem<S>::ElementSystem;
  Drawing drawing() const override {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.look_from(-60, 25);
    drawing.shapes = [points = this->coordinates() / 3](double, const double* q) {
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
};

struct Ring {
  wide first, height;  ///< angles: around the axis, above the equator
  int points, begin;   ///< numbers of the points on the ring: begin, begin + 1, ...
};

template <class S>
MechanicalPtr<S> points_system(const std::vector<Ring>& rings, const wide& damping) {
  const wide& circle = boost::math::constants::two_pi<wide>();
  std::vector<Quantity> coordinates;
  std::vector<S> q, v;
  std::vector<std::unique_ptr<Element<S>>> elements;
  int points = 0;
  for (const Ring& ring : rings)
    for (int i = ring.begin; i < ring.begin + ring.points; ++i, ++points) {
      const wide around = ring.first + circle * i / ring.points;
      for (const wide& x : {wide(cos(around) * cos(ring.height)),
                            wide(sin(around) * cos(ring.height)), wide(sin(ring.height))})
        q.push_back(from_wide<S>(x)), v.push_back(S(0));
      for (const char* axis : {"x", "y", "z"})
        coordinates.push_back({fmt::format("{}{}", axis, points + 1), "none"});
    }
  const auto node = [](int i) { return ElementNode{3 * i, 3}; };
  for (int i = 0; i < points; ++i) {
    elements.push_back(std::make_unique<ForceElement<S, DampedPoint<S>>>(
        node_coordinates({node(i)}), DampedPoint<S>{from_wide<S>(damping)}));
    elements.push_back(std::make_unique<ConstraintElement<S, OnUnitSphere>>(
        node_coordinates({node(i)}),
        std::vector<Quantity>{{fmt::format("lambda_{}", i + 1), "none"}}, OnUnitSphere{}));
    for (int j = 0; j < i; ++j)
      elements.push_back(std::make_unique<ForceElement<S, Repulsion<S>>>(
          node_coordinates({node(i), node(j)}), Repulsion<S>{}));
  }
  return std::make_shared<FeketePoints<S>>(coordinates, q, v, std::move(elements));
}

}  // namespace

void register_fekete(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "fekete";
  info.summary = "20 points on a sphere that repel each other and come to rest, 60 coordinates";
  info.source = "[mazzia2008], Fekete problem";
  info.equations =
      "p_i'' = sum_j (p_i - p_j)/|p_i - p_j|^2 - alpha p_i' - 2 lambda_i p_i; p_i.p_i = 1; at rest "
      "at "
      "the start on rings of 3, 7, 6 and 4 points: the angle of point i of n around the axis is "
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
    problem.absolute = {[=] { return points_system<double>(rings, damping); },
                        [=] { return points_system<real50>(rings, damping); }};
    return problem;
  });
}

}  // namespace daemark
