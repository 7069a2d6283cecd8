#include "experiments/engine/run/forecast.hpp"

#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "experiments/engine/run/runner.hpp"
#include "tests/experiments/fake_paper.hpp"

namespace daemark {
namespace {

TEST(Forecast, ARateForEachKin) {
  Forecast forecast;
  EXPECT_FALSE(forecast.knows());
  forecast.expect("beam", 1000), forecast.expect("beam", 1000);
  forecast.expect("pendulum", 10), forecast.expect("pendulum", 10);
  EXPECT_EQ(forecast.left(), 0) << "nothing is known";
  forecast.finished("beam", 1000, 5);
  forecast.finished("pendulum", 10, 20);
  EXPECT_TRUE(forecast.knows());
  EXPECT_DOUBLE_EQ(forecast.left(), 5 + 20);
  forecast.drop("pendulum", 10);
  EXPECT_DOUBLE_EQ(forecast.left(), 5);
  forecast.expect("top", 101);  // of no known kin: 25 s for a cost of 1010
  EXPECT_DOUBLE_EQ(forecast.left(), 5 + 2.5);
}

TEST(Forecast, TheLastCellsCountMost) {
  Forecast forecast;
  for (int i = 0; i < 40; ++i) forecast.expect("orders", 1);
  for (int i = 0; i < 10; ++i) forecast.finished("orders", 1, 1);
  for (int i = 0; i < 20; ++i) forecast.finished("orders", 1, 3);
  EXPECT_NEAR(forecast.left(), 10 * 3, 0.1) << "0.7^20 of the first ten is left";
}

TEST(Forecast, KinsAreKindsProblemsAndPrecisions) {
  Cell cell;
  cell.problem = "swing(k=2)";
  Cell other = cell;
  other.problem = "swing(k=3)", other.method = "gauss(2)";
  EXPECT_EQ(Forecast::kin_of(cell), Forecast::kin_of(other));
  other.precision = "quad";
  EXPECT_NE(Forecast::kin_of(cell), Forecast::kin_of(other));
}

TEST(Runner, AForecastLearnsAndForgetsWhatIsRefused) {
  const test::ScratchFolder folder;
  std::vector<Cell> cells(3);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].problem = "two_link", cells[i].formulation = "index1", cells[i].method = "gauss(2)";
    cells[i].h = {"1/" + std::to_string(10 + i)}, cells[i].t_end = "1";
  }
  const auto run = [](const Cell& cell) {
    if (cell.h[0] == "1/12") throw BadInput("no such step");
    return CellResult{};
  };
  const auto sources = [](const Cell&) { return std::string("s"); };
  const RunnerReport report = run_cells(cells, run, sources, CellCache(folder.path), {.jobs = 2});
  EXPECT_EQ(report.computed, 2);
  EXPECT_TRUE(report.forecast.knows());
  EXPECT_NEAR(report.forecast.left(), 0, 1e-12) << "nothing more will come";
}

}  // namespace
}  // namespace daemark
