#include "experiments/judge/judge.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace daemark {
namespace {

// A build without SUNDIALS leaves a run where it starts: no error there, and nothing to judge by.
TEST(ResultValue, OfWhatIsNotAvailableIsNone) {
  CellResult result;
  result.measures["error_q_max"] = 0;
  result.counts["steps"] = 0;
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 1);
  result.status = "newton_diverged";
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 0);
  result.status = "not_available";
  for (const char* name : {"ok", "failed", "t_reached", "error_q_max", "steps"})
    EXPECT_FALSE(result_value(result, name)) << name;
  EXPECT_EQ(result_value(result, "status_not_available"), 1);
  EXPECT_EQ(result_value(result, "status_ok"), 0);
}

// A distance of 4.1234e-4 from a reference whose two routes are 4e-3 apart has no five digits, and
// does not decide which of two runs is nearer to it.
TEST(Judge, PrintsNoDigitsBeyondWhatAValueIsKnownTo) {
  const auto cell = [](const char* h) {
    Cell one;
    one.problem = "pendulum", one.formulation = "index1", one.method = "erk4";
    one.h = {h}, one.t_end = "1";
    return FixedCell(one);
  };
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
    row.id = id, row.cell = cell(h);
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

// The work of a sweep whose loosest run is better than asked is no more than a bound.
TEST(Judge, ABoundIsShownAsOne) {
  Cell cell;
  cell.problem = "pendulum", cell.formulation = "index1", cell.method = "erk4";
  cell.h = {"1/10"}, cell.t_end = "1";
  ItemSpec item;
  item.paper = "demo", item.id = "table";
  ColumnSpec work;
  work.id = "work", work.measure = Formula::parse("work_3", "test"), work.digits = 3;
  item.columns = {work};
  RowSpec row;
  row.id = "one", row.cell = FixedCell(cell);
  item.rows = {row};
  Results results;
  results[canonical(*row.cell)].measures = {{"work_3", 1234}};
  const std::vector<ItemSpec> items = {item};
  const auto shown = [&] {
    return Judge(items, results).judge(items[0]).rows[0].values.at("work");
  };
  EXPECT_EQ(shown().shown(), shown().measured);
  results[canonical(*row.cell)].measures["at_most_work_3"] = 1;
  EXPECT_TRUE(shown().at_most);
  EXPECT_EQ(shown().shown(), "≤ " + shown().measured);
}

}  // namespace
}  // namespace daemark
