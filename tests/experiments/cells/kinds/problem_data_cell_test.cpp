// Papers' tables of data are judged by the numbers the model is built from.
#include "experiments/cells/kinds/problem_data_cell.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/judge/judge.hpp"

namespace daemark {
namespace {

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
