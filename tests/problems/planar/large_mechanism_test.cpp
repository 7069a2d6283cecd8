// What is declared with the planar builder costs in proportion to its bodies, counted, not timed.
#include <gtest/gtest.h>

#include "problems/planar/planar_system.hpp"
#include "tests/support/sample_mechanisms.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

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
  test::Simulation<double> run(mechanism.problem("large"), "index3", method, wide(1) / 1000);
  EXPECT_EQ(run.run(2), Status::ok);
  const auto& m = *run.mechanism;
  std::vector<double> position(m.constraints());
  MotionValues<double> out;
  out.position = position.data();
  const State<double>& state = run.stepper->state();
  run.mechanism->evaluate(motion_point(m.coordinates(), state.point()), {}, out);
  double worst = 0;
  for (const double x : position) worst = std::max(worst, std::abs(x));
  return worst;
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

}  // namespace
}  // namespace daemark
