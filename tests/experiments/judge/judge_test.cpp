#include "experiments/judge/judge.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "experiments/spec/names.hpp"

namespace daemark {
namespace {

/// It makes no first guess.
Cell explicit_run(const char* h) {
  Cell cell;
  cell.problem = "pendulum", cell.formulation = "index1", cell.method = "erk4";
  cell.h = {h}, cell.t_end = "1";
  return cell;
}

/// An item of one row with one column.
ItemSpec one_number(const ColumnSpec& column) {
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  item.columns = {column};
  RowSpec row;
  row.id = "row", row.cell = explicit_run("1/10");
  item.rows = {row};
  return item;
}

// What a machine or a set-up ended measures nothing: a build without SUNDIALS leaves a run where it
// starts, without an error.
TEST(ResultValue, OfAStatusThatIsNoOutcomeIsNone) {
  CellResult result;
  result.measures["error_q_max"] = 0;
  result.counts["steps"] = 0;
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 1);
  result.status = "newton_diverged";
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 0);
  result.status = "refused";  // a method that does not apply, as claims say of some
  EXPECT_EQ(result_value(result, "failed"), 1);
  for (const char* status : {"timed_out", "out_of_memory", "not_available", "no_reference",
                             "no_event", "a status of later"}) {
    result.status = status;
    for (const char* name : {"ok", "failed", "t_reached", "error_q_max", "steps", "status_ok"})
      EXPECT_FALSE(result_value(result, name)) << status << ", " << name;
  }
}

// A distance of 4.1234e-4 from a reference whose two routes are 4e-3 apart has no five digits, and
// does not decide which of two runs is nearer to it.
TEST(Judge, PrintsNoDigitsBeyondWhatAValueIsKnownTo) {
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  ColumnSpec error;
  error.id = "error", error.measure = Formula::parse("error_q", "test");
  error.known_to = Formula::parse("2*apart", "test");
  item.columns = {error};
  Results results;
  for (const auto& [id, h, value, apart] :
       {std::tuple("near", "1/10", 4.1234e-4, 2e-3), std::tuple("far", "1/20", 8.1234e-2, 2e-3)}) {
    RowSpec row;
    row.id = id, row.cell = explicit_run(h);
    item.rows.push_back(row);
    results[canonical(*row.cell)].measures = {{"error_q", value}, {"apart", apart}};
  }
  const std::vector<ItemSpec> items = {item};
  const ItemOutcome outcome = Judge(items, results).judge(items[0]);
  const ValueOutcome &near = outcome.rows[0].values.at("error"),
                     &far = outcome.rows[1].values.at("error");
  EXPECT_EQ(near.floor, 4e-3);
  EXPECT_EQ(near.measured, claimed_digits(4.1234e-4, 4e-3));
  EXPECT_LT(near.measured.size(), claimed_digits(4.1234e-4, {}).size());
  EXPECT_EQ(far.measured, "0.0812");  // the last digit is not below a tenth of the floor
}

// "Fails" is said of a method only where every first guess fails.
TEST(Judge, AnEndThatHangsOnTheGuessDecidesNothing) {
  Cell cell;
  cell.problem = "pendulum", cell.formulation = "index3", cell.method = "radau_iia(2)";
  cell.h = {"1/10"}, cell.t_end = "1", cell.settings = {{"predictor", "hermite2"}};
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  RowSpec row;
  row.id = "radau", row.cell = cell;
  item.rows = {row};
  ClaimSpec claim;
  claim.id = "fails", claim.conditions = {Formula::parse("radau.failed > 0", "test")};
  item.claims = {claim};
  std::vector<ItemSpec> items = {item};
  add_other_guesses(items);
  ASSERT_EQ(items[0].other_guesses.size(), 3u);
  EXPECT_EQ(cells_of(items[0]).size(), 4u);
  Results results;
  results[canonical(*row.cell)].status = "newton_diverged";
  const auto verdict = [&] { return Judge(items, results).judge(items[0]).claims[0]; };
  EXPECT_EQ(verdict().verdict, Verdict::undetermined) << "the other guesses were not run";
  for (const SecondRoute& guess : items[0].other_guesses)
    results[canonical(guess.cell)].status = "newton_diverged";
  EXPECT_EQ(verdict().verdict, Verdict::holds);
  results[canonical(items[0].other_guesses[0].cell)].status = "not_finite";
  EXPECT_EQ(verdict().verdict, Verdict::holds) << "another way of failing";
  results[canonical(items[0].other_guesses[0].cell)].status = "ok";
  EXPECT_EQ(verdict().verdict, Verdict::undetermined);
  EXPECT_NE(verdict().evidence.find("ok with constant"), std::string::npos) << verdict().evidence;
}

TEST(OtherGuesses, AreOfRunsThatGuess) {
  Cell cell = explicit_run("1/10");
  EXPECT_TRUE(other_guesses(cell).empty());
  cell.method = "gauss(2)";
  const auto guesses = other_guesses(cell);
  ASSERT_EQ(guesses.size(), 3u);
  for (const SecondRoute& guess : guesses) EXPECT_NE(canonical(guess.cell), canonical(cell));
}

// 4503.5 beside a printed 4503.477 would look as if the two agreed.
TEST(Judge, ShowsAsManyDigitsAsArePrinted) {
  ColumnSpec omega;
  omega.id = "omega", omega.measure = Formula::parse("omega", "test");
  ItemSpec item = one_number(omega);
  Results results;
  results[canonical(*item.rows[0].cell)].measures = {{"omega", 4503.4541}};
  const auto shown = [&] {
    const std::vector<ItemSpec> items = {item};
    return Judge(items, results).judge(items[0]).rows[0].values.at("omega").measured;
  };
  EXPECT_EQ(shown(), "4503.5");
  item.rows[0].printed["omega"]["en"] = "4503.477";
  EXPECT_EQ(shown(), "4503.454");
  item.rows[0].printed["omega"]["en"] = "4.5e3";
  EXPECT_EQ(shown(), "4503.5");
}

// The work of a sweep whose loosest run is better than asked is no more than a bound.
TEST(Judge, ABoundIsShownAsOne) {
  ColumnSpec work;
  work.id = "work", work.measure = Formula::parse("work_3", "test"), work.digits = 3;
  const ItemSpec item = one_number(work);
  Results results;
  results[canonical(*item.rows[0].cell)].measures = {{"work_3", 1234}};
  const std::vector<ItemSpec> items = {item};
  const auto shown = [&] {
    return Judge(items, results).judge(items[0]).rows[0].values.at("work");
  };
  EXPECT_EQ(shown().shown(), shown().measured);
  results[canonical(*item.rows[0].cell)].measures["at_most_work_3"] = 1;
  EXPECT_TRUE(shown().at_most);
  EXPECT_EQ(shown().shown(), "≤ " + shown().measured);
}

}  // namespace
}  // namespace daemark
