// Cells of kind linear and orders, rows from the catalogue, deviations between runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/spec/sweeps.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark {
namespace {

Cell linear(const std::vector<std::string>& x) {
  Cell cell = test::of_kind("linear", "trapezoidal");
  cell.more["x"] = x;
  return cell;
}

TEST(LinearCell, AbscissaeAreNumbersAndGridsSortedOnce) {
  const Cell cell = linear({"1", "lin(1/2,1,3)", "log(1,100,3)"});
  const CellResult result = kind_of(cell).run(cell);
  const std::vector<double>& x = result.series.at("x");
  const std::vector<double> expected = {0.5, 0.75, 1, 10, 100};
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-12 * expected[i]);
  EXPECT_EQ(result.measures.at("linear_order"), 2);
  for (const char* refused : {"0", "lin(1,1,5)", "cube(1,2,5)"})
    EXPECT_THROW(kind_of(cell).check(linear({refused})), BadInput) << refused;
}

// |R(z)| = |1 + z|: the boundary is the unit circle around -1.
TEST(LinearCell, RegionOfExplicitEulerIsACircle) {
  Cell cell = linear({});
  cell.method = "euler_explicit", cell.more = {{"region", true}};
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  const std::vector<double>&x = result.series.at("region_x"), &y = result.series.at("region_y");
  // Linear interpolation of a distance over edges of the grid: at most their square over 8, the
  // curvature of the distance on the circle being 1.
  const double interpolation = std::pow(12.0 / 119, 2) / 8;
  int gaps = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]))
      ++gaps;
    else
      EXPECT_NEAR(std::hypot(x[i] + 1, y[i]), 1, interpolation);
  }
  EXPECT_EQ(gaps, 1) << "one closed piece";
  EXPECT_GT(x.size(), 60U);
  // The leftmost point stands up to half an edge beside the axis: as much again.
  EXPECT_NEAR(result.measures.at("region_left"), -2, 2 * interpolation);
}

TEST(Catalogue, CombinesParametersAndLeavesOutWhatAMethodRefuses) {
  const auto methods =
      catalogue_methods({{"s", {"2"}}, {"lms.n", {"2", "3"}}, {"rho", {"0", "3/5", "2"}}});
  const auto count = [&](const std::string& start) {
    return std::count_if(methods.begin(), methods.end(),
                         [&](const CatalogueMethod& m) { return m.call.starts_with(start); });
  };
  EXPECT_EQ(count("lms("), 4);
  EXPECT_EQ(count("gauss("), 1);
  EXPECT_EQ(count("erk4"), 1);
  for (const CatalogueMethod& method : methods) {
    EXPECT_TRUE(std::all_of(method.id.begin(), method.id.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_';
    })) << method.id;
  }
}

/// The pendulum beside a run of gauss(3) with 200 steps a second, whose error is below 1e-11.
Cell beside_a_fine_run() {
  Cell cell = test::run_cell("pendulum", "gauss(1)", "index1", "1/50", "1");
  cell.more = {{"history_every", 1},
               {"against", {{"series", "x"}, {"method", "gauss(3)"}, {"h", "1/200"}}}};
  return cell;
}

// The exact motion moved by known amounts: deviations are those over the length of the pendulum,
// the largest |x|.
TEST(Deviation, IsMeasuredInPartsOfTheLargestValue) {
  const double moved[] = {0, 0.002, -0.004, 0.001, 0.005, -0.02, 0.015, 0, 0.008};
  const Problem pendulum = problem_registry().make("pendulum");
  const double length = 1.9812;
  CellResult result;
  for (int i = 0; i <= 8; ++i) {
    real50 q[2], v[2], lambda[1];
    pendulum.closed_form(real50(i) / 8, q, v, lambda);
    result.series["t"].push_back(i / 8.0);
    result.series["x"].push_back(to_double(q[0]) + moved[i] * length);
  }
  add_deviation(beside_a_fine_run(), {"x", "y"}, result);
  const std::vector<double>& deviation = result.series.at("deviation");
  ASSERT_EQ(deviation.size(), 9u);
  constexpr double run_error = 1e-11;
  double squares = 0;
  for (int i = 0; i <= 8; ++i) {
    EXPECT_NEAR(deviation[i], moved[i], run_error) << i;
    squares += moved[i] * moved[i];
  }
  EXPECT_NEAR(result.measures.at("deviation_max"), 0.02, run_error);
  EXPECT_NEAR(result.measures.at("deviation_rms"), std::sqrt(squares / 9), run_error);
  EXPECT_EQ(result.measures.at("departs_at"), 5 / 8.0) << "the first above a hundredth";
  const double largest[] = {0.002, 0.004, 0.02, 0.015};
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(result.measures.at(fmt::format("deviation_quarter{}", k + 1)), largest[k],
                run_error);
}

TEST(Deviation, SumsUpTheEnergyError) {
  CellResult result;
  for (int i = 0; i <= 8; ++i) result.series["t"].push_back(i / 8.0);
  result.series["energy_error"] = {0, 1, -2, 4, 3, 5, -1, 2, 5};
  add_deviation(beside_a_fine_run(), {"x", "y"}, result);
  const auto& measures = result.measures;
  EXPECT_EQ(measures.at("energy_error_upper"), 5);
  EXPECT_EQ(measures.at("energy_error_lower"), -2);
  EXPECT_DOUBLE_EQ(measures.at("energy_error_jitter"), (1 + 3 + 6 + 1 + 2 + 6 + 3 + 3) / 7.0);
  EXPECT_EQ(measures.at("energy_error_mean1"), 0.5);
  EXPECT_EQ(measures.at("energy_error_mean2"), 1);
  EXPECT_EQ(measures.at("energy_error_mean3"), 4);
  EXPECT_EQ(measures.at("energy_error_mean4"), 2) << "with the last point";
}

TEST(FromRun, KeepsTheHistoryByName) {
  RunResult run;
  run.status = "ok";
  History& h = run.history;
  h.t = {2, 3, 4, 5, 6};
  h.q = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  h.v = {{-1, -2}, {-3, -4}, {-5, -6}, {-7, -8}, {-9, -10}};
  h.lambda = {{11}, {12}, {13}, {14}, {15}};
  h.kinetic = {1, 2, 3, 4, 5}, h.potential = {10, 20, 30, 40, 50};
  h.energy_error = {0, -3, 1, 2, -1};
  h.position_violation = {0, 1, 2, 3, 4}, h.velocity_violation = {5, 6, 7, 8, 9};
  h.acceleration_violation = {10, 11, 12, 13, 14};
  const CellResult result = from_run(run, {"x", "y"});
  using Values = std::vector<double>;
  EXPECT_EQ(result.series.at("y"), (Values{2, 4, 6, 8, 10}));
  EXPECT_EQ(result.series.at("v_x"), (Values{-1, -3, -5, -7, -9}));
  EXPECT_EQ(result.series.at("lambda_1"), (Values{11, 12, 13, 14, 15}));
  EXPECT_EQ(result.series.at("energy"), (Values{11, 22, 33, 44, 55}));
  EXPECT_EQ(result.series.at("position_violation"), h.position_violation);
  EXPECT_EQ(result.series.at("velocity_violation"), h.velocity_violation);
  EXPECT_EQ(result.series.at("acceleration_violation"), h.acceleration_violation);
  // Points on the border of two quarters count in both.
  EXPECT_EQ(result.measures.at("energy_error_quarter1"), 3);
  EXPECT_EQ(result.measures.at("energy_error_quarter2"), 3);
  EXPECT_EQ(result.measures.at("energy_error_quarter3"), 2);
  EXPECT_EQ(result.measures.at("energy_error_quarter4"), 2);
  EXPECT_EQ(result.measures.at("energy_error_end"), -1);
}

TEST(FromStudy, HasSlopesAndThePapersOrder) {
  ConvergeResult study;
  study.h = {0.1, 0.01, 0.001};
  study.status = {"ok", "ok", "newton_diverged"};
  const double nan = std::nan("");
  study.error[0] = {1e-3, 1e-6, nan}, study.error[1] = {1e-2, 1e-5, nan};
  study.error[2] = {1e-1, 1e-2, nan};
  study.component_error_q = {{1e-4, 1e-5}, {1e-7, 1e-8}, {}};
  study.fit[0].slope = 3, study.fit[1].slope = 3.5, study.fit[2].slope = 1;
  study.component_slope_q = {4, 5};
  study.fit[0].used = study.fit[1].used = study.fit[2].used = {true, true, false};
  study.runs.resize(3);
  for (int i = 0; i < 3; ++i) study.runs[i].counts = {{"steps", 10 + i}};
  study.runs[2].t = 0.25, study.runs[2].why = "it grows";
  const CellResult result = from_study(study, {"x", "y"});
  EXPECT_EQ(result.status, "newton_diverged");
  EXPECT_EQ(result.why, "at h = 0.001: it grows");
  EXPECT_EQ(result.t, 0.25);
  EXPECT_EQ(result.counts.at("steps"), 33);
  EXPECT_EQ(result.measures.at("slope_lambda"), 1);
  EXPECT_EQ(result.measures.at("slope_y"), 5);
  EXPECT_EQ(result.series.at("used_q"), (std::vector<double>{1, 1, 0}));
  EXPECT_TRUE(std::isnan(result.series.at("error_y")[2])) << "the run that failed";
  // log‖e‖/log h: -3/-1 and -6/-2, …
  EXPECT_NEAR(result.measures.at("paper_order_q_min"), 3, 1e-15);
  EXPECT_NEAR(result.measures.at("paper_order_v_min"), 2, 1e-15);
  EXPECT_NEAR(result.measures.at("paper_order_v_max"), 2.5, 1e-15);
  EXPECT_NEAR(result.measures.at("paper_order_y_max"), 5, 4e-15);
}

}  // namespace
}  // namespace daemark
