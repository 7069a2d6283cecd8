#include "base/text/read_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daemark {
namespace {

using Limits = std::numeric_limits<double>;

// By the rules of IEEE 754: nearest double, subnormal below the least normal one, 0 below half the
// least subnormal one, infinite beyond the largest.
TEST(ReadDouble, TakesTheWholeRange) {
  EXPECT_EQ(read_double("0.5"), 0.5);
  EXPECT_EQ(read_double("+2e-1"), 0.2);
  EXPECT_EQ(read_double("4.9406564584124654e-324"), Limits::denorm_min());
  EXPECT_EQ(read_double("-2.2250738585072011e-308"), -2.2250738585072011e-308);
  EXPECT_EQ(read_double("1e-400"), 0);
  EXPECT_TRUE(std::signbit(*read_double("-1e-400")));
  EXPECT_EQ(read_double("1e400"), Limits::infinity());
  EXPECT_EQ(read_double("-0.001e+500"), -Limits::infinity());
  EXPECT_EQ(read_double("1000e-99999999999999999999"), 0);
  EXPECT_EQ(read_double("1e99999999999999999999"), Limits::infinity());
  EXPECT_EQ(read_double(std::string(400, '1')), Limits::infinity());
  EXPECT_EQ(read_double("0." + std::string(400, '0') + "1"), 0);
  EXPECT_TRUE(std::isnan(*read_double("nan")));
}

TEST(ReadDouble, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "+", "-", "x", "1x", "+-1", " 1", "1 "}) {
    EXPECT_EQ(read_double(text), std::nullopt) << text;
    EXPECT_THROW(double_of(text), std::invalid_argument) << text;
  }
  EXPECT_EQ(leading_double("1.5e3*x"), (std::pair<double, std::size_t>{1500, 5}));
  EXPECT_EQ(leading_double("x").second, 0u);
}

}  // namespace
}  // namespace daemark
