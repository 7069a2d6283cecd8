// The command printed beside a number gives that number.
#include <fmt/format.h>

#include <cmath>

#include "experiments/cells/support/cell_kind.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

/// Words as a shell reads them; what shell_word() writes: plain words and single quotes.
Words words_of(const std::string& command) {
  Words words;
  bool quoted = false, open = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (c != '\'') words.back() += c;
  }
  return words;
}

json output_of(const Cell& cell) {
  Words words = words_of(command(cell));
  EXPECT_EQ(words.front(), "daemark") << command(cell);
  words.erase(words.begin());
  words.emplace_back("--json");
  const Outcome outcome = call(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out);
}

Cell small(const std::string& kind) {
  Cell cell;
  cell.kind = kind;
  cell.problem = "two_link", cell.formulation = "index2", cell.method = "radau_iia(2)";
  cell.h = {"1/20"};
  cell.t_end = "1/2";
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
  Cell cell;
  cell.kind = "linear";
  cell.method = "bathe(rho=1/2)";
  const CellResult result = kind_of(cell).run(cell);
  const json shown = output_of(cell);
  EXPECT_EQ(shown["n"].get<double>(), result.measures.at("n"));
}

/// What the committed table of an item says is what its row gives.
TEST_F(Cli, MeasureGivesTheNumbersOfARow) {
  std::ifstream table(source_root() / "results" / "li2019" / "table1" / "table.csv");
  std::string committed;
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("h0_01,energy,")) committed = line;
  ASSERT_NE(committed, "");
  const json shown = value_of({"measure", "li2019/table1/h0_01", "--json"});
  EXPECT_EQ(shown["status"], "ok");
  EXPECT_THAT(committed, HasSubstr(fmt::format(
                             ",{:.4e},", shown["measures"]["energy_error_max"].get<double>())));
}

}  // namespace
}  // namespace daemark
