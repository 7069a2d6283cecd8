// Cells that measure a history and those that look for the largest stable step.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "analysis/setup/bound_run.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/kinds/problem_data_cell.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "experiments/judge/judge.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

Cell swing() {
  Cell cell = test::run_cell("driven_pendulum", "gauss(2)", "index1", "1/10", "20");
  cell.kind = "motion";
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
  Cell cell = test::run_cell("heavy_top", "radau_iia(2)", "index3", "1/10", "1");
  cell.kind = "motion", cell.more = {{"history_every", 1}, {"frequencies", true}};
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
  Cell cell = test::run_cell("oscillator(omega=2)", "erk4", "minimal", "", "2000");
  cell.kind = "stability_limit", cell.h.clear();
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
  Cell cell = test::run_cell("four_bar(4)", "average_acceleration", "index3", "1/1000", "1/50");
  cell.kind = "step_work";
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

// Cells that set methods against each other.

using nlohmann::json;

/// The beam with one element until 0.02 s by several methods.
Cell beam(const json& runs) {
  Cell cell;
  cell.kind = "mutual";
  cell.problem = "beam_buckling(elements=1)", cell.formulation = "index3", cell.t_end = "1/50";
  cell.settings = {{"newton.tol", "1e-7"}};
  cell.more = {{"outputs", {"F3"}}, {"from", "0"}, {"split", "1/100"}, {"runs", runs}};
  return cell;
}

const json fine = {{"method", "lms(2,0)"}, {"h", "1/2000"}},
           coarse = {{"method", "msstc(3,0)"}, {"h", "3/1000"}, {"t_end", "21/1000"}};

std::vector<double> shear(const json& in) {
  RunRequest request;
  request.problem = "beam_buckling(elements=1)", request.formulation = "index3";
  request.method = in.at("method");
  request.h = Expression::parse(in.at("h").get<std::string>(), "h");
  request.t_end = Expression::parse(in.value("t_end", "1/50"), "t_end");
  request.settings = {{"newton.tol", "1e-7"}};
  return run_outputs(BoundRun(request), 0, 1).first.values.at("F3");
}

// Of 0, 3, …, 21 ms and 0, 0.5, …, 20 ms the first seven are common.
TEST(MutualCell, ComparesAtTheTimesThatBothHave) {
  const test::TemporaryResults results;
  const Cell cell = beam({{"fine", fine}, {"coarse", coarse}});
  const CellResult found = kind_of(cell).run(cell);
  ASSERT_TRUE(found.ok()) << found.why;
  for (const auto& [name, value] : found.measures) EXPECT_TRUE(can_measure(cell, name)) << name;
  const std::vector<double> x = shear(fine), y = shear(coarse);
  double off = 0, size = 0, most = 0, height = 0;
  for (int i = 0; i < 7; ++i) {
    off += std::pow(x[6 * i] - y[i], 2), size += (x[6 * i] * x[6 * i] + y[i] * y[i]) / 2;
    most = std::max(most, std::abs(x[6 * i] - y[i]));
  }
  for (const auto& values : {x, y})
    for (const double value : values) height = std::max(height, std::abs(value));
  EXPECT_DOUBLE_EQ(found.measures.at("mutual_F3"), std::sqrt(off / size));
  EXPECT_DOUBLE_EQ(found.measures.at("between_F3"), most / height);
  EXPECT_LE(found.measures.at("between_before_F3"), found.measures.at("between_F3"));
  EXPECT_EQ(found.measures.at("typical_F3"), found.measures.at("between_F3")) << "one pair";
  EXPECT_EQ(found.measures.at("compared"), 2);
}

TEST(MutualCell, IsTheFarthestPair) {
  const test::TemporaryResults results;
  const Cell same = beam({{"a", fine}, {"b", fine}});
  EXPECT_EQ(kind_of(same).run(same).measures.at("mutual_F3"), 0);
  const Cell two = beam({{"a", fine}, {"b", coarse}}),
             three = beam({{"a", fine}, {"b", coarse}, {"c", fine}});
  EXPECT_EQ(kind_of(two).run(two).measures.at("mutual_F3"),
            kind_of(three).run(three).measures.at("mutual_F3"));
}

TEST(MutualCell, LeavesOutWhatDoesNotReachTheEnd) {
  const test::TemporaryResults results;
  const json stopped = {{"method", "lms(2,0)"},
                        {"h", "1/100"},
                        {"settings", {{"newton.max", "1"}, {"newton.rescue", "off"}}}};
  const Cell cell = beam({{"a", fine}, {"b", coarse}, {"c", stopped}});
  EXPECT_EQ(kind_of(cell).run(cell).measures.at("compared"), 2);
}

TEST(MutualCell, BadInput) {
  const auto refused = [](const json& runs) {
    const Cell cell = beam(runs);
    EXPECT_THROW(kind_of(cell).check(cell), BadInput) << runs;
  };
  refused({{"alone", fine}});
  refused({{"a", fine}, {"b", {{"method", "lms(2,0)"}}}});
  refused({{"a", fine}, {"b", {{"method", "lms(2,0)"}, {"h", "1/100"}, {"tol", "1"}}}});
}

// Papers' tables of data are judged by the numbers the model is built from.

/// What a row measures, and how its item is judged, with one of its problem's data changed.
std::map<std::string, double> measured(const RowSpec& row,
                                       const std::optional<DatumChange>& change) {
  return problem_measures(problem_registry().make((*row.cell)->problem, change),
                          (*row.cell)->texts("data"));
}

/// A little larger.
StatedNumber moved(const Datum& datum, std::size_t number) {
  return "(" + datum.numbers[number].exact().text() + ")*1.0001+1/10^6";
}

ItemOutcome judged(const std::vector<ItemSpec>& items, const RowSpec& row,
                   const std::optional<DatumChange>& change) {
  Results results;
  CellResult& result = results[canonical(*row.cell)];
  result.measures = measured(row, change);
  return Judge(items, results).judge(items.front());
}

/// Of the printed number in a column, all editions.
std::vector<Verdict> verdicts(const ItemOutcome& outcome, const RowSpec& row,
                              const std::string& column) {
  std::vector<Verdict> all;
  for (const RowOutcome& judged : outcome.rows)
    if (judged.row->id == row.id)
      for (const NumberOutcome& number : judged.values.at(column).numbers)
        all.push_back(number.judgement.verdict);
  return all;
}

/// Whether some change of the number, with which the mechanism can still be put together, turns the
/// verdict.
bool turns(const std::vector<ItemSpec>& items, const RowSpec& row, const std::string& column,
           const Datum& datum, std::size_t number) {
  const auto before = verdicts(judged(items, row, {}), row, column);
  EXPECT_FALSE(before.empty());
  std::vector<std::string> others{row.printed.at(column).begin()->second};
  for (const char* factor : {"1.01", "1.13", "0.87", "1.5", "0.5"})
    others.push_back("(" + datum.numbers[number].exact().text() + ")*" + factor);
  for (const std::string& other : others) {
    try {
      const DatumChange change{datum.name, number, StatedNumber(other)};
      if (verdicts(judged(items, row, change), row, column) != before) return true;
    } catch (const BadInput&) {
      continue;
    }
  }
  return false;
}

TEST(ProblemDataCell, EveryPrintedNumberIsJudgedByTheModelsOwn) {
  int printed = 0;
  for (const auto& folder : std::filesystem::directory_iterator(source_root() / "experiments")) {
    if (!std::filesystem::exists(folder.path() / "paper.json")) continue;
    const PaperSpec paper = read_paper(folder.path());
    for (const std::string& id : paper.items) {
      const std::vector<ItemSpec> items{read_item(folder.path() / (id + ".json"), paper)};
      for (const RowSpec& row : items.front().rows) {
        if (!row.cell || (*row.cell)->kind != "problem_data") continue;
        const Problem problem = problem_registry().make((*row.cell)->problem);
        std::size_t place = 0;
        for (const std::string& name : (*row.cell)->texts("data"))
          for (const Datum& datum : problem.data) {
            if (datum.name != name) continue;
            for (std::size_t i = 0; i < datum.numbers.size(); ++i) {
              const std::string measure = "data_" + std::to_string(++place);
              for (const ColumnSpec& column : items.front().columns)
                if (column.measure.text() == measure && row.printed.count(column.id) > 0) {
                  ++printed;
                  // A printed 0 stands for ±1/2 m, more than the mechanism is large.
                  if (datum.numbers[i].value() != 0) {
                    EXPECT_TRUE(turns(items, row, column.id, datum, i))
                        << id << ", " << row.id << ", " << column.id;
                  }
                  EXPECT_NE(measured(row, DatumChange{name, i, moved(datum, i)}).at(measure),
                            measured(row, {}).at(measure));
                }
            }
          }
      }
    }
  }
  EXPECT_GT(printed, 0);
}

TEST(ProblemDataCell, AddsWhatTheBuiltMechanismHas) {
  const auto top = problem_measures(problem_registry().make("heavy_top"), {"m"});
  EXPECT_EQ(top.at("data_1"), 15);
  EXPECT_EQ(top.at("mass_x"), 15);
  EXPECT_EQ(top.at("start_y"), 1);
  EXPECT_THROW(problem_measures(problem_registry().make("heavy_top"), {"mass"}), BadInput);
}

}  // namespace
}  // namespace daemark
