// Sweeps: what they count, where they end, and rows said in one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/reference/reference.hpp"
#include "base/linear/dense_solve.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/spec/sweeps.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Cell sweep(const char* method, const char* formulation, long to_floor) {
  Cell cell = test::run_cell("pendulum", method, formulation, "1/20", "1");
  cell.kind = "work_precision";
  cell.more["to_floor"] = to_floor;
  cell.more["weights"] = {
      {"evaluation", "1"}, {"jacobian", "3"}, {"factorization", "2"}, {"pair", "1/50"}};
  return cell;
}

TEST(WorkPrecision, EndsAtTheFloorOfTheMethod) {
  const Cell cell = sweep("gauss(4)", "index1", 1000000);
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  EXPECT_EQ(result.measures.at("floor"), 1);
  const std::vector<double>& error = result.series.at("error_q");
  ASSERT_GT(error.size(), 3U);
  const double least = result.measures.at("least_error");
  // Order 8 in double: the floor is round-off, here of a motion of some metres.
  EXPECT_LT(least, 1e-11);
  EXPECT_GE(error[error.size() - 1], least);
  EXPECT_GE(error[error.size() - 2], least);
  const std::vector<double>& h = result.series.at("knob");
  for (std::size_t i = 1; i < h.size(); ++i) EXPECT_DOUBLE_EQ(h[i], h[i - 1] / 2);
}

// Runs that others published are read as a sweep is: the error against our reference, full
// matrices.
TEST(PublishedWork, CountsAndErrorsOfOthers) {
  Cell cell;
  cell.kind = "published_work";
  cell.problem = "oscillator", cell.formulation = "index1", cell.t_end = "1";
  const auto run = [](const char* tol, const char* q, int residuals) {
    return json{{"tol", tol},          {"steps", 5},  {"residuals", residuals}, {"jacobians", 2},
                {"factorizations", 3}, {"solves", 7}, {"q", json::array({q})}};
  };
  const auto mechanism = problem_registry().make("oscillator");
  const real50 q = reference_states(mechanism, {"1"}, 15).front().q.at(0);
  const auto off = [&](const char* error) { return real50(q + real50(error)).str(30); };
  cell.more["weights"] = {
      {"evaluation", "1"}, {"jacobian", "3"}, {"factorization", "2"}, {"pair", "1/50"}};
  cell.more["published"] = {
      {"unknowns", 4},
      {"runs", {run("1e-2", off("1e-2").c_str(), 100), run("1e-4", off("1e-4").c_str(), 400)}}};
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  EXPECT_NEAR(result.measures.at("evaluations_3"), 200, 1e-6);
  EXPECT_NEAR(result.measures.at("least_error"), 1e-4, 1e-12);
  const double pairs = 3 * (64 - 4) / 3.0 + 7 * 16;
  EXPECT_DOUBLE_EQ(result.series.at("pairs")[0], pairs);
  EXPECT_DOUBLE_EQ(result.series.at("work")[1], 400 + 3 * 2 + 2 * 3 + pairs / 50);
  cell.more["published"]["runs"][0]["q"].push_back("1");
  EXPECT_THAT([&] { kind_of(cell).run(cell); }, ThrowsMessage<BadInput>(HasSubstr("positions")));
}

TEST(WorkPrecision, AnotherRunThatWouldCostTooMuchIsLeftOutAndSaysSo) {
  const Cell cell = sweep("erk4", "index1", 2000);
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  EXPECT_EQ(result.measures.at("capped"), 1);
  EXPECT_EQ(result.measures.at("floor"), 0);
  const double last = result.series.at("evaluations").back();
  EXPECT_LE(last, 2000);
  EXPECT_GT(2 * last, 2000);
}

TEST(WorkPrecision, ARunOfTooManyEvaluationsIsTheLastAndSaysSo) {
  Cell cell = sweep("tr_bdf2", "index1", 0);
  cell.more.erase("to_floor"), cell.more.erase("weights");
  cell.h = {"1"}, cell.more["tols"] = {"1e-3", "1e-4", "1e-5", "1e-6"};
  const CellResult all = kind_of(cell).run(cell);
  const std::vector<double>& evaluations = all.series.at("evaluations");
  ASSERT_EQ(evaluations.size(), 4U);
  cell.more["most_evaluations"] = static_cast<long>(evaluations[1]) - 1;
  const CellResult ended = kind_of(cell).run(cell);
  EXPECT_TRUE(ended.ok());
  EXPECT_EQ(ended.series.at("evaluations"),
            std::vector<double>(evaluations.begin(), evaluations.begin() + 2));
  EXPECT_THAT(ended.why, HasSubstr("at 1e-4: finer ones are left out"));
  EXPECT_EQ(ended.measures.at("failures"), 0);
}

TEST(WorkPrecision, OutOfTimeIsAStatusWithoutCounts) {
  Cell cell = sweep("erk4", "index1", 0);
  cell.more.erase("to_floor");
  StopToken token;
  token.stop(StopCause::timed_out);
  const StopScope scope(token);
  const CellResult result = kind_of(cell).run(cell);
  EXPECT_EQ(result.status, "timed_out");
  ASSERT_EQ(result.series.at("evaluations").size(), 1U) << "finer ones are not tried";
  EXPECT_TRUE(std::isnan(result.series.at("evaluations")[0]));
}

TEST(WorkPrecision, SumsAllKindsOfWork) {
  const Cell cell = sweep("radau_iia(3)", "index2", 20000);
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  const auto& series = result.series;
  for (std::size_t i = 0; i < series.at("work").size(); ++i) {
    EXPECT_GT(series.at("jacobians")[i], 0);
    EXPECT_GT(series.at("pairs")[i], series.at("factorizations")[i]);
    EXPECT_DOUBLE_EQ(series.at("work")[i],
                     series.at("evaluations")[i] + 3 * series.at("jacobians")[i] +
                         2 * series.at("factorizations")[i] + series.at("pairs")[i] / 50);
  }
  // Interpolated between the two runs around 1e-8.
  const std::vector<double>&error = series.at("error_q"), &work = series.at("work");
  std::size_t at = 0;
  while (error[at] > 1e-8) ++at;
  ASSERT_GT(at, 0U);
  EXPECT_GT(result.measures.at("work_8"), work[at - 1]);
  EXPECT_LE(result.measures.at("work_8"), work[at]);
  EXPECT_FALSE(result.measures.contains("at_most_work_8"));
}

TEST(WorkPrecision, WhereTheFirstRunIsBetterItsWorkIsABound) {
  const Cell cell = sweep("gauss(4)", "index1", 2000);
  const CellResult result = kind_of(cell).run(cell);
  ASSERT_LT(result.series.at("error_q").front(), 1e-3);
  EXPECT_EQ(result.measures.at("work_3"), result.series.at("work").front());
  EXPECT_EQ(result.measures.at("at_most_work_3"), 1);
}

TEST(WorkPrecision, LinearAlgebraOfOtherLibrariesCounts) {
  Cell cell = sweep("ida", "index2", 20000);
  cell.h = {"1"}, cell.more["tols"] = {"1e-4"};
  const CellResult result = kind_of(cell).run(cell);
  if (result.status == "not_available") GTEST_SKIP() << "built without SUNDIALS";
  ASSERT_TRUE(result.ok()) << result.why;
  const auto& series = result.series;
  ASSERT_GT(series.at("knob").size(), 1U);
  EXPECT_DOUBLE_EQ(series.at("knob")[1], 1e-5);
  for (std::size_t i = 0; i < series.at("pairs").size(); ++i)
    EXPECT_GT(series.at("pairs")[i], series.at("factorizations")[i]);
}

TEST(WorkPrecision, RefusesWeightsThatAreNone) {
  Cell cell = sweep("erk4", "index1", 0);
  cell.more["weights"]["pair"] = "0";
  EXPECT_THAT([&] { kind_of(cell).check(cell); }, ThrowsMessage<BadInput>(HasSubstr("pair")));
  cell.more["weights"].erase("pair");
  EXPECT_THAT([&] { kind_of(cell).check(cell); }, ThrowsMessage<BadInput>(HasSubstr("pair")));
}

// Multiplications of elimination by hand: 2 × 2 has one below the pivot, 3 × 3 has 2·2 + 1.
TEST(DensePairs, AreThoseOfElimination) {
  EXPECT_EQ(dense_factor_pairs(1), 0);
  EXPECT_EQ(dense_factor_pairs(2), 1);
  EXPECT_EQ(dense_factor_pairs(3), 5);
  EXPECT_EQ(dense_solve_pairs(3), 6);
  const LuTally tally;
  std::vector<std::vector<double>> a = {{2, 1}, {1, 3}};
  std::vector<double> b = {1, 2};
  ASSERT_TRUE(solve_dense(a, b, largest_pivot([](double x) { return std::abs(x); })));
  EXPECT_EQ(tally.pairs, dense_factor_pairs(2) + dense_solve_pairs(2));
}

json item() {
  return json::parse(R"json({
    "sweeps": {
      "weights": {
        "index1": {"residual": "1", "rates": "2", "jacobian": "3", "factorization": "4", "pair": "5"},
        "ggl": {"residual": "6", "rates": "7", "jacobian": "8", "factorization": "9", "pair": "10"}
      },
      "rows": [
        {"group": "explicit", "methods": ["erk4", {"call": "arkode(table=t_1)", "label": "ark"}],
         "rates": true, "formulations": ["index1"], "cell": {"h": "1/10"}},
        {"group": "IDA", "id": "late", "methods": ["ida"], "formulations": ["index1", "ggl"],
         "cell": {"tols": ["1e-3"], "h": "1"}}
      ]
    },
    "plot": {"panels": [{"curves": {"formulation": "index1", "x": "work", "y": "error_q"}}]}
  })json");
}

TEST(Sweeps, AreRowsOfMethodsTimesFormulations) {
  const json out = with_sweeps(item(), "demo/item.json");
  EXPECT_FALSE(out.contains("sweeps"));
  std::vector<std::string> ids, labels;
  for (const json& row : out["rows"]) ids.push_back(row["id"]), labels.push_back(row["label"]);
  EXPECT_EQ(ids, (std::vector<std::string>{"erk4_index1", "arkode_table_t_1_index1",
                                           "late_ida_index1_control", "late_ida_ggl_control"}));
  EXPECT_EQ(labels,
            (std::vector<std::string>{"erk4, index1", "ark, index1", "ida, index1", "ida, ggl"}));
  EXPECT_EQ(out["rows"][3]["cell"],
            json::parse(R"({"tols": ["1e-3"], "h": "1", "method": "ida", "formulation": "ggl",
                            "weights": {"evaluation": "6", "jacobian": "8",
                                        "factorization": "9", "pair": "10"}})"));
  EXPECT_EQ(out["rows"][0]["cell"]["weights"]["evaluation"], "2");
  const json& curves = out["plot"]["panels"][0]["curves"];
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[1],
            json::parse(R"({"row": "arkode_table_t_1_index1", "label": "ark", "x": "work",
                            "y": "error_q"})"));
}

TEST(Sweeps, RefuseWhatHasNoWeightsAndCurvesOfNothing) {
  json lacking = item();
  lacking["sweeps"]["weights"].erase("ggl");
  EXPECT_THAT([&] { with_sweeps(lacking, "demo/item.json"); },
              ThrowsMessage<BadInput>(HasSubstr("demo/item.json, sweeps, rows 2, weights")));
  json empty = item();
  empty["plot"]["panels"][0]["curves"]["formulation"] = "index3";
  EXPECT_THAT([&] { with_sweeps(empty, "demo/item.json"); },
              ThrowsMessage<BadInput>(HasSubstr("no row on index3")));
}

}  // namespace
}  // namespace daemark
