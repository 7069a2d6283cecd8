// The mechanisms that problems/README.md quotes from here are what the page says of them.
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <vector>

#include "problems/planar/planar_mechanism.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

Problem crank_slider() {
  PlanarMechanism m;
  m.gravity("981/100");
  const wide up = boost::math::constants::half_pi<wide>(), down = -asin(wide(3) / 5);
  const int crank = m.body("crank", "1/2", "3/800", up);  // name, mass, inertia, initial angle
  const int rod = m.body("rod", 1, "1/48", down);
  const int slider = m.body("slider", 2, "1/100", 0);
  m.revolute(PlanarMechanism::ground, {0, 0}, crank, {"-3/20", 0});  // points from mass centres
  m.revolute(crank, {"3/20", 0}, rod, {"-1/4", 0});
  m.revolute(rod, {"1/4", 0}, slider, {0, 0});
  m.prismatic(PlanarMechanism::ground, {0, 0}, 0, slider, {0, 0});        // along the x axis
  m.spring(PlanarMechanism::ground, {1, 0}, slider, {0, 0}, 200, "1/2");  // stiffness, free length
  m.torsion_damper(PlanarMechanism::ground, crank, "1/10");
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
           spatial_output([](const auto& view) { return view.position(1)[2]; }));
  return m.problem("swing");
}

/// The crank of 0.3 m stands upright, so that the rod of 0.5 m ends at x = 0.4 m.
TEST(PageExamples, ASliderCrankHasOneDegreeOfFreedom) {
  const auto mechanism = crank_slider().make<double>();
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

}  // namespace
}  // namespace daemark
