// Values inside steps: Hermite's between step ends, published interpolants.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/orders/inside_orders.hpp"
#include "analysis/run/run.hpp"
#include "methods/loop/inside_steps.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The largest error of q, v, λ at three places inside the first step, beside short steps to there.
std::array<double, 3> errors_inside(const std::string& method, const std::string& formulation,
                                    const std::string& h, int order) {
  MethodBench<real50> bench("two_link", formulation, method, h, "1", {{"control.tol", "1e-3"}});
  const auto stepper = bench.started();
  InsideSteps<real50> inside(*bench.setup.method, *stepper, bench.cell.target());
  EXPECT_EQ(inside.orders().q, order);
  inside.begin();
  EXPECT_EQ(stepper->step().status, Status::ok);
  std::array<double, 3> worst{};
  const int n = bench.coordinates(), size = static_cast<int>(bench.initial.y.size());
  for (const int place : {1, 3, 6}) {
    const real50 theta = real50(place) / real50(8);
    State<real50> at;
    inside.at(theta, at);
    MethodBench<real50> fine("two_link", formulation == "index2" ? "index1" : formulation,
                             "verner_8", h, "1");
    auto truth = fine.fresh();
    constexpr int parts = 32;
    truth->start(bench.initial, theta * bench.step() / real50(parts));
    for (int i = 0; i < parts; ++i) EXPECT_EQ(truth->step().status, Status::ok);
    for (int i = 0; i < size; ++i) {
      double& kind = worst[i < n ? 0 : i < 2 * n ? 1 : 2];
      kind = std::max(kind, std::abs(to_double(real50(at.y[i] - truth->state().y[i]))));
      if (i < 2 * n) {
        EXPECT_NEAR(to_double(real50(at.rate[i] - truth->state().rate[i])), 0, 1e-3) << i;
      }
    }
  }
  return worst;
}

// Degree 5 through q, v, a at both ends: q to h^6, v and with it λ to h^5.
TEST(DenseOutput, PositionsFallWithTheSixthPower) {
  for (const char* formulation : {"index1", "minimal", "elimination"}) {
    SCOPED_TRACE(formulation);
    const auto coarse = errors_inside("dormand_prince_5", formulation, "1/40", 6),
               fine = errors_inside("dormand_prince_5", formulation, "1/80", 6);
    EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 6, 0.5);
    EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 5, 0.5);
    if (coarse[2] > 0) {
      EXPECT_GT(std::log2(coarse[2] / fine[2]), 4.5);
    }
  }
}

// The interpolant of DOP853, of order 7 with three further stages: all of a state to h^8, also on
// an equation without positions.
TEST(DenseOutput, PublishedInterpolants) {
  const auto coarse = errors_inside("dormand_prince_853", "index1", "1/10", 8),
             fine = errors_inside("dormand_prince_853", "index1", "1/20", 8);
  for (int kind = 0; kind < 3; ++kind) EXPECT_GT(std::log2(coarse[kind] / fine[kind]), 7.3) << kind;
}

// On index 2 the errors are those of the step: of a method of order 4, local.
TEST(DenseOutput, BetweenStepEndsOnIndexTwo) {
  const auto coarse = errors_inside("esdirk_4_3_6l", "index2", "1/20", 6),
             fine = errors_inside("esdirk_4_3_6l", "index2", "1/40", 6);
  EXPECT_GT(std::log2(coarse[0] / fine[0]), 3.5);
  EXPECT_GT(std::log2(coarse[1] / fine[1]), 2.5);
}

TEST(DenseOutput, MeetsTheEndsOfTheStep) {
  for (const char* method : {"dormand_prince_5", "dormand_prince_853", "radau_iia(3)", "gauss(2)",
                             "lobatto_iiic(3)", "lms(2,1/2)"}) {
    MethodBench<double> bench("pendulum", "index1", method, "1/20", "1", {{"control.tol", "1e-8"}});
    const auto stepper = bench.started();
    InsideSteps<double> inside(*bench.setup.method, *stepper, bench.cell.target());
    inside.begin();
    ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
    stepper->accept();
    State<double> at;
    for (const bool at_end : {false, true}) {
      const State<double>& end = at_end ? stepper->state() : bench.initial;
      inside.at(at_end ? 1 : 0, at);
      for (std::size_t i = 0; i < at.y.size(); ++i)
        EXPECT_NEAR(at.y[i], end.y[i], 1e-9 * (1 + std::abs(end.y[i]))) << method << " " << i;
    }
  }
}

// On charts that carry more than orientations, and of methods whose steps are better than the
// interpolant, steps end at output points.
TEST(DenseOutput, IsNotThereWhereItWouldBeWrong) {
  const auto order = [](const char* problem, const char* method) {
    MethodBench<double> bench(problem, "index1", method, "1/100", "1");
    const auto stepper = bench.started();
    return InsideSteps<double>(*bench.setup.method, *stepper, bench.cell.target()).orders().q;
  };
  EXPECT_EQ(order("pendulum", "verner_8"), 0);
  EXPECT_EQ(order("heavy_top(coordinates=screw)", "bogacki_shampine_3"), 0);
  EXPECT_EQ(order("pendulum", "bogacki_shampine_3"), 6);
}

// On a chart of rotations the whole state comes through the change of chart at the end of a step:
// what is left is the error of the steps, of order 5.
TEST(DenseOutput, OnChartsOfRotations) {
  RunRequest r;
  r.problem = "heavy_top(coordinates=chart)", r.formulation = "index1";
  r.method = "dormand_prince_5", r.precision = Precision::in_real50;
  r.t_end = Expression::parse("1/20", "t");
  std::vector<Expression> h;
  for (const char* step : {"1/2000", "1/4000"}) h.push_back(Expression::parse(step, "h"));
  const std::vector<InsideErrors> found = errors_inside(r, h);
  ASSERT_EQ(found.size(), 2U);
  for (const char* error : {"error_q", "error_v", "error_lambda"}) {
    const double coarse = found[0].errors.at(error), fine = found[1].errors.at(error);
    EXPECT_GT(std::log(coarse / fine) / std::log(found[0].h / found[1].h), 4.5) << error;
  }
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
