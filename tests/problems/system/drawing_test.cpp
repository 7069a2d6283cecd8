// Drawings: bars where the joints are, springs between their ends, and the same shapes at every
// instant, for every problem that has one.
#include "problems/system/drawing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/planar/planar_mechanism.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;
using Shapes = std::vector<DrawnShape>;

Shapes at_start(const MechanicalSystem<double>& mechanism) {
  std::vector<double> q(mechanism.coordinates()), v(q.size()), chart(mechanism.chart_size());
  mechanism.initial(q.data(), v.data());
  mechanism.initial_chart(chart.data());
  std::vector<double> q_ref(mechanism.reference_coordinates()), v_ref(q_ref.size());
  mechanism.to_reference({0, q.data(), v.data(), nullptr, nullptr, chart.data()}, q_ref.data(),
                         v_ref.data());
  return drawing_of(mechanism).shapes(0, q_ref.data());
}

std::vector<const DrawnShape*> of_kind(const Shapes& shapes, Kind kind) {
  std::vector<const DrawnShape*> found;
  for (const DrawnShape& shape : shapes)
    if (shape.kind == kind) found.push_back(&shape);
  return found;
}

double distance(const SpacePoint& a, const SpacePoint& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Li, Ding & Li 2019: rods of 1 and sqrt(3) m; the second is held at one end only, so that its
// length comes from its inertia m L^2 / 12.
TEST(Drawing, BarsOfTheTwoLinkHaveThePrintedLengths) {
  const Shapes shapes = at_start(*problem_registry().make("two_link").make<double>());
  const auto bars = of_kind(shapes, Kind::body);
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_NEAR(distance(bars[0]->points[0], bars[0]->points[1]), 1, 1e-14);
  EXPECT_NEAR(distance(bars[1]->points[0], bars[1]->points[1]), std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(distance(bars[0]->points[1], bars[1]->points[0]), 0, 1e-14) << "they meet";
  const SpacePoint tip{std::cos(M_PI / 3) + std::sqrt(3.0) * std::cos(M_PI / 6),
                       std::sin(M_PI / 3) - std::sqrt(3.0) * std::sin(M_PI / 6), 0};
  EXPECT_NEAR(distance(of_kind(shapes, Kind::traced)[0]->points[0], tip), 0, 1e-14);
  EXPECT_EQ(of_kind(shapes, Kind::ground).size(), 1U);
  EXPECT_EQ(of_kind(shapes, Kind::joint).size(), 2U);
}

TEST(Drawing, APointMassIsDrawnAtItsCentre) {
  const Shapes shapes =
      at_start(*problem_registry().make("driven_pendulum(theta0=1)").make<double>());
  const auto masses = of_kind(shapes, Kind::mass), bars = of_kind(shapes, Kind::body);
  ASSERT_EQ(masses.size(), 1U);
  ASSERT_EQ(bars.size(), 1U);
  const SpacePoint mass{std::sin(1.0), -std::cos(1.0), 0};
  EXPECT_NEAR(distance(masses[0]->points[0], mass), 0, 1e-14);
  EXPECT_NEAR(distance(bars[0]->points[0], {0, 0, 0}), 0, 1e-14);
  EXPECT_NEAR(distance(bars[0]->points[1], mass), 0, 1e-14);
}

TEST(Drawing, ASliderHasItsLineItsBlockAndItsSpring) {
  PlanarMechanism m;
  const int slider = m.body("slider", 2, "1/100", 0);
  m.prismatic(PlanarMechanism::ground, {0, 1}, 0, slider, {0, 0});
  m.spring(PlanarMechanism::ground, {3, 1}, slider, {"1/2", 0}, 200, 1);
  const Shapes shapes = at_start(*m.problem("slider").make<double>());
  const auto blocks = of_kind(shapes, Kind::body), lines = of_kind(shapes, Kind::ground);
  ASSERT_EQ(blocks.size(), 2U) << "the block, and the bar to the spring's end";
  EXPECT_TRUE(blocks[0]->closed);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]->points.size(), 2U);
  for (const SpacePoint& p : lines[0]->points) EXPECT_NEAR(p[1], 1, 1e-15);
  const auto springs = of_kind(shapes, Kind::spring);
  ASSERT_EQ(springs.size(), 1U);
  EXPECT_NEAR(distance(springs[0]->points[0], {3, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(distance(springs[0]->points[1], {0.5, 1, 0}), 0, 1e-15);
}

// Hinges at (±0.05, 0, 1) m, rods of 1 m at 30° below the horizontal, balls of 5 kg at their ends
// beside rods of 0.3 kg: the mass centre is 5/5.3 of the way from the middle to the ball.
TEST(Drawing, TheGovernorHasItsRodsBallsAndSprings) {
  const auto mechanism = problem_registry().make("flyball_governor").make<double>();
  const Shapes shapes = at_start(*mechanism);
  const auto masses = of_kind(shapes, Kind::mass), springs = of_kind(shapes, Kind::spring);
  ASSERT_EQ(masses.size(), 2U);
  ASSERT_EQ(springs.size(), 2U);
  EXPECT_EQ(of_kind(shapes, Kind::damper).size(), 2U);
  EXPECT_EQ(of_kind(shapes, Kind::ground).size(), 1U);
  const double along = 0.5 + 0.5 * 5 / 5.3, c = std::sqrt(3.0) / 2;
  for (int side : {0, 1}) {
    const double out = side == 0 ? 1 : -1;
    EXPECT_NEAR(distance(masses[side]->points[0], {out * (0.05 + along * c), 0, 1 - along / 2}), 0,
                1e-14);
    EXPECT_NEAR(distance(springs[side]->points[0], {out * 0.05, 0, 0.5}), 0, 1e-14);
    EXPECT_NEAR(distance(springs[side]->points[0], springs[side]->points[1]), 0.5, 1e-14)
        << "at its free length";
  }
  EXPECT_NEAR(drawing_of(*mechanism).up[2], std::cos(20 * M_PI / 180), 1e-14) << "z upwards";
  // Bricard's gravity is along −y: y is drawn upwards, to the right as z is with gravity along −z.
  const auto bricard = problem_registry().make("bricard(coordinates=absolute)").make<double>();
  EXPECT_NEAR(drawing_of(*bricard).up[1], std::cos(20 * M_PI / 180), 1e-14);
  EXPECT_EQ(drawing_of(*bricard).right[1], 0);
}

// Three bars of two three-node elements: five nodes each, with a stroke of 2/5 of their distance
// across the three that elements end at.
TEST(Drawing, ABeamIsALineWithItsTurnedSections) {
  const Shapes shapes =
      at_start(*problem_registry().make("beam_four_bar(elements=2)").make<double>());
  const auto bars = of_kind(shapes, Kind::body);
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_TRUE(of_kind(shapes, Kind::mass).empty()) << "it is spread along them";
  for (const DrawnShape* bar : bars) {
    const auto& p = bar->points;
    ASSERT_EQ(p.size(), 3 * 4 + 2U);
    EXPECT_NEAR(distance(p[1], p[2]), 0.4 * distance(p[0], p[4]), 1e-14);
    EXPECT_NEAR(distance(p.front(), p.back()), 4 * distance(p[0], p[4]), 1e-14);
  }
}

TEST(Drawing, ThreeHoldsMakeAnOutline) {
  // Body BDE of Andrews' mechanism carries the joints at B and E and the spring at D.
  const Shapes shapes = at_start(*problem_registry().make("andrews_squeezer").make<double>());
  int outlines = 0;
  for (const DrawnShape* body : of_kind(shapes, Kind::body)) {
    if (!body->closed) continue;
    ++outlines;
    ASSERT_EQ(body->points.size(), 3U);
    bool has_B = false;
    for (const SpacePoint& p : body->points)
      has_B = has_B || distance(p, {-0.03635, 0.03273, 0}) < 1e-12;
    EXPECT_TRUE(has_B);
  }
  EXPECT_EQ(outlines, 1);
  EXPECT_EQ(of_kind(shapes, Kind::body).size(), 7U);
}

// The same mechanism by two models.
TEST(Drawing, BothTopsLookAlike) {
  const Shapes a = at_start(*problem_registry().make("heavy_top").make<double>());
  const Shapes b =
      at_start(*problem_registry().make("heavy_top(coordinates=quaternion)").make<double>());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t s = 0; s < a.size(); ++s)
    for (std::size_t p = 0; p < a[s].points.size(); ++p)
      EXPECT_NEAR(distance(a[s].points[p], b[s].points[p]), 0, 1e-14);
}

TEST(Drawing, ShapesAreTheSameAtEveryInstant) {
  int drawn = 0;
  for (const std::string& id : problem_registry().catalogue_ids()) {
    const auto mechanism = problem_registry().make(id).make<double>();
    const Drawing drawing = drawing_of(*mechanism);
    if (drawing.empty()) continue;
    ++drawn;
    std::vector<double> q(mechanism->reference_coordinates(), 0.25), other(q.size(), -0.5);
    const Shapes a = drawing.shapes(0, q.data()), b = drawing.shapes(1, other.data());
    ASSERT_EQ(a.size(), b.size()) << id;
    for (std::size_t s = 0; s < a.size(); ++s) {
      EXPECT_EQ(a[s].kind, b[s].kind) << id;
      EXPECT_EQ(a[s].points.size(), b[s].points.size()) << id;
      EXPECT_FALSE(a[s].points.empty()) << id;
    }
    double across = 0;
    for (int i = 0; i < 3; ++i) across += drawing.right[i] * drawing.up[i];
    EXPECT_NEAR(across, 0, 1e-15) << id;
  }
  EXPECT_GE(drawn, 8);
}

TEST(Drawing, AViewFromTheFrontAndFromAbove) {
  Drawing drawing;
  drawing.look_from(-90, 0);  // against the y axis: x to the right, z up
  EXPECT_NEAR(distance(drawing.right, {1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(distance(drawing.up, {0, 0, 1}), 0, 1e-15);
  drawing.look_from(-90, 90);
  EXPECT_NEAR(distance(drawing.up, {0, 1, 0}), 0, 1e-15);
}

}  // namespace
}  // namespace daemark
