// The league's rows and what it says of them.
#include "experiments/league/league.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/league/findings.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LeagueRow row(const std::string& program, const std::string& variant, const std::string& step,
              double error_q, const std::string& problem = "two_link") {
  return {program, "1.0",   variant,     problem, "1",  step, true, "ok",
          "",      error_q, 2 * error_q, 1e-3,    1e-9, 100,  400};
}

LeagueSpec spec() {
  LeagueSpec s;
  s.problems = {{"two_link", {"1"}, {}}, {"pendulum", {"1"}, {}}, {"chain", {"1"}, {}}};
  s.tolerances = {"1/1000", "1/1000000"};
  s.steps = {"1/10", "1/100"};
  s.figure_problems = {};
  return s;
}

std::string written(const std::vector<LeagueRow>& rows) {
  const test::TemporaryResults results;
  write_league(spec(), rows, {{"a", "rk4", "two_link", 3.14}}, results_root());
  return read_text(results_root() / "league" / "league.md").value();
}

TEST(League, KeepsItsRows) {
  const test::TemporaryResults results;
  std::vector<LeagueRow> rows = {row("a", "rk4", "1/10", 1e-3), row("b", "x", "1/10", NAN)};
  rows[1].status = "aborted", rows[1].why = "by signal 6, \"NaN\"";
  write_league_rows(rows, results_root());
  const std::vector<LeagueRow> read = read_league_rows(results_root());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].error_q, 1e-3);
  EXPECT_EQ(read[0].evaluations, 400);
  EXPECT_TRUE(std::isnan(read[1].error_q));
  EXPECT_EQ(read[1].why, rows[1].why);
  write_if_changed(results_root() / "league" / "runs.csv", "a,b\n");
  EXPECT_THROW(read_league_rows(results_root()), BadInput);
}

TEST(League, ShowsOrdersAndCosts) {
  const std::string text = written({row("a", "rk4", "1/10", 1e-3), row("a", "rk4", "1/100", 1e-7)});
  EXPECT_THAT(text, HasSubstr("| a rk4"));
  EXPECT_THAT(text, HasSubstr("| 1.0e-03 "));
  EXPECT_THAT(text, HasSubstr("| 4.0 "));
  EXPECT_THAT(text, HasSubstr("| 3.1 "));
  EXPECT_THAT(text, Not(HasSubstr("What stands out")));
}

TEST(League, NamesProgramsThatErrAlike) {
  const std::string text =
      written({row("a", "euler", "1/100", 2.0509692e-1), row("b", "euler", "1/100", 2.0509693e-1),
               row("b", "other", "1/100", 2.06e-1)});
  EXPECT_THAT(text, HasSubstr("two_link, h = 1/100: a euler, b euler err by the same 2.05"));
  EXPECT_THAT(text, Not(HasSubstr("b other err")));
}

TEST(League, NamesWhatConvergesToSomethingElse) {
  const std::string text =
      written({row("a", "euler", "1/10", 2e-3), row("a", "euler", "1/100", 2e-3),
               row("b", "x", "1/10", 1e-4), row("b", "x", "1/100", 1e-6)});
  EXPECT_THAT(text, HasSubstr("the error of a (euler) does not fall with the step: 2.0e-03"));
  EXPECT_THAT(text, Not(HasSubstr("the error of b")));
}

TEST(League, NamesOrdersThatAreLostOnSomeMechanisms) {
  const std::string text = written(
      {row("a", "rk4", "1/10", 1e-4), row("a", "rk4", "1/100", 1e-8),
       row("a", "rk4", "1/10", 1e-4, "pendulum"), row("a", "rk4", "1/100", 1e-6, "pendulum"),
       row("b", "rk4", "1/100", 1e-6, "pendulum"), row("a", "rk4", "1/10", 1e-4, "chain"),
       row("a", "rk4", "1/100", 1e-9, "chain")});
  // 5 on the chain may be that of steps too large; b errs by the same.
  EXPECT_THAT(text, HasSubstr("a rk4: order 4.0 on two_link, but 2.0 on pendulum (as b rk4, to "
                              "six digits)."));
}

TEST(League, NamesEnergyWithoutBoundAndLongerMotions) {
  std::vector<LeagueRow> rows;
  for (const char* name : {"a", "b", "c", "d"}) rows.push_back(row(name, "x", "1/100", 1e-3));
  rows[3].energy = 2e11, rows[3].error_q = 2;
  EXPECT_THAT(written(rows), HasSubstr("two_link, h = 1/100: energy is wrong by up to 2e+11 J in "
                                       "d x, by 1e-03 J in the middle of all."));
  LeagueSpec longer = spec();
  longer.problems[0].ends.push_back("10");
  rows = {row("daemark", "erk4, index1", "1/10", 0.5), row("a", "x", "1/10", 1e-5)};
  for (LeagueRow& one : rows) one.t_end = "10";
  EXPECT_THAT(league_findings(longer, rows),
              ::testing::Contains("two_link, 10 s, h = 1/10: erk4, index1 errs by 5.0e-01, where "
                                  "a x errs by 1.0e-05."));
}

TEST(League, ItsFileIsRead) {
  const LeagueSpec all = read_league();
  EXPECT_GE(all.problems.size(), 8u);
  for (const LeagueEntry& entry : league_entries(all, {}))
    EXPECT_FALSE(league_cells(all, entry).empty()) << entry.variant;
}

}  // namespace
}  // namespace daemark
