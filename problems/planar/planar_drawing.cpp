#include <algorithm>
#include <cmath>

#include "problems/builder/sketch.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/planar/planar_system.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;
using PlanePoint = std::array<double, 2>;

PlanePoint in_double(const std::array<wide, 2>& x) { return {to_double(x[0]), to_double(x[1])}; }

/// A point of a body, or of the ground, in its frame.
struct PlanarPoint {
  int body;
  PlanePoint at;
  SpacePoint in_space(const double* q) const {
    if (body < 0) return {at[0], at[1], 0};
    const double *x = q + 3 * body, c = std::cos(x[2]), s = std::sin(x[2]);
    return {x[0] + c * at[0] - s * at[1], x[1] + s * at[0] + c * at[1], 0};
  }
};

double cross(const PlanePoint& o, const PlanePoint& a, const PlanePoint& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/// Andrew's monotone chain; two points where all lie on a line.
std::vector<PlanePoint> convex_hull(std::vector<PlanePoint> points, double flat) {
  std::sort(points.begin(), points.end());
  std::vector<PlanePoint> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const PlanePoint& p : points) {
      while (hull.size() >= first + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= flat)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // begins the other side
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

class PlanarSketch : public Sketch<PlanarPoint> {
 public:
  explicit PlanarSketch(const PlanarMechanism& m) : mechanism_(m), held_(m.bodies().size()) {
    for (const auto& p : m.prismatics()) hold(p);
    for (const auto& r : m.revolutes()) hold(r);
    for (const auto& c : m.couplings())
      if (!is_torsion(c.kind)) hold(c);
    for (const auto& points : held_)
      for (const PlanePoint& p : points) reach_ = std::max(reach_, std::hypot(p[0], p[1]));
    if (!(reach_ > 0)) reach_ = 1;
    for (const auto& p : m.prismatics()) guide(p);
    for (std::size_t b = 0; b < held_.size(); ++b) body(static_cast<int>(b));
    for (const auto& r : m.revolutes()) {
      if (r.a < 0 || r.b < 0) add(Kind::ground, {{-1, in_double(r.a < 0 ? r.on_a : r.on_b)}});
      add(Kind::joint, {{r.b, in_double(r.on_b)}});
    }
    for (const auto& c : m.couplings())
      if (!is_torsion(c.kind))
        add(is_damper(c.kind) ? Kind::damper : Kind::spring,
            {{c.a, in_double(c.on_a)}, {c.b, in_double(c.on_b)}});
    for (const auto& t : m.traced()) last_ = {t.a, in_double(t.on_a)};
    add(Kind::traced, {last_});
  }

 private:
  template <class Pair>
  void hold(const Pair& pair) {
    for (const auto& [body, at] :
         {std::pair{pair.a, in_double(pair.on_a)}, {pair.b, in_double(pair.on_b)}})
      if (body >= 0 && std::count(held_[body].begin(), held_[body].end(), at) == 0)
        held_[body].push_back(at);
  }
  /// The line of a prismatic joint on the ground, around where its block starts, and the block.
  void guide(const PlanarMechanism::Prismatic& p) {
    const double angle = to_double(p.angle), turn = angle - to_double(p.offset);
    const PlanePoint from = in_double(p.on_a), on = in_double(p.on_b);
    const double ux = std::cos(angle), uy = std::sin(angle);
    if (p.a < 0 && p.b >= 0) {
      const auto& block = mechanism_.bodies()[p.b];
      const std::array<double, 3> start{to_double(block.x), to_double(block.y),
                                        to_double(block.theta)};
      const SpacePoint at = PlanarPoint{0, on}.in_space(start.data());
      const double middle = (at[0] - from[0]) * ux + (at[1] - from[1]) * uy;
      const auto on_line = [&](double s) {
        return PlanarPoint{-1, {from[0] + s * ux, from[1] + s * uy}};
      };
      add(Kind::ground, {on_line(middle - reach_), on_line(middle + reach_)});
    }
    const double c = std::cos(turn), s = std::sin(turn), a = 0.14 * reach_, b = 0.09 * reach_;
    std::vector<PlanarPoint> block;
    for (const auto& [x, y] : {std::pair{-a, -b}, {a, -b}, {a, b}, {-a, b}})
      block.push_back({p.b, {on[0] + c * x - s * y, on[1] + s * x + c * y}});
    add(Kind::body, std::move(block), true);
    last_ = {p.b, on};
  }

  void body(int b) {
    const auto& data = mechanism_.bodies()[b];
    std::vector<PlanePoint> points = held_[b];
    const double distance = points.size() == 1 ? std::hypot(points[0][0], points[0][1]) : 0;
    if (distance > 0) {  // beyond the mass centre
      const double mass = to_double(data.mass), inertia = to_double(data.inertia);
      const double half = mass > 0 ? std::sqrt(3 * inertia / mass) : 0;
      points.push_back({-points[0][0] / distance * half, -points[0][1] / distance * half});
      if (half == 0) add(Kind::mass, {{b, {0, 0}}});
    }
    if (points.size() < 2) return;
    if (distance > 0)
      last_ = {b, points.back()};
    else
      last_ = {b, {0, 0}};
    if (points.size() > 2) points = convex_hull(points, 1e-9 * reach_ * reach_);
    std::vector<PlanarPoint> outline;
    for (const PlanePoint& p : points) outline.push_back({b, p});
    const bool closed = outline.size() > 2;
    add(Kind::body, std::move(outline), closed);
  }

  const PlanarMechanism& mechanism_;
  std::vector<std::vector<PlanePoint>> held_;  ///< a body's points where something holds it
  double reach_ = 0;                           ///< largest distance of such a point to its centre
  PlanarPoint last_{0, {0, 0}};
};

}  // namespace

Drawing planar_drawing(const PlanarMechanism& mechanism) {
  Drawing drawing;
  drawing.shapes = PlanarSketch(mechanism).shapes();
  return drawing;
}

}  // namespace daemark
