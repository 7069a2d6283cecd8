#include "experiments/spec/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/text/bad_input.hpp"
#include "experiments/spec/names.hpp"
#include "experiments/spec/range.hpp"
#include "tests/experiments/fake_paper.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

std::optional<double> eval(const std::string& text) {
  return Formula::parse(text, "t").eval([](const std::string& name) -> std::optional<double> {
    if (name == "a.b") return 2;
    if (name == "c") return 3;
    return std::nullopt;
  });
}

TEST(Formula, Arithmetic) {
  EXPECT_DOUBLE_EQ(*eval("1 + 2*3 - 4/2"), 5);
  EXPECT_DOUBLE_EQ(*eval("-2^2"), -4);
  EXPECT_DOUBLE_EQ(*eval("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(*eval("(a.b + c)*1e-1"), 0.5);
  EXPECT_DOUBLE_EQ(*eval("max(a.b, c, 1) - min(a.b, c) + abs(-1)"), 2);
  EXPECT_DOUBLE_EQ(*eval("log10(100) + sqrt(c^2)"), 5);
}

TEST(Formula, LengthAndDepthAreBounded) {
  const auto refusal = [](const std::string& text) {
    return test::refusal([&] { Formula::parse(text, "place"); });
  };
  const auto chain = [](int terms) {
    std::string text = "1";
    for (int i = 1; i < terms; ++i) text += "+1";
    return text;
  };
  EXPECT_DOUBLE_EQ(*eval(chain(900)), 900);
  EXPECT_NE(refusal(chain(2000)).find("1000 operations"), std::string::npos);
  EXPECT_NE(refusal(chain(60000)).find("10000 characters"), std::string::npos);
  EXPECT_LT(refusal(chain(60000)).size(), 600U);  // the text is not repeated in full
  EXPECT_NE(refusal(std::string(5000, '(')).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(std::string(5000, '-') + "1").find("nested deeper"), std::string::npos);
}

TEST(Formula, ComparisonsChainAndMissingNamesStayOpen) {
  EXPECT_EQ(eval("1 < a.b < c"), 1.0);
  EXPECT_EQ(eval("1 < c < a.b"), 0.0);
  EXPECT_EQ(eval("c >= 3"), 1.0);
  EXPECT_EQ(eval("c != 3"), 0.0);
  EXPECT_EQ(eval("d < 3"), std::nullopt);
  EXPECT_EQ(eval("0/0 < 3"), std::nullopt);
  EXPECT_TRUE(Formula::parse("a < b", "t").is_comparison());
  EXPECT_FALSE(Formula::parse("a + b", "t").is_comparison());
}

TEST(Formula, WhatIsThereDecidesWhereTheMissingCannot) {
  const auto decided = [](const char* text) {
    const Formula formula = Formula::parse(text, "t");
    std::vector<std::optional<double>> values;  // "gone" has none, the others 2
    for (const std::string& name : formula.names())
      values.push_back(name == "gone" ? std::nullopt : std::optional(2.0));
    return formula.decide(values, std::vector(values.size(), Formula::Kind::measured)).truth;
  };
  EXPECT_EQ(decided("max(a, gone) > 1"), true);
  EXPECT_EQ(decided("max(a, gone) <= 1"), false);
  EXPECT_EQ(decided("max(a, gone) < 3"), std::nullopt) << "the missing one may be larger";
  EXPECT_EQ(decided("min(a, gone) < 3"), true);
  EXPECT_EQ(decided("min(a, gone) > 1"), std::nullopt);
  EXPECT_EQ(decided("max(a, gone) > 1.1*min(1, gone)"), true);
  EXPECT_EQ(decided("(a > 1) + (a > 0) + (gone > 0) >= 2"), true) << "two of three are enough";
  EXPECT_EQ(decided("(a > 1) + (a > 3) + (gone > 0) >= 2"), std::nullopt);
  EXPECT_EQ(decided("(a > 5) + (a > 3) + (gone > 0) >= 2"), false);
  EXPECT_EQ(decided("gone < a < 1"), false) << "one link of a chain refutes it";
  EXPECT_EQ(decided("gone - gone < 1"), std::nullopt);
  EXPECT_EQ(decided("max(0/0, gone) > 1"), std::nullopt);
}

TEST(Formula, ShowsItsValues) {
  const auto lookup = [](const std::string& name) -> std::optional<double> {
    return name == "x" ? std::optional(1.5) : std::nullopt;
  };
  const auto show = [](double) { return std::string("S"); };
  EXPECT_EQ(Formula::parse("x < 2*y", "t").with_values(lookup, show), "S < 2*?");
  const FilledText text = FilledText::parse("it is {x + 1}, {y}.", "t");
  EXPECT_EQ(text.formulas().size(), 2u);
  EXPECT_EQ(text.with_values(lookup, show), "it is S, not available.");
  EXPECT_EQ(FilledText::parse("no value", "t").with_values(lookup, show), "no value");
}

TEST(Formula, ShowsTheSidesOfAComparison) {
  const auto lookup = [](const std::string& name) -> std::optional<double> {
    if (name == "a") return 1.0;
    if (name == "b") return 1.000012;
    return std::nullopt;
  };
  const auto sides = [&](const char* text) {
    const Formula formula = Formula::parse(text, "t");
    std::vector<std::optional<double>> values;
    for (const std::string& name : formula.names()) values.push_back(lookup(name));
    return formula.sides(values);
  };
  EXPECT_EQ(sides("2*a < min(3, 4)"), "2 < 3");
  EXPECT_EQ(sides("b <= a"), "1.00001 <= 1") << "digits enough to see why it is false";
  EXPECT_EQ(sides("a < c"), "1 < ?");
  EXPECT_EQ(sides("max(b, c) > a"), "1.00001 or more > 1");
  EXPECT_EQ(sides("min(a, c) > b"), "1 or less > 1");
  EXPECT_EQ(sides("1 < 2*a < 3"), "1 < 2 < 3");
}

TEST(Formula, MalformedOnesAreRefused) {
  for (const char* text : {"", "a <", "(a", "a b", "foo(1)", "log(1, 2)", "1 +* 2", "a & b", "#"}) {
    EXPECT_THROW(Formula::parse(text, "t"), BadInput) << text;
  }
  EXPECT_THROW(FilledText::parse("open {a", "t"), BadInput);
}

constexpr double inf = std::numeric_limits<double>::infinity();
const Range missing, two = Range::of(2), some{1, 3};

void expect_range(const Range& range, double low, double high) {
  EXPECT_EQ(range.low, low);
  EXPECT_EQ(range.high, high);
}

TEST(Range, BoundsHoldEveryValueOfTheParts) {
  // Every operation at values inside the arguments' bounds lies inside the result's.
  const std::vector<Range> ranges = {missing,       two,          some,
                                     Range{-3, -1}, Range{-1, 2}, Range::of(-2)};
  for (const char* op : {"+", "-", "*", "/", "^", "min", "max", "neg", "abs", "log", "sqrt"}) {
    for (const Range& a : ranges) {
      for (const Range& b : ranges) {
        const bool single = std::string(op).size() > 1 && op[0] != 'm';
        const Range bounds = combine(op, single ? std::vector{a} : std::vector{a, b});
        for (const double x : {-50.0, -3.0, -2.0, -1.0, 0.5, 1.0, 2.0, 3.0, 50.0}) {
          for (const double y : {-50.0, -3.0, -2.0, -1.0, 0.5, 1.0, 2.0, 3.0, 50.0}) {
            if (x < a.low || x > a.high || y < b.low || y > b.high) continue;
            const auto of = [](double v) { return Range::of(v); };
            const Range exact =
                combine(op, single ? std::vector{of(x)} : std::vector{of(x), of(y)});
            if (std::isnan(exact.low)) continue;
            EXPECT_LE(bounds.low, exact.low) << x << op << y;
            EXPECT_GE(bounds.high, exact.low) << x << op << y;
          }
        }
      }
    }
  }
}

TEST(Range, KnowsAsMuchAsClaimsAsk) {
  expect_range(combine("max", {missing, two}), 2, inf);
  expect_range(combine("min", {missing, two}), -inf, 2);
  expect_range(combine("*", {Range::of(-2), some}), -6, -2);
  expect_range(combine("/", {some, two}), 0.5, 1.5);
  expect_range(combine("-", {two, some}), -1, 1);
  expect_range(combine("abs", {Range{-3, 1}}), 0, 3);
  EXPECT_TRUE(std::isnan(combine("sqrt", {Range::of(-1)}).low));
}

TEST(Range, AnInfiniteBoundDecidesNothing) {
  EXPECT_EQ(compare("<=", missing, Range::of(inf)), std::nullopt);
  EXPECT_EQ(compare("<", Range::of(1), Range::of(inf)), true) << "an infinite value does";
  EXPECT_EQ(compare("==", Range{3, inf}, two), false);
  EXPECT_EQ(compare("!=", Range{3, inf}, two), true);
  EXPECT_EQ(compare("<", some, two), std::nullopt);
  EXPECT_EQ(compare("<=", some, Range::of(3)), true) << "bounds that touch decide <= and >";
  EXPECT_EQ(compare(">", some, Range::of(3)), false);
  EXPECT_EQ(compare(">=", some, Range::of(1)), true);
  EXPECT_EQ(compare("<", some, Range::of(1)), false);
  EXPECT_EQ(compare("<", some, Range::of(3)), std::nullopt);
  EXPECT_EQ(compare("<", Range::of(std::nan("")), two), std::nullopt);
}

// What an experiment may name: measures, units, keys of the kind of a cell.

using testing::HasSubstr;

/// What is said against an item of one row of a run; "accepted" if nothing.
std::string said(const std::string& column, const std::string& cell,
                 const std::string& claim = "") {
  const test::ScratchFolder scratch;
  test::write_paper(scratch.path);
  const auto folder = scratch.path / "experiments" / "demo";
  test::write_text(folder / "table1.json",
                   R"({"kind":"table","title":"T","columns":[)" + column +
                       R"(],"rows":[{"id":"a","label":"A","cell":{"problem":"pendulum",)" +
                       R"x("formulation":"index3","method":"gauss(2)","h":"1/10","t_end":"1")x" +
                       cell + "}}]" + claim + "}");
  return test::refusal([&] {
    const ItemSpec item = read_item(folder / "table1.json", read_paper(folder));
    check_names({item}, item);
  });
}

const std::string energy = R"({"id":"e","label":"energy","unit":"J","measure":"energy_error_max"})";

TEST(Names, AColumnHasTheUnitOfItsMeasure) {
  EXPECT_EQ(said(energy, ""), "accepted");
  EXPECT_THAT(said(R"({"id":"e","label":"e","unit":"m","measure":"energy_error_max"})", ""),
              HasSubstr("column e: unit 'm'; accepted: 'J', the unit of energy_error_max"));
  EXPECT_THAT(said(R"({"id":"n","label":"n","unit":"s","measure":"steps"})", ""),
              HasSubstr("accepted: ''"));
  // A formula has a unit of its own, and what a constraint is of differs from problem to problem.
  EXPECT_EQ(said(R"({"id":"e","label":"e","unit":"mJ","measure":"1000*energy_error_max"})", ""),
            "accepted");
  EXPECT_EQ(said(R"({"id":"e","label":"e","unit":"m²","measure":"position_violation_max"})", ""),
            "accepted");
}

TEST(Names, WhatARowCannotGiveIsRefusedWithWhatItGives) {
  const auto claim = [](const std::string& condition) {
    return R"(,"claims":[{"id":"c","text":"t","where":{"en":"p. 1"},"conditions":[")" + condition +
           R"("]}])";
  };
  EXPECT_EQ(said(energy, "", claim("a.energy_error_max < 1")), "accepted");
  const std::string refusal = said(energy, "", claim("a.energy_error_maximum < 1"));
  EXPECT_THAT(refusal, HasSubstr("'a.energy_error_maximum' is nothing that this row's run can"));
  EXPECT_THAT(refusal, HasSubstr("energy_error_{max,final}"));
  EXPECT_THAT(said(energy, "", claim("b.energy_error_max < 1")), HasSubstr("no row with a cell"));
  // Where one key of the cell is all that is missing, it is named.
  const std::string errors = R"(for error_q the cell needs "errors": true)";
  EXPECT_THAT(said(energy, "", claim("a.error_q < 1")), HasSubstr(errors));
  EXPECT_EQ(said(energy, R"(,"errors":true)", claim("a.error_q < 1")), "accepted");
  EXPECT_THAT(said(R"({"id":"q","label":"q","measure":"2*error_q"})", ""), HasSubstr(errors));
  EXPECT_THAT(said(energy, "", claim("a.slope_q < 1")), HasSubstr("two step sizes or more in"));
  EXPECT_THAT(said(energy, R"(,"kind":"motion","history_every":1)", claim("a.largest_x < 1")),
              HasSubstr(R"(needs "largest": ["x"])"));
}

TEST(Names, AKeyOfAnotherKindIsRefused) {
  EXPECT_EQ(said(energy, R"(,"errors":true)"), "accepted");
  EXPECT_THAT(said(energy, R"(,"tols":["1e-3"])"),
              HasSubstr("cell: key 'tols' is not of kind 'integration'; accepted: method"));
}

}  // namespace
}  // namespace daemark
