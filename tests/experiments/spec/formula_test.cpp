#include "experiments/spec/formula.hpp"

#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"

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
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      Formula::parse(text, "place");
    } catch (const BadInput& refused) {
      return refused.what();
    }
    return "";
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
  EXPECT_THROW(Formula::parse(std::string(5000, '(') + "1", "t"), BadInput);
  EXPECT_THROW(FilledText::parse("open {a", "t"), BadInput);
}

}  // namespace
}  // namespace daemark
