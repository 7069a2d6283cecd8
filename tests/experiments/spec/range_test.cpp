#include "experiments/spec/range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daemark {
namespace {

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

}  // namespace
}  // namespace daemark
