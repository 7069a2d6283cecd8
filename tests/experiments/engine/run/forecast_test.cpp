#include "experiments/engine/run/forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/run/runner.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

bool holds(const TimeSpan& told, double left) { return told.low <= left && left <= told.high; }

TEST(Forecast, ARateForEachKin) {
  Forecast forecast;
  EXPECT_FALSE(forecast.knows());
  forecast.expect("beam", 1000), forecast.expect("beam", 1000);
  forecast.expect("pendulum", 10), forecast.expect("pendulum", 10);
  EXPECT_EQ(forecast.left({}, 1).high, 0) << "nothing is known";
  forecast.finished("beam", 1000, 5);
  forecast.finished("pendulum", 10, 20);
  EXPECT_TRUE(forecast.knows());
  EXPECT_PRED2(holds, forecast.left({}, 1), 5 + 20);
  EXPECT_PRED2(holds, forecast.left({}, 4), 20) << "one cell is not shared";
  forecast.drop("pendulum", 10);
  EXPECT_PRED2(holds, forecast.left({}, 1), 5);
  const double before = forecast.left({}, 1).high;
  forecast.expect("top", 100);  // of no known cost class: between those of the others
  EXPECT_GT(forecast.left({}, 1).high, before + 0.5);
  EXPECT_LT(forecast.left({}, 1).low, 5 + 200);
}

TEST(Forecast, EarlierRunsCountAsOneCell) {
  Forecast forecast;
  for (int i = 0; i < 4; ++i) forecast.expect("beam", 100);
  forecast.recall({{"beam", 0.05}, {"pendulum", 1}});
  EXPECT_TRUE(forecast.knows());
  EXPECT_PRED2(holds, forecast.left({}, 1), 4 * 100 * 0.05);
  for (int i = 0; i < 3; ++i) forecast.finished("beam", 100, 50);  // ten times slower today
  forecast.recall({{"beam", 0.05}});
  EXPECT_NEAR(forecast.left({}, 1).middle(), 50, 20) << "what is seen today counts more";
}

TEST(Forecast, TheLastCellsCountMost) {
  Forecast forecast;
  for (int i = 0; i < 40; ++i) forecast.expect("orders", 1);
  for (int i = 0; i < 10; ++i) forecast.finished("orders", 1, 1);
  for (int i = 0; i < 20; ++i) forecast.finished("orders", 1, 3);
  EXPECT_NEAR(forecast.left({}, 1).middle(), 10 * 3, 5);
}

TEST(Forecast, CellsInWorkTellByTheirPartOrTheirAge) {
  Forecast forecast;
  forecast.expect("beam", 10), forecast.expect("beam", 10), forecast.expect("beam", 10);
  EXPECT_FALSE(forecast.knows({{"beam", 10, 20, 0, 0}}));
  const Forecast::Begun half{"beam", 10, 30, 0.5, 0};
  EXPECT_TRUE(forecast.knows({half}));
  EXPECT_PRED2(holds, forecast.left({half}, 1), 30 + 60 + 60);
  forecast.finished("beam", 10, 10);
  const Forecast::Begun old{"beam", 10, 100, 0, 0};  // ten times as old as the other became
  EXPECT_GE(forecast.left({old}, 2).low, 100.0 / 2) << "as long again, within a factor of 2";
  const Forecast::Begun waiting{"beam", 10, 1, 0.9, 40};
  EXPECT_GE(forecast.left({waiting}, 2).low, 40.0 / 2) << "so does the reference it waits for";
  const Forecast::Begun told{"beam", 10, 1, 0.9, 40, 0.1};
  EXPECT_GE(forecast.left({told}, 2).low, 40.0 * 9) << "or as it tells";
  const Forecast::Begun nearly{"beam", 10, 1, 0.9, 40, 0.99};
  EXPECT_LT(forecast.left({waiting, nearly}, 2).high, 40) << "which holds for who waits with it";
}

TEST(Forecast, KinsAreKindsProblemsAndPrecisions) {
  Cell cell;
  cell.problem = "swing(k=2)";
  Cell other = cell;
  other.problem = "swing(k=3)", other.method = "gauss(2)";
  EXPECT_EQ(Forecast::cost_class_of(cell), Forecast::cost_class_of(other));
  other.precision = "quad";
  EXPECT_NE(Forecast::cost_class_of(cell), Forecast::cost_class_of(other));
}

/// Cells of three cost classes whose rates are far apart and whose costs are guessed within a
/// factor of 2 (1.4 for those that do not tell their part), on some threads: every cell is taken as
/// the runner takes them, by a clock of our own.
class Simulation {
 public:
  Simulation(unsigned seed, unsigned threads, bool told) : threads_(threads), told_(told) {
    std::mt19937 draw(seed);
    const double doubt = told ? 1 : 0.5;  // without their part only the guess is known
    std::uniform_real_distribution<double> exponent(-doubt, doubt), size(0, 3);
    constexpr double rates[] = {1e-3, 1e-2, 5e-2};
    for (int i = 0; i < 120; ++i) {
      const int cost_class = i % 3;
      const double cost = std::pow(10, size(draw));
      cells_.push_back({std::string(1, static_cast<char>('a' + cost_class)), cost,
                        rates[cost_class] * cost * std::pow(2, exponent(draw))});
    }
    std::stable_sort(cells_.begin(), cells_.end(),
                     [](const Job& a, const Job& b) { return a.cost > b.cost; });
    std::set<std::string> seen;  // one of each cost class first, as run_cells takes them
    std::stable_partition(cells_.begin(), cells_.end(),
                          [&](const Job& job) { return seen.insert(job.cost_class).second; });
    for (const Job& job : cells_) forecast_.expect(job.cost_class, job.cost);
  }

  /// The end, after `look(now, told)` each second.
  template <class Look>
  double run(Look&& look) {
    constexpr double step = 0.1;
    std::vector<Working> working;
    std::size_t next = 0;
    for (double now = 0;; now += step) {
      std::erase_if(working, [&](const Working& one) {
        if (now < one.began + one.job->seconds) return false;
        forecast_.finished(one.job->cost_class, one.job->cost, one.job->seconds);
        return true;
      });
      while (working.size() < threads_ && next < cells_.size())
        working.push_back({&cells_[next++], now});
      if (working.empty()) return now;
      std::vector<Forecast::Begun> begun;
      for (const Working& one : working)
        begun.push_back({one.job->cost_class, one.job->cost, now - one.began,
                         told_ ? (now - one.began) / one.job->seconds : 0});
      if (forecast_.knows(begun)) look(now, forecast_.left(begun, threads_));
    }
  }

 private:
  struct Job {
    std::string cost_class;
    double cost, seconds;
  };
  struct Working {
    const Job* job;
    double began;
  };
  std::vector<Job> cells_;
  Forecast forecast_;
  unsigned threads_;
  bool told_;
};

TEST(Forecast, UnevenCellsAreForetoldWithinAFactorOfTwo) {
  for (const unsigned threads : {1U, 2U, 8U})
    for (const bool told : {true, false}) {
      if (!told && threads == 8) continue;  // one cell alone decides, and it says nothing
      for (unsigned seed = 1; seed <= 5; ++seed) {
        std::vector<std::pair<double, TimeSpan>> looks;
        const double end =
            Simulation(seed, threads, told).run([&](double now, const TimeSpan& left) {
              looks.emplace_back(now, left);
            });
        int checked = 0;
        for (const auto& [now, left] : looks) {
          if (now < 0.25 * end || now > 0.75 * end) continue;
          ++checked;
          EXPECT_LE(left.middle(), 2 * (end - now))
              << threads << told << seed << " at " << now / end;
          EXPECT_GE(left.middle(), (end - now) / 2)
              << threads << told << seed << " at " << now / end;
        }
        EXPECT_GT(checked, 10);
      }
    }
}

TEST(Runner, AForecastLearnsAndForgetsWhatIsRefused) {
  const test::ScratchFolder folder;
  std::vector<Cell> cells;
  for (const char* h : {"1/10", "1/11", "1/12"})
    cells.push_back(test::run_cell("two_link", "gauss(2)", "index1", h, "1"));
  const auto run = [](const Cell& cell) {
    if (cell.h[0] == "1/12") throw BadInput("no such step");
    return CellResult{};
  };
  const auto sources = [](const Cell&) { return std::string("s"); };
  const RunnerReport report = run_cells(cells, run, sources, CellCache(folder.path), {.jobs = 2});
  EXPECT_EQ(report.computed, 2);
  EXPECT_TRUE(report.forecast.knows());
  EXPECT_EQ(report.forecast.left({}, 2).high, 0) << "nothing more will come";
}

/// The cell that asks for a reference first computes it: the others of its cost class will not.
TEST(Runner, ReferencesAreNoPartOfWhatACellTakes) {
  const test::ScratchFolder folder;
  const Cell cell = test::run_cell("two_link", "gauss(2)", "index1", "1/10", "1");
  constexpr double reference_seconds = 0.3;
  const auto run = [&](const Cell&) {
    const SharedWork reference;
    std::this_thread::sleep_for(std::chrono::duration<double>(reference_seconds));
    return CellResult{};
  };
  const auto sources = [](const Cell&) { return std::string("s"); };
  RunnerReport report =
      run_cells(std::vector<Cell>{cell}, run, sources, CellCache(folder.path), {.jobs = 1});
  ASSERT_EQ(report.computed, 1);
  report.forecast.expect(Forecast::cost_class_of(cell), cost_guess(cell));
  EXPECT_LT(report.forecast.left({}, 1).high, reference_seconds / 2);
}

}  // namespace
}  // namespace daemark
