// Mechanisms as other programs take them: trees, sliders as pins in slots, states at the start that
// are the problem's, and the file.
#include "problems/bodies/rigid_bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/bodies/body_states.hpp"
#include "problems/bodies/mechanism_json.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

std::shared_ptr<const RigidBodies> bodies_of(const std::string& problem) {
  return problem_registry().make(problem).bodies();
}

class EveryMechanism : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMechanism, StartsWhereTheProblemDoes) {
  const Problem problem = problem_registry().make(GetParam());
  const auto bodies = problem.bodies();
  const auto mechanism = problem.make<double>();
  const int n = mechanism->coordinates(), shown = mechanism->reference_coordinates();
  std::vector<double> q(n), v(n), q_ref(shown), v_ref(shown), found_q(shown), found_v(shown),
      chart(mechanism->chart_size());
  mechanism->initial(q.data(), v.data());
  mechanism->initial_chart(chart.data());
  mechanism->to_reference({0, q.data(), v.data(), nullptr, nullptr, chart.data()}, q_ref.data(),
                          v_ref.data());
  ASSERT_EQ(static_cast<int>(bodies->shown.size()), shown);
  ShownBodies(*bodies).show(states_at_start(*bodies), found_q.data(), found_v.data());
  for (int i = 0; i < shown; ++i) {
    EXPECT_NEAR(found_q[i], q_ref[i], 1e-13 * (1 + std::abs(q_ref[i]))) << i;
    EXPECT_NEAR(found_v[i], v_ref[i], 1e-13 * (1 + std::abs(v_ref[i]))) << i;
  }
}

TEST_P(EveryMechanism, HangsOnATree) {
  const auto bodies = bodies_of(GetParam());
  std::vector<int> joints_of(bodies->bodies.size());
  for (const auto& joint : bodies->joints) {
    if (!joint.tree) continue;
    ++joints_of[joint.bodies[1]];
    EXPECT_LT(joint.bodies[0], joint.bodies[1]);
  }
  EXPECT_THAT(joints_of, ::testing::Each(1));
}

// Points of every joint but sliding ones meet at the start, and axes agree.
TEST_P(EveryMechanism, ClosesItsJoints) {
  const auto bodies = bodies_of(GetParam());
  const std::vector<BodyState> states = states_at_start(*bodies);
  for (const auto& joint : bodies->joints) {
    if (joint.type == "free") continue;
    std::array<rotation::Vec3<double>, 2> point{}, axis{};
    for (int side = 0; side < 2; ++side) {
      const BodyState state = joint.bodies[side] < 0 ? BodyState() : states[joint.bodies[side]];
      const auto in_double = [](const RigidBodies::Vec3& x) {
        return rotation::Vec3<double>{to_double(x[0]), to_double(x[1]), to_double(x[2])};
      };
      point[side] = rotation::combine(1.0, state.x, 1.0,
                                      rotation::rotate(state.p, in_double(joint.points[side])));
      axis[side] = rotation::rotate(state.p, in_double(joint.axes[side]));
    }
    const auto apart = rotation::combine(1.0, point[1], -1.0, point[0]);
    const bool slides = joint.type == "prismatic" || joint.type == "slot" ||
                        joint.type == "cylindrical" || joint.type == "inline";
    const auto off = slides ? rotation::cross(apart, axis[0]) : apart;
    if (joint.type != "parallel") {
      EXPECT_NEAR(rotation::dot(off, off), 0, 1e-18) << joint.name;
    }
    if (joint.type == "universal" || joint.type == "spherical" || joint.type == "slot") continue;
    EXPECT_NEAR(rotation::dot(axis[0], axis[1]), 1, 1e-9) << joint.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Catalogue, EveryMechanism,
    ::testing::Values("andrews_squeezer(coordinates=absolute)", "bricard(coordinates=absolute)",
                      "chain(n=4)", "double_pendulum", "four_bar(loops=2,coordinates=absolute)",
                      "flyball_governor", "generated", "spatial_slider_crank", "two_link",
                      "driven_pendulum", "pendulum", "slider_crank", "heavy_top",
                      "heavy_top(coordinates=so3)", "free_rigid_body", "oscillator", "car_axis"));

TEST(RigidBodies, AMasslessSliderIsAPinInASlot) {
  const auto bodies = bodies_of("slider_crank");
  EXPECT_EQ(bodies->bodies.size(), 2u);
  EXPECT_THAT(bodies->features(), ElementsAre("loops", "revolute", "slot"));
  EXPECT_THAT(bodies_of("car_axis")->features(), Contains("slot"));
}

TEST(RigidBodies, HasLawsAsTables) {
  const auto json = mechanism_json("car_axis", bodies_of("car_axis").get(), {0, wide("0.01"), 100});
  const auto& law = json.at("laws").at(0);
  ASSERT_EQ(json.at("drives").at(0).at("law"), 0);
  for (std::size_t i = 0; i < law.at("t").size(); i += 7) {
    const double t = law.at("t")[i], y = 0.1 * std::sin(10 * t);
    EXPECT_NEAR(law.at("value")[i], std::asin(y), 1e-15);
    EXPECT_NEAR(law.at("rate")[i], std::cos(10 * t) / std::sqrt(1 - y * y), 1e-14);
  }
  EXPECT_EQ(json.at("times").at("count"), 100);
}

TEST(RigidBodies, KeepsTheExactNumbersBesideTheRounded) {
  const auto json = mechanism_json("two_link", bodies_of("two_link").get(), {0, wide("0.01"), 100});
  EXPECT_EQ(json.at("exact").at("bodies/0/inertia/2"), "1/12");
  EXPECT_THAT(json.at("exact").at("bodies/1/position/1").get<std::string>(),
              ::testing::StartsWith("0.43"));
  EXPECT_THAT(json.at("features"), Not(Contains("loops")));
}

}  // namespace
}  // namespace daemark
