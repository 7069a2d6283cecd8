// The mechanisms that problems/README.md quotes from here are what the page says of them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/program/paths.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

Problem crank_slider(ProblemData& data) {
  const auto [a, b, l, w] = data("rods, spring, wall", {"0.3", "0.5", "0.5", 1}, "m", "own");
  const auto [m1, m2, m3] = data("masses", {"1/2", 1, 2}, "kg", "own");
  const wide up = data("angle of the crank", "pi/2", "rad", "own");
  const wide k = data("spring", 200, "N/m", "own");
  PlanarMechanism m;
  m.gravity(data("g", "9.81", "m/s^2", "own"));
  const int crank = m.body("crank", m1, m1 * a * a / 12, up);  // mass, inertia, initial angle
  const int rod = m.body("rod", m2, m2 * b * b / 12, -asin(a * sin(up) / b));
  const int slider = m.body("slider", m3, 0, 0);
  m.revolute(PlanarMechanism::ground, {0, 0}, crank, {-a / 2, 0});  // points from mass centres
  m.revolute(crank, {a / 2, 0}, rod, {-b / 2, 0});
  m.revolute(rod, {b / 2, 0}, slider, {0, 0});
  m.prismatic(PlanarMechanism::ground, {0, 0}, 0, slider, {0, 0});  // along the x axis
  m.spring(PlanarMechanism::ground, {w, 0}, slider, {0, 0}, k, l);  // stiffness, free length
  m.torsion_damper(PlanarMechanism::ground, crank, data("damper", "1/10", "N m s/rad", "own"));
  return m.problem("crank_slider");
}

Problem swing() {
  SpatialMechanism m;
  m.gravity({0, 0, "-981/100"});
  const int arm =
      m.body("arm", 2, {"1/50", "1/6", "1/6"}, {{"1/2", 0, 0}});  // mass, inertia, place
  const int rod = m.body("rod", 1, {"1/12", "1/100", "1/12"}, {{1, "1/2", 0}});
  m.revolute(SpatialMechanism::ground, arm, {0, 0, 0}, {0, 1, 0});  // point and axis of space
  m.universal(arm, rod, {1, 0, 0}, {0, 0, 1}, {1, 0, 0});
  m.damper(SpatialMechanism::ground, {1, 0, 1}, rod, {1, 1, 0}, "1/10");
  m.output("tip", "height of the rod's mass centre", "m",
           [](const auto& view) { return view.position(1)[2]; });
  return m.problem("swing");
}

/// The crank of 0.3 m stands upright, so that the rod of 0.5 m ends at x = 0.4 m.
TEST(PageExamples, ASliderCrankHasOneDegreeOfFreedom) {
  ProblemData data("crank_slider");
  const auto mechanism = crank_slider(data).make<double>();
  ASSERT_EQ(mechanism->coordinates() - mechanism->constraints(), 1);
  std::vector<double> q(9), v(9);
  mechanism->initial(q.data(), v.data());
  EXPECT_NEAR(q[6], 0.4, 1e-15);
  EXPECT_NEAR(q[7], 0, 1e-15);
}

/// A hinge holds five of six directions, a universal joint four.
TEST(PageExamples, ASwingHasThree) {
  const auto mechanism = swing().make<double>();
  EXPECT_EQ(mechanism->coordinates() - mechanism->constraints(), 3);
  ASSERT_EQ(mechanism->outputs().size(), 1u);
  EXPECT_EQ(mechanism->outputs()[0].unit, "m");
}

/// The file of the same name declares the same; it may have outputs.
void expect_file_says(const std::string& id, const Problem& built) {
  ProblemRegistry registry;
  add_mechanism_file(source_root() / "problems" / "files" / "examples" / (id + ".json"), registry);
  EXPECT_EQ(test::said(*registry.make(id).make<double>(), false),
            test::said(*built.make<double>(), false))
      << id;
}

TEST(PageExamples, FilesDeclareTheSame) {
  ProblemData data("crank_slider");
  expect_file_says("crank_slider", crank_slider(data));
  expect_file_says("swing", swing());
}

}  // namespace
}  // namespace daemark
