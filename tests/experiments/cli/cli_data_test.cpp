// What a notebook or a paper takes from committed results: tables for data frames, figures.
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark::cli_testing {
namespace {

std::size_t column(const Csv& rows, const std::string& name) {
  return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                  rows[0].begin());
}

TEST_F(Cli, AStudyIsATableWithNumbersInItsColumns) {
  const Csv rows = read_csv(call("export-data li2019/table1").out, "data");
  ASSERT_GT(rows.size(), 3U);
  for (const char* name : {"h", "t_end", "t", "energy_error_max", "steps"}) {
    const std::size_t at = column(rows, name);
    ASSERT_LT(at, rows[0].size()) << name;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i][at].empty()) continue;
      EXPECT_NO_THROW(std::stod(rows[i][at])) << name << rows[i][at];
    }
  }
  EXPECT_EQ(rows[1][column(rows, "problem")], "two_link");
  const Csv points = read_csv(call("export-data work_precision/two_link --series").out, "data");
  EXPECT_GT(points.size(), 500U);
  EXPECT_GT(std::stod(points[1][column(points, "error_q")]), 0);
}

TEST_F(Cli, APanelOfAFigureIsAFileOfAJournalsWidth) {
  NEEDS_GNUPLOT();
  printed("figure work_precision/pendulum --panel 2 --to @");
  EXPECT_THAT(content("pendulum-2.svg"), HasSubstr("width=\"84mm\""));
  EXPECT_TRUE(fs::exists(file("pendulum-2.pdf")));
  // Of an item whose records hold no histories, from its figure.csv.
  printed("figure li2019/fig3 --to @");
  EXPECT_THAT(content("fig3.svg"), HasSubstr("displacement"));
}

}  // namespace
}  // namespace daemark::cli_testing
