#include "experiments/compare/compare_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daemark {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Compare, WorkIsInterpolatedBetweenTheRunsThatBracketATarget) {
  // On a line of slope −1 in logarithms the middle of two decades lies at the root of ten.
  const auto between = reach({10, 100}, {1e-2, 1e-3}, std::pow(10.0, -2.5));
  ASSERT_TRUE(between);
  EXPECT_FALSE(between->at_most);
  EXPECT_NEAR(between->work, 10 * std::sqrt(10.0), 1e-9);
  const auto better = reach({10, 100}, {1e-6, 1e-7}, 1e-4);
  ASSERT_TRUE(better);
  EXPECT_TRUE(better->at_most) << "not measured: the coarsest run is better already";
  EXPECT_EQ(better->work, 10);
  EXPECT_FALSE(reach({10, 100}, {1e-2, 1e-3}, 1e-4)) << "never beyond the runs";
  EXPECT_FALSE(reach({10, 100}, {nan, nan}, 1e-4));
  const auto after_failure = reach({10, 100, 1000}, {nan, 1e-2, 1e-6}, 1e-4);
  ASSERT_TRUE(after_failure);
  EXPECT_FALSE(after_failure->at_most);
  const auto exact = reach({10, 100}, {1e-2, 0}, 1e-4);  // no line through the logarithm of 0
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->at_most);
  EXPECT_EQ(exact->work, 100);
}

/// A field with given errors: two methods, the work of the k-th run is 10, 20, 40.
struct Made {
  CompareField field;
  RunnerReport report;
  void add(const std::string& method, bool is_new, const std::vector<double>& errors, long work) {
    CompareField::Entry entry{method, is_new, false, {}};
    for (std::size_t k = 0; k < errors.size(); ++k) {
      Cell cell;
      cell.problem = "oscillator", cell.formulation = "index1", cell.method = method;
      cell.h = {"1/" + std::to_string(10 << k)};
      cell.t_end = "1";
      CellResult result;
      result.measures["error_q"] = errors[k];
      result.counts["residual_evals"] = work << k;
      result.seconds = 1e-3;
      report.results[canonical(cell)] = result;
      entry.cells.push_back(cell);
    }
    field.entries.push_back(entry);
  }
};

TEST(Compare, TheMoreAccurateNeverStandsBehindTheCoarse) {
  Made made;
  made.field.problem = "oscillator", made.field.formulation = "index1", made.field.t_end = "1";
  made.field.h = {"1/10", "1/20", "1/40"};
  made.field.way = 1;
  // The old ranking clamped both to the work of their coarsest runs at 1e-4 and put the first
  // ahead, a thousand times less accurate.
  made.add("trapezoidal", false, {9e-5, 2e-5, 5e-6}, 10);
  made.add("gauss(3)", true, {9e-8, 1e-9, 2e-11}, 30);
  const std::vector<CompareLine> lines = compare_lines(made.field, made.report);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].method, "gauss(3)");
  EXPECT_TRUE(lines[0].reached[1]->at_most);
  EXPECT_TRUE(lines[1].reached[1]->at_most);
  EXPECT_EQ(lines[1].rank[1], 1) << "at 1e-4 it needs least";
  EXPECT_EQ(lines[0].rank[1], 2);
  EXPECT_EQ(lines[1].rank[2], 0) << "it does not reach 1e-6";
  const Table table = compare_table(made.field, lines);
  EXPECT_EQ(table.head[1], "work to 1e-02");
  EXPECT_EQ(table.rows[0][2], "≤ 30 (2.)");
  EXPECT_EQ(table.rows[1][3], "-");
  for (const std::string& name : table.head) EXPECT_EQ(name.find("time"), std::string::npos);
  EXPECT_NE(std::find(compare_summary(made.field, lines).head.begin(),
                      compare_summary(made.field, lines).head.end(), "time [ms]"),
            compare_summary(made.field, lines).head.end());
}

TEST(Compare, ProfilesAreSharesOfPairsWithinAFactor) {
  Made made;
  made.field.problem = "oscillator", made.field.formulation = "index1", made.field.t_end = "1";
  made.field.h = {"1/10", "1/20", "1/40"};
  made.field.way = 1;
  made.add("trapezoidal", false, {9e-3, 9e-5, 9e-7}, 10);
  made.add("gauss(3)", true, {9e-3, 9e-5, 9e-7}, 30);
  const std::vector<CompareField> fields = {made.field};
  const auto profiles = profiles_of(fields, {compare_lines(made.field, made.report)});
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_EQ(profiles[0].instances, 3) << "1e-2, 1e-4, 1e-6";
  ASSERT_EQ(profiles[0].curves[0].method, "trapezoidal") << "the larger area first";
  EXPECT_EQ(profiles[0].curves[0].share(1, 3), 1);
  EXPECT_EQ(profiles[0].curves[1].share(2, 3), 0);
  EXPECT_EQ(profiles[0].curves[1].share(3, 3), 1) << "three times the work everywhere";
}

}  // namespace
}  // namespace daemark
