// Values inside the steps of Runge–Kutta methods.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The largest error of q, v, λ at three places inside the first step, beside short steps to there.
std::array<double, 3> errors_inside(const std::string& formulation, const std::string& h) {
  MethodBench<quad> bench("two_link", formulation, "dormand_prince_5", h, "1");
  const auto stepper = bench.started();
  EXPECT_EQ(stepper->step().status, Status::ok);
  EXPECT_EQ(stepper->dense_order(), 6);
  std::array<double, 3> worst{};
  const int n = bench.coordinates(), size = static_cast<int>(bench.initial.y.size());
  for (const int place : {1, 3, 6}) {
    const quad theta = quad(place) / quad(8);
    State<quad> at;
    stepper->inside(theta, at);
    MethodBench<quad> fine("two_link", formulation, "verner_8", h, "1");
    auto truth = fine.fresh();
    constexpr int parts = 32;
    truth->start(bench.initial, theta * bench.step() / quad(parts));
    for (int i = 0; i < parts; ++i) EXPECT_EQ(truth->step().status, Status::ok);
    EXPECT_NEAR(to_double(at.t), to_double(truth->state().t), 1e-15);
    for (int i = 0; i < size; ++i) {
      double& kind = worst[i < n ? 0 : i < 2 * n ? 1 : 2];
      kind = std::max(kind, std::abs(to_double(quad(at.y[i] - truth->state().y[i]))));
      if (i < 2 * n) {
        EXPECT_NEAR(to_double(quad(at.rate[i] - truth->state().rate[i])), 0, 1e-3) << i;
      }
    }
  }
  return worst;
}

// Degree 5 through q, v, a at both ends: q to h^6, v and with it λ to h^5.
TEST(DenseOutput, PositionsFallWithTheSixthPower) {
  for (const char* formulation : {"index1", "minimal", "elimination"}) {
    SCOPED_TRACE(formulation);
    const auto coarse = errors_inside(formulation, "1/40"),
               fine = errors_inside(formulation, "1/80");
    EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 6, 0.5);
    EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 5, 0.5);
    if (coarse[2] > 0) {
      EXPECT_GT(std::log2(coarse[2] / fine[2]), 4.5);
    }
  }
}

TEST(DenseOutput, MeetsTheEndsOfTheStep) {
  MethodBench<double> bench("pendulum", "index1", "dormand_prince_5", "1/20", "1");
  const auto stepper = bench.started();
  ASSERT_EQ(stepper->step().status, Status::ok);
  State<double> at;
  for (const bool at_end : {false, true}) {
    const State<double>& end = at_end ? stepper->state() : bench.initial;
    stepper->inside(at_end ? 1 : 0, at);
    for (std::size_t i = 0; i < at.y.size(); ++i) EXPECT_NEAR(at.y[i], end.y[i], 1e-12) << i;
  }
}

// Where accelerations are not those of the state, on charts, and of methods whose steps are better
// than the interpolant, steps end at output points.
TEST(DenseOutput, IsNotThereWhereItWouldBeWrong) {
  MethodBench<double> higher("pendulum", "index2", "tr_bdf2", "1/20", "1");
  EXPECT_EQ(higher.started()->dense_order(), 0);
  MethodBench<double> high("pendulum", "index1", "verner_8", "1/20", "1");
  EXPECT_EQ(high.started()->dense_order(), 0);
  MethodBench<double> chart("heavy_top(coordinates=chart)", "index1", "erk4", "1/100", "1");
  EXPECT_EQ(chart.started()->dense_order(), 0);
}

// With control, output points cost an evaluation each, and no step; values there are as good.
TEST(DenseOutput, OutputPointsCutNoSteps) {
  RunRequest r;
  r.problem = "two_link", r.formulation = "index1", r.method = "dormand_prince_5";
  r.t_end = Expression::parse("1", "t");
  r.settings = {{"control.tol", "1e-8"}};
  r.errors = true;
  r.h = r.t_end;
  const RunResult once = run(r);
  r.h = Expression::parse("1/1000", "h");
  const RunResult often = run(r);
  EXPECT_EQ(often.counts.at("steps"), once.counts.at("steps"));
  EXPECT_LE(often.counts.at("residual_evals"), once.counts.at("residual_evals") + 1000);
  EXPECT_NEAR(often.measures.at("error_q"), once.measures.at("error_q"), 1e-12);
}

}  // namespace
}  // namespace daemark
