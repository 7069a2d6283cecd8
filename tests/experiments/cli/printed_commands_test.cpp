// The command printed beside a number gives that number.
#include <fmt/format.h>

#include <cmath>

#include "experiments/cells/support/cell_kind.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

json output_of(const Cell& cell) {
  Words words = command(cell);
  EXPECT_EQ(words.front(), "daemark") << command(cell);
  words.erase(words.begin());
  return value_of(words + "--json");
}

Cell small(const std::string& kind) {
  Cell cell = test::run_cell("two_link", "radau_iia(2)", "index2", "1/20", "1/2");
  cell.kind = kind;
  return cell;
}

TEST_F(Cli, CommandOfARunGivesItsMeasures) {
  Cell cell = small("integration");
  cell.settings["newton.tol"] = "1e-9";
  cell.more["errors"] = true;
  const CellResult result = kind_of(cell).run(cell);
  const json shown = output_of(cell);
  ASSERT_TRUE(result.ok()) << result.why;
  ASSERT_GT(result.measures.size(), 5u);
  for (const auto& [name, value] : result.measures)
    EXPECT_EQ(shown["measures"].at(name).get<double>(), value) << name;
  for (const auto& [name, count] : result.counts) {
    if (name == "sub_steps") continue;  // steps times stages: of the row, not of the run
    EXPECT_EQ(shown["counts"].at(name), count);
  }
}

TEST_F(Cli, CommandOfAStudyGivesItsSlopes) {
  Cell cell = small("integration");
  cell.h = {"1/20", "1/40", "1/80"};
  const CellResult result = kind_of(cell).run(cell);
  const json shown = output_of(cell);
  for (const char* name : {"slope_q", "slope_v", "slope_lambda"})
    EXPECT_EQ(shown[name].get<double>(), result.measures.at(name)) << name;
}

/// Middle slopes over several end times in several formulations, one of them refused.
TEST_F(Cli, CommandOfAnOrderStudyGivesItsMedians) {
  Cell cell = small("orders");
  cell.formulation.clear(), cell.t_end.clear();
  cell.method = "sdirk_3";
  cell.h = {"1/20", "1/40", "1/80", "1/160"};
  cell.more["formulations"] = {"index1", "index3", "baumgarte(alpha=1,beta=1)"};
  cell.more["t_ends"] = {"1/4", "1/2", "3/4"};
  const CellResult result = kind_of(cell).run(cell);
  const json shown = output_of(cell);
  ASSERT_EQ(shown.size(), 3u);
  int compared = 0;
  for (const json& one : shown)
    for (const char* name : {"q", "v", "lambda"}) {
      const std::string key =
          std::string("slope_") + name + "_" + one["formulation"].get<std::string>();
      ASSERT_TRUE(result.measures.count(key)) << key;
      const json& slope = one[std::string("slope_") + name];
      if (slope.is_null()) {
        EXPECT_TRUE(std::isnan(result.measures.at(key))) << key;
        continue;
      }
      EXPECT_NEAR(slope.get<double>(), result.measures.at(key), 0.005 + 1e-9)
          << key << ": records keep two decimals";
      ++compared;
    }
  EXPECT_GE(compared, 6);
}

TEST_F(Cli, CommandOfALinearCellGivesItsRadius) {
  const Cell cell = test::of_kind("linear", "bathe(rho=1/2)");
  const CellResult result = kind_of(cell).run(cell);
  const json shown = output_of(cell);
  EXPECT_EQ(shown["n"].get<double>(), result.measures.at("n"));
}

/// Gauss, two stages: no decay; the phase is that of the (2,2)-Padé approximant.
TEST_F(Cli, AnalyseGivesTheTextbookPeriodElongation) {
  const json found = value_of("analyse gauss(2) --x 0.1 --json");
  const double theta = 2 * std::acos(-1.0) * 2 * 0.1;
  const double phase = 2 * std::atan2(theta / 2, 1 - theta * theta / 12);
  EXPECT_NEAR(found["period_elongation_percent"][0], 100 * (theta / phase - 1), 1e-10);
  EXPECT_NEAR(found["amplitude_decay_percent"][0], 0, 1e-12);
  EXPECT_NEAR(found["spectral_radius"][0], 1, 1e-14);
}

/// What the committed table of an item says is what its row gives.
TEST_F(Cli, MeasureGivesTheNumbersOfARow) {
  std::ifstream table(source_root() / "results" / "li2019" / "table1" / "table.csv");
  std::string committed;
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("h0_01,energy,")) committed = line;
  ASSERT_NE(committed, "");
  const json shown = value_of("measure li2019/table1/h0_01 --json");
  EXPECT_EQ(shown["status"], "ok");
  EXPECT_THAT(committed, HasSubstr(fmt::format(
                             ",{:.4e},", shown["measures"]["energy_error_max"].get<double>())));
}

}  // namespace
}  // namespace daemark
