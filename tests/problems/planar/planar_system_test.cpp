// Planar mechanisms: derivatives and energy against differences, trees in their angles, outputs,
// the cost of large ones counted, and what the builder refuses.
#include "problems/planar/planar_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"
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

TEST(PlanarMechanism, SaysWhatItRefuses) {
  const auto refusal_of = [](const PlanarMechanism& mechanism) {
    return test::refusal([&] { mechanism.problem("user"); });
  };
  PlanarMechanism m;
  m.body("arm", 1, 1, 0);
  EXPECT_EQ(refusal_of(m), "user: body arm has no joint");
  EXPECT_EQ(refusal_of(loop({1, 1})), "accepted");
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

/// Three bodies, two of them on the first, centres off the lines of the joints, all kinds of load.
PlanarMechanism branched() {
  PlanarMechanism m;
  m.gravity("981/100");
  const int trunk = m.body("trunk", 2, "1/5", "1/3", "1/4");
  const int left = m.body("left", 1, "1/7", "-1/2", -1);
  const int right = m.body("right", 3, "1/2", 2, "1/9");
  m.revolute(PlanarMechanism::ground, {"1/2", "-1/4"}, trunk, {"-1/2", "1/10"});
  m.revolute(trunk, {"1/2", "1/5"}, left, {"-2/3", 0}, Rows::absolute);
  m.revolute(trunk, {"1/3", "-1/5"}, right, {"1/4", "-1/4"});
  m.torque(left, "3/2");
  m.torque(trunk, "5/3", [](auto t) {
    using std::sin;
    using T = decltype(t);
    return sin(T(2) * t);
  });
  m.torsion_spring(PlanarMechanism::ground, trunk, 7, "1/5");
  m.torsion_spring(trunk, right, 3, "-1/3");
  m.torsion_damper(left, trunk, "1/2");
  m.force(right, "1/2", -2);
  return m;
}

// The virtual work of the absolute equations in the directions of the joint angles is the tree's
// residual, and both have the same energies: two independent assemblies of one mechanism.
TEST(PlanarTree, ProjectsTheAbsoluteEquations) {
  const PlanarMechanism mechanism = branched();
  const auto tree = std::make_shared<RecordedSystem<real50>>(recorded_tree(mechanism));
  const auto absolute = std::make_shared<RecordedSystem<real50>>(recorded(mechanism));
  const int n = 3, full = 9;
  ASSERT_EQ(tree->reference_coordinates(), full);
  EXPECT_EQ(tree->coordinate_names(),
            (std::vector<std::string>{"thetatrunk", "thetaleft", "thetaright"}));
  const double roundings = 1000 * unit_roundoff<real50>();
  for (const MotionSample& at : test::sample_motions(*tree, 4)) {
    std::vector<real50> q(full), v(full), a(full), lambda(6, real50(0)), r(n), r_full(full), c(6);
    tree->to_reference(at.view(), q.data(), v.data());
    // a = d/ds v(q + s v, v + s a); columns of the Jacobian are velocities of unit rates.
    a = test::difference(full, [&](const real50& offset, real50* out) {
      std::vector<real50> moved_q(n), moved_v(n), unused(full);
      for (int i = 0; i < n; ++i) {
        moved_q[i] = at.q[i] + offset * at.v[i];
        moved_v[i] = at.v[i] + offset * at.a[i];
      }
      tree->to_reference({at.t, moved_q.data(), moved_v.data()}, unused.data(), out);
    });
    tree->evaluate(at.view(), {}, MotionValues<real50>::equations(r.data(), nullptr));
    for (int level = 0; level < 3; ++level) {
      absolute->evaluate({at.t, q.data(), v.data(), a.data(), lambda.data()},
                         {real50(level == 0), real50(level == 1), real50(level == 2)},
                         MotionValues<real50>::equations(r_full.data(), c.data()));
      test::expect_close(c, std::vector<real50>(6, real50(0)), level < 2 ? roundings : 1e-23,
                         "constraints");
    }
    std::vector<real50> projected(n, real50(0));
    for (int i = 0; i < n; ++i) {
      std::vector<real50> unit(n, real50(0)), column(full), unused(full);
      unit[i] = 1;
      tree->to_reference({at.t, at.q.data(), unit.data()}, unused.data(), column.data());
      for (int k = 0; k < full; ++k) projected[i] += column[k] * r_full[k];
    }
    test::expect_close(r, projected, 1e-23, "projected equations");
    const auto close = [&](const real50& x, const real50& y, const char* what) {
      test::expect_close({x}, {y}, roundings, what);
    };
    close(tree->kinetic_energy(at.view()), absolute->kinetic_energy({at.t, q.data(), v.data()}),
          "kinetic energy");
    close(tree->potential_energy(at.view()), absolute->potential_energy({at.t, q.data(), v.data()}),
          "potential energy");
    close(tree->work(at.view()), absolute->work({at.t, q.data(), v.data()}), "work");
  }
}

TEST(PlanarTree, ExistsForTreesOnly) {
  for (const auto& [name, mechanism] : test::sample_mechanisms()) {
    const bool tree = name.rfind("double_rod", 0) == 0 || name == "torsion_chain";
    EXPECT_EQ(mechanism.problem(name).has_minimal(), tree) << name;
  }
  EXPECT_TRUE(branched().problem("branched").has_minimal());
}

// What is declared costs in proportion to its bodies, counted, not timed.
TEST(LargeMechanism, PatternsGrowWithTheBodies) {
  for (const int bodies : {1, 10, 1000}) {
    const auto chain =
        std::make_shared<RecordedSystem<double>>(recorded(test::pendulum_chain(bodies)));
    // A joint between two rods: x and θ of both in each of its rows; the ground is no column.
    EXPECT_EQ(chain->gradient_pattern().size(), 4 + 8 * (bodies - 1));
    EXPECT_EQ(chain->residual_q_pattern().size(), bodies);
  }
  for (const int loops : {1, 500}) {
    const auto row = std::make_shared<RecordedSystem<double>>(recorded(test::four_bar_row(loops)));
    EXPECT_EQ(row->coordinates() - row->constraints(), 1);
    EXPECT_EQ(row->gradient_pattern().size(), 4 + 20 * loops);
  }
}

TEST(LargeMechanism, ChainsAreFoundOnDemand) {
  const PlanarMechanism chain = test::pendulum_chain(200);
  const auto row = chain.position_row(199, 0);
  ASSERT_EQ(row.trig.size(), 200u);
  // x of the last rod: half of its own length and all of the 199 before it.
  EXPECT_EQ(std::get<1>(row.trig.front()), wide(1) / 2);
  for (std::size_t i = 1; i < row.trig.size(); ++i) EXPECT_EQ(std::get<1>(row.trig[i]), 1);
}

/// max |Φ| after two steps.
double violation(const PlanarMechanism& mechanism, const char* method = "lms(n=2)") {
  const RunRequest two_steps = test::run_request("large", "index3", method, "1/1000", "2/1000");
  const RunResult result = run(BoundRun(two_steps, mechanism.problem("large")));
  EXPECT_EQ(result.status, "ok") << result.why;
  return result.measures.at("position_violation_max");
}

TEST(LargeMechanism, StepsKeepTheConstraints) {
  // Newton stops at increments of 1e-10 of accelerations: positions to β h² of that and rounding
  // of coordinates up to 400.
  EXPECT_LE(violation(test::pendulum_chain(200)), 1e-12);
  EXPECT_LE(violation(test::four_bar_row(60)), 1e-12);
}

// Increments of accelerations stand on the rounding of positions over h²B̄, which adds up along the
// chain: 4e-5 here. Newton knows that floor; positions are those of rounding, 800 m · 2e-16 a row.
TEST(LargeMechanism, SmallStepsOfLongChainsStandOnTheRoundingOfPositions) {
  EXPECT_LE(violation(test::pendulum_chain(800)), 1e-11);
  EXPECT_LE(violation(test::four_bar_row(300), "sdirk_2"), 1e-11);
}

PlanarMechanism two_rods() {
  PlanarMechanism m;
  m.gravity("981/100");
  const int first = m.body("1", 1, "1/12", "1/3", 2), second = m.body("2", 2, "1/6", "-1/2", -1);
  m.revolute(PlanarMechanism::ground, {0, 0}, first, {"-1/2", 0});
  m.revolute(first, {"1/2", 0}, second, {"-1/2", 0});
  m.output("reach", "x of the second mass centre", "m", [](auto, auto q, auto) { return q[3]; });
  m.output("relative_spin", "omega 2 - omega 1", "rad/s",
           [](auto, auto, auto v) { return v[5] - v[2]; });
  return m;
}

TEST(PlanarOutputs, AreTheSameInBothCoordinates) {
  const Problem problem = two_rods().problem("rods");
  for (const bool minimal : {false, true}) {
    const auto system = problem.make<real50>(minimal);
    ASSERT_EQ(system->outputs().size(), 2u);
    EXPECT_EQ(system->outputs()[0].id, "reach");
    EXPECT_EQ(system->outputs()[1].unit, "rad/s");
    std::vector<real50> q(system->coordinates()), v(q.size()), values(2);
    system->initial(q.data(), v.data());
    system->output_values({real50(0), q.data(), v.data()}, values.data());
    EXPECT_NEAR(to_double(values[0]), std::cos(1.0 / 3) + 0.5 * std::cos(-0.5), 1e-15) << minimal;
    EXPECT_EQ(values[1], -3) << minimal;
  }
}

TEST(PlanarOutputs, AnIdIsDeclaredOnce) {
  PlanarMechanism m = two_rods();
  EXPECT_THAT([&] { m.output("reach", "again", "m", [](auto t, auto, auto) { return t; }); },
              ::testing::ThrowsMessage<BadInput>(::testing::HasSubstr("reach is declared twice")));
}

}  // namespace
}  // namespace daemark
