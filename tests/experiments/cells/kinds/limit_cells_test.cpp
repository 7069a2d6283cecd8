// Cells that measure a history and those that look for the largest stable step.
#include <gtest/gtest.h>

#include <cmath>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/measure_names.hpp"

namespace daemark {
namespace {

Cell swing() {
  Cell cell;
  cell.kind = "motion";
  cell.problem = "driven_pendulum", cell.formulation = "index1", cell.method = "gauss(2)";
  cell.h = {"1/10"}, cell.t_end = "20";
  cell.more = {{"history_every", 1}, {"largest", {"theta", "lambda_1"}}, {"frequencies", true}};
  return cell;
}

TEST(MotionCell, MeasuresItsHistory) {
  const CellResult result = kind_of(swing()).run(swing());
  ASSERT_TRUE(result.ok()) << result.why;
  // The torque is slow: θ follows T0/(m g L) but for oscillations of about T0 0.1/ω³.
  EXPECT_NEAR(result.measures.at("largest_theta"), 0.1 / 9.8, 0.1 * 0.1 / 30);
  EXPECT_NEAR(result.measures.at("omega_reduced_max"), std::sqrt(9.8), 1e-3);
  EXPECT_TRUE(std::isinf(result.measures.at("omega_free_max"))) << "M is singular";
  EXPECT_EQ(result.series.at("omega_reduced").size(), 201u);
  // x'' of a motion with ω = √9.8 sampled at 0.1 s: second differences/4 of less than (ωh)²/4.
  EXPECT_LT(result.measures.at("alternation_lambda_1"),
            0.03 * result.measures.at("largest_lambda_1"));
  for (const auto& [name, value] : result.measures) EXPECT_TRUE(can_measure(swing(), name)) << name;
  EXPECT_FALSE(can_measure(swing(), "largest_x"));
}

TEST(MotionCell, RefusesFrequenciesOnAChart) {
  Cell cell = swing();
  cell.problem = "heavy_top", cell.formulation = "index3", cell.method = "radau_iia(2)";
  cell.t_end = "1";
  cell.more = {{"history_every", 1}, {"frequencies", true}};
  const CellResult refused = kind_of(cell).run(cell);
  EXPECT_EQ(refused.status, "refused");
  EXPECT_NE(refused.why.find("chart"), std::string::npos) << refused.why;
}

// history_every thins what is drawn, not what is measured: of every seventh step the largest value,
// and above all the part that alternates from step to step, would be another.
TEST(MotionCell, MeasuresAllStepEndsHoweverFewAreKept) {
  Cell cell = swing();
  const CellResult all = kind_of(cell).run(cell);
  cell.more["history_every"] = 7;
  const CellResult few = kind_of(cell).run(cell);
  EXPECT_EQ(few.measures, all.measures);
  const std::vector<double>&t = all.series.at("t"), &kept = few.series.at("t");
  ASSERT_EQ(kept.size(), 30u);  // 0, 7, ..., 196 and 200
  EXPECT_EQ(kept[1], t[7]);
  EXPECT_EQ(kept.back(), t.back());
  EXPECT_EQ(few.series.at("omega_reduced").size(), kept.size());
}

TEST(MotionCell, SaysWhetherAndWhereARunBreaks) {
  Cell cell = swing();
  cell.more["watched"] = "theta", cell.more["bound"] = "1/50";
  EXPECT_EQ(kind_of(cell).run(cell).measures.at("stable"), 1);
  cell.more["bound"] = "1/200";
  const auto measures = kind_of(cell).run(cell).measures;
  EXPECT_EQ(measures.at("stable"), 0);
  // 0.1 sin(0.1 t)/9.8 passes 1/200 at 5.12 s; oscillations move that by a step or two.
  EXPECT_NEAR(measures.at("breaks_at"), 10 * std::asin(0.49), 0.5);
  cell.more["bound"] = "";
  EXPECT_THROW(kind_of(cell).check(cell), BadInput);
}

TEST(MotionCell, NamesOutputsAndRefusesUnknownSeries) {
  Cell squeezer = swing();
  squeezer.problem = "andrews_squeezer", squeezer.h = {"1/10000"}, squeezer.t_end = "1/1000";
  squeezer.more = {{"history_every", 1}, {"largest", {"x_F"}}};
  EXPECT_NEAR(kind_of(squeezer).run(squeezer).measures.at("largest_x_F"), 0.007, 1e-4);
  squeezer.more["largest"] = {"theta"};
  EXPECT_THROW(kind_of(squeezer).run(squeezer), BadInput);
  Cell study = swing();
  study.h = {"1/10", "1/20"};
  EXPECT_THROW(kind_of(study).check(study), BadInput);
}

// The classical Runge-Kutta method is stable on the imaginary axis up to 2√2.
TEST(StabilityLimitCell, FindsTheLimitOfAKnownMethod) {
  Cell cell;
  cell.kind = "stability_limit";
  cell.problem = "oscillator(omega=2)", cell.formulation = "minimal", cell.method = "erk4";
  cell.t_end = "2000";
  cell.more = {{"steps_least", 1200}, {"steps_most", 1600}, {"watched", "q"}, {"bound", "3/2"}};
  kind_of(cell).check(cell);
  const CellResult result = kind_of(cell).run(cell);
  const auto& m = result.measures;
  EXPECT_LT(m.at("h_stable"), m.at("h_unstable"));
  // Just above the limit an error must grow by half within the run: |R| − 1 > 3e-4, reached at a
  // distance of the same order.
  EXPECT_NEAR(m.at("h_limit"), std::sqrt(2.0), 2e-3);
  EXPECT_LE(result.counts.at("runs"), 2 + 9);
  Cell easy = cell;
  easy.more["steps_least"] = 1500;
  EXPECT_TRUE(std::isinf(kind_of(easy).run(easy).measures.at("h_limit")));
  Cell hopeless = cell;
  hopeless.more["steps_most"] = 1250;
  EXPECT_EQ(kind_of(hopeless).run(hopeless).measures.at("h_limit"), 0);
  cell.more["steps_most"] = 1000;
  EXPECT_THROW(kind_of(cell).check(cell), BadInput);
}

// Pairs of a sparse LU follow from its pattern; the four-bar's grows with the loops.
TEST(StepWorkCell, CountsTheSameWorkEveryTime) {
  Cell cell;
  cell.kind = "step_work";
  cell.problem = "four_bar(4)", cell.formulation = "index3", cell.method = "average_acceleration";
  cell.h = {"1/1000"}, cell.t_end = "1/50";
  const auto once = kind_of(cell).run(cell).measures, again = kind_of(cell).run(cell).measures;
  EXPECT_EQ(once, again);
  EXPECT_EQ(once.at("steps"), 20);
  EXPECT_EQ(once.at("iterations"), once.at("factorizations")) << "full Newton";
  for (const auto& [name, value] : once) EXPECT_TRUE(can_measure(cell, name)) << name;
  cell.problem = "four_bar(8)";
  const double more = kind_of(cell).run(cell).measures.at("lu_pairs_iteration");
  EXPECT_NEAR(more / once.at("lu_pairs_iteration"), 2, 0.2);
  cell.method = "tangent_space(average_acceleration)";
  EXPECT_GT(kind_of(cell).run(cell).measures.at("lu_pairs_iteration"), more);
  cell.h = {"1/1000", "1/2000"};
  EXPECT_THROW(kind_of(cell).check(cell), BadInput);
}

}  // namespace
}  // namespace daemark
