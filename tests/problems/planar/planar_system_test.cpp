#include "problems/planar/planar_system.hpp"

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>

#include "base/text/bad_input.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/sample_mechanisms.hpp"

namespace daemark {
namespace {

using test::MotionSample;

class PlanarSystemTest : public ::testing::TestWithParam<int> {
 protected:
  test::SampleMechanism sample_ = test::sample_mechanisms()[GetParam()];
  MechanicalPtr<real50> system_ =
      std::make_shared<RecordedSystem<real50>>(recorded(sample_.mechanism));
};

TEST_P(PlanarSystemTest, AnalyticPartsAgreeWithDifferences) {
  for (const MotionSample& at : test::sample_motions(*system_, 4)) {
    test::check_derivatives(*system_, at);
    test::check_rates_of_constraints(*system_, at);
    test::check_record(*system_, at);
    test::check_energy_rate(*system_, at);
    test::check_mass(*system_, at);
  }
}

TEST_P(PlanarSystemTest, StartsOnItsConstraints) {
  const int n = system_->coordinates(), m = system_->constraints();
  std::vector<real50> q(n), v(n), a(n, real50(0)), lambda(m, real50(0)), r(n), c(m);
  system_->initial(q.data(), v.data());
  for (int level = 0; level < 2; ++level) {
    system_->evaluate({real50(0), q.data(), v.data(), a.data(), lambda.data()},
                      {real50(level == 0), real50(level == 1), real50(0)},
                      MotionValues<real50>::equations(r.data(), c.data()));
    // The data are rounded once from 130 digits; a row sums some ten of them.
    test::expect_close(c, std::vector<real50>(m, real50(0)), 20 * unit_roundoff<real50>(),
                       level == 0 ? "position" : "velocity");
  }
}

TEST_P(PlanarSystemTest, ScalarsAgree) {
  const auto narrow = std::make_shared<RecordedSystem<double>>(recorded(sample_.mechanism));
  ASSERT_EQ(narrow->coordinate_names(), system_->coordinate_names());
  ASSERT_EQ(narrow->constraint_names(), system_->constraint_names());
  const int n = system_->coordinates(), m = system_->constraints();
  const auto values = [n, m]<class S>(MechanicalSystem<S>& s, const MotionSample& at) {
    std::vector<S> q, v, a, lambda, r(n), c(m);
    for (const real50& x : at.q) q.push_back(static_cast<S>(x));
    for (const real50& x : at.v) v.push_back(static_cast<S>(x));
    for (const real50& x : at.a) a.push_back(static_cast<S>(x));
    for (const real50& x : at.lambda) lambda.push_back(static_cast<S>(x));
    s.evaluate({static_cast<S>(at.t), q.data(), v.data(), a.data(), lambda.data()},
               {S(1), S(1), S(1)}, MotionValues<S>::equations(r.data(), c.data()));
    std::vector<real50> both;
    for (const S& x : r) both.push_back(static_cast<real50>(x));
    for (const S& x : c) both.push_back(static_cast<real50>(x));
    return both;
  };
  for (const MotionSample& at : test::sample_motions(*system_, 3)) {
    // Two hundred roundings in double, of values up to the size of the terms (here
    // below 100 times the result where they cancel).
    test::expect_close(values(*narrow, at), values(*system_, at), 2e4 * unit_roundoff<double>(),
                       "double");
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, PlanarSystemTest,
                         ::testing::Range(0, static_cast<int>(test::sample_mechanisms().size())),
                         [](const auto& info) {
                           return test::sample_mechanisms()[info.param].name;
                         });

TEST(PlanarSystem, ChainAndAbsoluteRowsSpanTheSameConstraints) {
  const auto chain =
      std::make_shared<RecordedSystem<real50>>(recorded(test::double_rod(Rows::chain)));
  const auto absolute =
      std::make_shared<RecordedSystem<real50>>(recorded(test::double_rod(Rows::absolute)));
  for (const MotionSample& at : test::sample_motions(*chain, 3)) {
    std::vector<real50> r(6), phi_chain(4), phi_absolute(4);
    chain->evaluate(at.view(), {real50(1), real50(0), real50(0)},
                    MotionValues<real50>::equations(r.data(), phi_chain.data()));
    absolute->evaluate(at.view(), {real50(1), real50(0), real50(0)},
                       MotionValues<real50>::equations(r.data(), phi_absolute.data()));
    // The first joint replaces the position of body 1: absolute row = chain row + row of joint 1.
    for (int axis = 0; axis < 2; ++axis) {
      EXPECT_EQ(to_double(real50(phi_chain[axis] - phi_absolute[axis])), 0);
      EXPECT_NEAR(to_double(real50(phi_chain[2 + axis] + phi_chain[axis] - phi_absolute[2 + axis])),
                  0, 20 * unit_roundoff<real50>());
    }
  }
}

TEST(PlanarSystem, NamesFollowBodiesAndJoints) {
  const auto system = std::make_shared<RecordedSystem<double>>(recorded(test::moving_slider()));
  EXPECT_EQ(
      system->coordinate_names(),
      (std::vector<std::string>{"xrod", "yrod", "thetarod", "xblock", "yblock", "thetablock"}));
  EXPECT_EQ(system->constraint_names(),
            (std::vector<std::string>{"lambda_joint1_x", "lambda_joint1_y",
                                      "lambda_prismatic1_angle", "lambda_prismatic1_normal"}));
}

TEST(PlanarMechanism, RefusesWhatCannotBe) {
  constexpr int ground = PlanarMechanism::ground;
  PlanarMechanism m;
  EXPECT_THROW(m.body("a", -1, 1, 0), BadInput);
  EXPECT_THROW(m.body("a", 1, -1, 0), BadInput);
  EXPECT_THROW(m.body("a", "1/0", 1, 0), BadInput);
  const int a = m.body("a", 1, 1, 0), b = m.body("b", 1, 1, 0);
  EXPECT_THROW(m.revolute(a, {0, 0}, b, {0, 0}), BadInput) << "a is not placed yet";
  EXPECT_THROW(m.revolute(ground, {0, 0}, 2, {0, 0}), BadInput);
  EXPECT_THROW(m.revolute(-2, {0, 0}, a, {0, 0}), BadInput);
  EXPECT_THROW(m.revolute(ground, {0, 0}, ground, {1, 0}), BadInput);
  EXPECT_THROW(m.prismatic(a, {0, 0}, 0, b, {0, 0}), BadInput);
  m.revolute(ground, {0, 0}, a, {1, 0});
  EXPECT_THROW(m.revolute(a, {0, 0}, a, {1, 0}), BadInput) << "a body cannot hinge on itself";
  EXPECT_THROW(m.prismatic(a, {0, 0}, 0, a, {1, 0}), BadInput);
  EXPECT_THROW(m.prismatic(a, {0, 0}, 0, ground, {1, 0}), BadInput);
  EXPECT_THROW(m.drive(ground, ground, [](auto t) { return t; }), BadInput);
  EXPECT_THROW(m.spring(a, {0, 0}, a, {1, 0}, 1, 1), BadInput) << "no force between own points";
  EXPECT_THROW(m.spring(a, {0, 0}, 7, {1, 0}, 1, 1), BadInput);
  EXPECT_THROW(m.damper(ground, {0, 0}, 7, {1, 0}, 1), BadInput);
  EXPECT_THROW(m.torsion_spring(7, a, 1, 1), BadInput);
  EXPECT_THROW(m.torsion_damper(a, -3, 1), BadInput);
  EXPECT_THROW(m.torque(ground, 1), BadInput);
  EXPECT_THROW(m.torque(ground, 1, [](auto t) { return t; }), BadInput);
  EXPECT_THROW(m.force(ground, 1, 1), BadInput);
  EXPECT_THROW(m.problem("loose"), BadInput) << "b has no joint";
  m.revolute(a, {1, 0}, b, {0, 0});
  EXPECT_NO_THROW(m.problem("tied"));
  m.revolute(a, {1, 0}, m.body("b", 1, 1, 0), {0, 0});
  EXPECT_THROW(m.problem("ambiguous"), BadInput) << "components of two bodies called b";
}

TEST(PlanarMechanism, FormulatesWhatItRefuses) {
  PlanarMechanism m;
  m.body("arm", 1, 1, 0);
  try {
    m.problem("user");
    FAIL() << "accepted a body without a joint";
  } catch (const BadInput& e) {
    EXPECT_STREQ(e.what(), "user: body arm has no joint");
  }
}

std::string refusal_of(const PlanarMechanism& mechanism) {
  try {
    mechanism.problem("user");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

/// A crank of length 1 and a rod of length 1, upright and lying, whose end is tied to the ground.
PlanarMechanism loop(BodyPoint tie) {
  constexpr int ground = PlanarMechanism::ground;
  PlanarMechanism m;
  const int crank = m.body("crank", 1, 1, boost::math::constants::half_pi<wide>());
  const int rod = m.body("rod", 1, 1, 0);
  m.revolute(ground, {0, 0}, crank, {"-1/2", 0});
  m.revolute(crank, {"1/2", 0}, rod, {"-1/2", 0});
  m.revolute(rod, {"1/2", 0}, ground, tie);
  return m;
}

TEST(PlanarMechanism, ALoopThatDoesNotCloseNamesTheJointAndTheGap) {
  EXPECT_EQ(refusal_of(loop({1, 1})), "");
  EXPECT_EQ(
      refusal_of(loop({"1.25", "0.5"})),
      "user: the loop does not close at joint3 between the ground and rod: with the initial "
      "angles its points are (0.25, -0.5) m apart; accepted: angles that close it to 1e-12 m");
  PlanarMechanism slider = loop({1, 1});
  slider.prismatic(PlanarMechanism::ground, {0, "0.9"}, 0, 1, {0, 0});
  EXPECT_EQ(refusal_of(slider),
            "user: the loop does not close at prismatic1 between the ground and rod: with the "
            "initial angles the point is 0.1 m off the line; accepted: angles that close it to "
            "1e-12 m");
}

}  // namespace
}  // namespace daemark
