#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/cli/common_options.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// No name here tells the unit, or a wrong one.
TEST(StateNames, UnitsComeFromThePlanarMechanism) {
  PlanarMechanism m;
  const int body = m.body("zeta", 1, 1, 0), slider = m.body("_x", 1, 1, 0);
  m.revolute(PlanarMechanism::ground, {0, 0}, body, {-1, 0});
  m.prismatic(body, {1, 0}, 0, slider, {0, 0});
  m.drive(PlanarMechanism::ground, body, [](auto t) { return t; });
  const StateNames names = state_names(m.problem("test"));
  EXPECT_THAT(names.q, ElementsAre("xzeta", "yzeta", "thetazeta", "x_x", "y_x", "theta_x"));
  EXPECT_THAT(names.q_units, ElementsAre("m", "m", "rad", "m", "m", "rad"));
  EXPECT_THAT(names.v_units, ElementsAre("m/s", "m/s", "rad/s", "m/s", "m/s", "rad/s"));
  EXPECT_EQ(names.a_units.back(), "rad/s^2");
  EXPECT_THAT(names.lambda, ElementsAre("lambda_joint1_x", "lambda_joint1_y", "lambda_drive_zeta",
                                        "lambda_prismatic1_angle", "lambda_prismatic1_normal"));
  EXPECT_THAT(names.lambda_units, ElementsAre("N", "N", "N m", "N m", "N"));
}

struct Wheel {
  static constexpr int n = 2, m = 2;
  static std::vector<Quantity> coordinates() { return {{"y_rot", "rad"}, {"angle", "m"}}; }
  static std::vector<Quantity> rows() { return {{"roll_x", "rad"}, {"square", "m^2"}}; }
  void mass(const Var*, Var* M) const { M[0] = M[3] = 1; }
  void force(const Var&, const Var*, const Var*, Var*) const {}
  void constraint(const Var&, const Var* q, Var* phi) const { phi[0] = q[0], phi[1] = q[1] * q[1]; }
  Var potential(const Var&, const Var*) const { return 0; }
  void initial(Var*, Var*) const {}
};

TEST(StateNames, UnitsComeFromAModelWrittenByHand) {
  Problem problem;
  problem.name = "wheel";
  problem.absolute = model_makers(Wheel{});
  const StateNames names = state_names(problem);
  EXPECT_THAT(names.q_units, ElementsAre("rad", "m"));
  EXPECT_THAT(names.v_units, ElementsAre("rad/s", "m/s"));
  EXPECT_THAT(names.lambda_units, ElementsAre("N m", "N/m"));
  EXPECT_THAT(column_names(names), ::testing::Contains("y_rot [rad]"));
}

// The Test Set and Jay state these without units: nothing derived has one either.
TEST(StateNames, ProblemsWithoutUnitsHaveNone) {
  for (const char* problem : {"car_axis", "fekete", "jay"}) {
    const StateNames names = state_names(problem_registry().make(problem));
    for (const auto* units : {&names.q_units, &names.v_units, &names.a_units, &names.lambda_units})
      EXPECT_THAT(*units, ::testing::Each("1")) << problem;
    EXPECT_EQ(names.energy_unit, "1");
    EXPECT_EQ(column_names(names).front(), "t [1]");
  }
  EXPECT_EQ(state_names(problem_registry().make("pendulum")).energy_unit, "J");
}

TEST(StateNames, UnitsOfABeamsMultipliersComeFromItsJoints) {
  SpatialMechanism m;
  const BeamSection section{{1, 1, 1, 1, 1, 1}, 1, 1, 1};
  const Beam beam(m, "psi", section, 1, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  m.clamp(SpatialMechanism::ground, beam.first(), {0, 0, 0});
  const StateNames names = state_names(m.problem("test"));
  ASSERT_THAT(names.q, SizeIs(18));
  EXPECT_EQ(names.q[0], "x_psi_0");
  for (int i = 0; i < 18; ++i) {
    EXPECT_EQ(names.q_units[i], i % 6 < 3 ? "m" : "rad") << names.q[i];
    EXPECT_EQ(names.v_units[i], i % 6 < 3 ? "m/s" : "rad/s") << names.v[i];
  }
  EXPECT_THAT(names.lambda_units, ElementsAre("N", "N", "N", "N m", "N m", "N m"));
}

}  // namespace
}  // namespace daemark
