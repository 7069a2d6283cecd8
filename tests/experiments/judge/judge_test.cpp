#include "experiments/judge/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "experiments/spec/names.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark {
namespace {

/// It makes no first guess.
Cell explicit_run(const char* h) { return test::run_cell("pendulum", "erk4", "index1", h, "1"); }

RowSpec row_of(const std::string& id, const Cell& cell) {
  RowSpec row;
  row.id = id, row.cell = cell;
  return row;
}

ColumnSpec column_of(const std::string& id, const std::string& measure) {
  ColumnSpec column;
  column.id = id, column.measure = Formula::parse(measure, "test");
  return column;
}

/// An item of one row with one column.
ItemSpec one_number(const ColumnSpec& column) {
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  item.columns = {column};
  item.rows = {row_of("row", explicit_run("1/10"))};
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
  ColumnSpec error = column_of("error", "error_q");
  error.known_to = Formula::parse("2*apart", "test");
  ItemSpec item = one_number(error);
  item.rows.clear();
  Results results;
  for (const auto& [id, h, value, apart] :
       {std::tuple("near", "1/10", 4.1234e-4, 2e-3), std::tuple("far", "1/20", 8.1234e-2, 2e-3)}) {
    item.rows.push_back(row_of(id, explicit_run(h)));
    results[canonical(explicit_run(h))].measures = {{"error_q", value}, {"apart", apart}};
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
  Cell cell = test::run_cell("pendulum", "radau_iia(2)", "index3", "1/10", "1");
  cell.settings = {{"predictor", "hermite2"}};
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  item.rows = {row_of("radau", cell)};
  ClaimSpec claim;
  claim.id = "fails", claim.conditions = {Formula::parse("radau.failed > 0", "test")};
  item.claims = {claim};
  std::vector<ItemSpec> items = {item};
  add_other_guesses(items);
  ASSERT_EQ(items[0].other_guesses.size(), 3u);
  EXPECT_EQ(cells_of(items[0]).size(), 4u);
  Results results;
  results[canonical(cell)].status = "newton_diverged";
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
  ItemSpec item = one_number(column_of("omega", "omega"));
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
  ColumnSpec work = column_of("work", "work_3");
  work.digits = 3;
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

// Claims on synthetic measurements: thresholds of ours with their distance, floors that decide
// nothing, hostile values.

using Measured = Conditions::Measured;

Conditions conditions(const ClaimSpec& claim, const std::map<std::string, Measured>& values) {
  return {claim, [&](const std::string& name) {
            const auto found = values.find(name);
            return found == values.end() ? Measured{} : found->second;
          }};
}

ClaimSpec claim(const std::vector<std::string>& texts, std::vector<ThresholdSpec> thresholds = {}) {
  ClaimSpec claim{"c", "a sentence", {}, {}, std::move(thresholds), ""};
  for (const std::string& text : texts) claim.conditions.push_back(Formula::parse(text, "test"));
  return claim;
}

const std::map<std::string, Measured> values = {
    {"a.x", {1.0}},
    {"b.x", {6.0}},
    {"c.x", {30.0}},
    {"d.x", {1e-15, 1e-12}},
    {"e.x", {3e-15, 1e-12}},
    {"nan.x", {std::nan("")}},
    {"inf.x", {std::numeric_limits<double>::infinity()}}};

TEST(Conditions, AThresholdIsShownWithWhereItTurnsTheVerdict) {
  // b/a = 6, c/b = 5: both conditions hold below 5, one of them below 6, none above.
  const ClaimSpec factor =
      claim({"obvious*a.x < b.x", "obvious*b.x < c.x"}, {{"obvious", 3, {2, 5.5, 10}}});
  const Conditions found = conditions(factor, values);
  EXPECT_EQ(found.verdict(), Verdict::holds);
  EXPECT_EQ(found.verdict(0, 5.5), Verdict::holds_partly);
  EXPECT_EQ(found.verdict(0, 10), Verdict::fails);
  ASSERT_EQ(found.distances().size(), 1u);
  EXPECT_EQ(found.distances()[0],
            "threshold obvious = 3 (ours): holds_partly at 5 and above (factor 1.67); of the "
            "plausible 2, 5.5, 10 turned by 5.5: holds_partly, 10: fails");
}

TEST(Conditions, ATurnIsFoundOnBothSides) {
  const ClaimSpec about = claim({"a.x > low", "b.x/low < 20"}, {{"low", 0.5, {0.4}}});
  const Conditions found = conditions(about, values);
  EXPECT_EQ(found.verdict(), Verdict::holds);
  const std::string line = found.distances()[0];
  EXPECT_NE(line.find("holds_partly at 0.3 and below (factor 1.67)"), std::string::npos) << line;
  EXPECT_NE(line.find("holds_partly at 1 and above (factor 2)"), std::string::npos) << line;
  EXPECT_NE(line.find("plausible 0.4 too: the same verdict"), std::string::npos) << line;
}

TEST(Conditions, AVerdictThatNoThresholdTurnsSaysSo) {
  const ClaimSpec far = claim({"t*a.x < inf.x"}, {{"t", 3, {}}});
  EXPECT_EQ(conditions(far, values).distances()[0],
            "threshold t = 3 (ours): no other within a factor 1000 turns the verdict");
}

TEST(Conditions, ABareNumberIsShownWithTheNearestMeasuredValue) {
  const Conditions found =
      conditions(claim({"a.x < 4", "b.x < 7", "b.x > a.x", "c.x == 30"}), values);
  ASSERT_EQ(found.distances().size(), 1u);
  EXPECT_EQ(found.distances()[0],
            "the measure nearest to its bound: 6 against 7, 0.857 times it [b.x < 7]");
  EXPECT_TRUE(conditions(claim({"a.x > 1e-9"}), values).distances().empty()) << "far away";
  // Signs, equalities, pairs of measured values and counts have no distance.
  EXPECT_TRUE(conditions(claim({"a.x > 0", "a.x < b.x", "a.x == 1"}), values).distances().empty());
  EXPECT_TRUE(conditions(claim({"(a.x < b.x) + (b.x < c.x) >= 1"}), values).distances().empty());
}

TEST(Conditions, DigitsShowOnWhichSideOfTheThresholdAValueLies) {
  const ClaimSpec close = claim({"a.x < t"}, {{"t", 1.0000001, {}}});
  EXPECT_NE(conditions(close, values).distances()[0].find("at 1 and below (factor 1.0000001)"),
            std::string::npos)
      << conditions(close, values).distances()[0];
}

TEST(Conditions, ALongFormulaIsCutBetweenNames) {
  const std::string long_name(90, 'n');
  const std::string text = "a.x < b.x < " + long_name + "_and_more.x";
  EXPECT_EQ(evidence_line(conditions(claim({text}), values).outcomes()),
            "open: 1 < 6 < ? [a.x < b.x < …]");
  const std::string one_name = std::string(120, 'n') + ".x";
  EXPECT_EQ(evidence_line(conditions(claim({one_name + " < a.x"}), values).outcomes()),
            "open: ? < 1 [" + one_name + " …]");
}

TEST(Conditions, CountsAreShownInFull) {
  const std::map<std::string, Measured> counts = {{"a.steps", {2177}}, {"b.steps", {19990}}};
  const Conditions found = conditions(claim({"a.steps < b.steps < 1e12"}), counts);
  EXPECT_EQ(evidence_line(found.outcomes()),
            "true: 2177 < 19990 < 1e+12 [a.steps < b.steps < 1e12]");
  EXPECT_EQ(four_digits(123456), "123456");
  EXPECT_EQ(four_digits(123456.5), "1.235e+05");
}

TEST(Conditions, WhatIsOpenIsNamed) {
  EXPECT_EQ(
      evidence_line(
          conditions(claim({"a.x < b.x", "a.x < none.x", "b.x < none.y"}), values).outcomes()),
      "1 of 3 conditions are true, 2 open; open: 1 < ? [a.x < none.x]; 6 < ? [b.x < none.y]");
}

TEST(Conditions, TwoFloorsComparedDecideNothing) {
  const Conditions found = conditions(claim({"d.x < e.x", "e.x < d.x", "a.x < b.x"}), values);
  EXPECT_EQ(found.verdict(), Verdict::holds) << "the two orders of floors are passed over";
  EXPECT_TRUE(found.outcomes()[0].floors);
  EXPECT_EQ(found.outcomes()[0].truth, std::nullopt);
  EXPECT_EQ(evidence_line(found.outcomes()),
            "1 of 1 conditions that decide are true, 2 compare floors and decide nothing");
}

TEST(Conditions, FloorsBoundAndCountsDecide) {
  const struct {
    std::vector<std::string> conditions;
    Verdict verdict;
    std::vector<ThresholdSpec> thresholds;
  } cases[] = {
      // 3e-15 with a floor of 1e-12: it satisfies 4e-15, and misses 2e-15 by round-off only.
      {{"e.x <= 4e-15"}, Verdict::holds, {}},
      {{"e.x <= 2e-15"}, Verdict::undetermined, {}},
      {{"2e-15 > e.x"}, Verdict::undetermined, {}},
      {{"e.x > 2e-12"}, Verdict::fails, {}},
      {{"a.x <= 1e-15"}, Verdict::fails, {}},
      {{"e.x <= 2e-15", "a.x < 4"}, Verdict::holds, {}},
      {{"d.x < a.x"}, Verdict::holds, {}},
      {{"d.x < 1e-3"}, Verdict::holds, {}},
      // In a chain the pair of floors is passed over, the others decide.
      {{"a.x > e.x > d.x"}, Verdict::holds, {}},
      {{"a.x > d.x > e.x"}, Verdict::holds, {}},
      {{"a.x < d.x < e.x"}, Verdict::fails, {}},
      // A factor makes no number of a floor.
      {{"d.x < e.x"}, Verdict::undetermined, {}},
      {{"3*d.x < t*e.x"}, Verdict::undetermined, {{"t", 2, {}}}},
      // A count that would need to rank floors is no count; one that does not is.
      {{"(d.x < e.x) + (a.x < b.x) >= 2"}, Verdict::undetermined, {}},
      {{"(d.x < e.x) + (a.x < b.x) >= 1"}, Verdict::holds, {}},
      {{"(a.x < b.x) + (b.x < c.x) + (c.x < a.x) > m*3"}, Verdict::holds, {{"m", 0.5, {0.75}}}},
      {{"(a.x < b.x) + (b.x < c.x) + (c.x < a.x) > m*3"}, Verdict::fails, {{"m", 0.75, {}}}},
      {{"(c.x < a.x) + (a.x < b.x) >= 1"}, Verdict::holds, {}}};
  for (const auto& [texts, verdict, thresholds] : cases)
    EXPECT_EQ(conditions(claim(texts, thresholds), values).verdict(), verdict) << texts[0];
}

TEST(Conditions, MissingValuesAndNaNLeaveItOpen) {
  for (const char* text : {"none.x < 1", "nan.x < 1", "a.x < 0/0"}) {
    const Conditions found = conditions(claim({text, "a.x < t"}, {{"t", 2, {3}}}), values);
    EXPECT_EQ(found.verdict(), Verdict::undetermined) << text;
    EXPECT_TRUE(found.distances().empty()) << text;
    EXPECT_FALSE(found.outcomes()[0].floors) << text;
  }
  EXPECT_EQ(conditions(claim({}), values).verdict(), Verdict::undetermined);
}

}  // namespace
}  // namespace daemark
