// Times told of work whose durations are known: no clock is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "experiments/terminal/progress_line.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double tick = 0.2;  // [s] between two looks

/// Work of `duration` seconds that has done part_at(t / duration); looks at it as the line does.
/// Calls `check(share of the time, told, true time left)` at each look.
void tell(double duration, const std::function<double(double)>& part_at,
          const std::function<void(double, const TimeSpan&, double)>& check) {
  TimeLeft left;
  left.hear(0, 0);
  for (double now = tick; now < duration; now += tick) {
    left.hear(now, part_at(now / duration));
    if (const auto told = left.at(now)) check(now / duration, *told, duration - now);
  }
}

TEST(TimeLeft, SteadyWorkIsKnownWithinAQuarter) {
  int looks = 0;
  tell(
      100, [](double x) { return x; },
      [&](double, const TimeSpan& told, double left) {
        ++looks;
        EXPECT_NEAR(told.low, left, 1e-9 * left);
        EXPECT_NEAR(told.high, 1.25 * left, 1e-9 * left);
      });
  EXPECT_GT(looks, 490);
}

/// Steps become dearer, or cheaper, by a power of the time; the part is told in `pieces`. Twenty
/// pieces of work that becomes cheaper cannot be known so well: at a quarter of the time with a
/// power of 3/2, where 2 pieces are told, (1 - 0.1)/rate is 2.0 times what is left, whatever the
/// window.
TEST(TimeLeft, UnevenWorkIsKnownWithinAFactorOfTwo) {
  for (const double power : {0.6, 1.0, 1.5})
    for (const int pieces : {1000, 20}) {
      if (power > 1 && pieces < 1000) continue;
      const auto part = [&](double x) { return std::floor(std::pow(x, power) * pieces) / pieces; };
      tell(60, part, [&](double x, const TimeSpan& told, double left) {
        if (x < 0.25 || x > 0.75) return;
        EXPECT_LE(told.middle(), 2 * left) << power << " " << pieces << " at " << x;
        EXPECT_GE(told.middle(), left / 2) << power << " " << pieces << " at " << x;
      });
    }
}

TEST(TimeLeft, NothingIsToldBelowWhatTheFasterRateAllows) {
  const auto part = [](double x) { return x < 0.5 ? 1.5 * x : 0.75 + 0.5 * (x - 0.5); };
  TimeLeft left;
  left.hear(0, 0);
  for (double now = tick; now < 100; now += tick) {
    left.hear(now, part(now / 100));
    const double fastest = 1.5 / 100;
    EXPECT_GE(left.at(now)->low, (1 - part(now / 100)) / fastest * (1 - 1e-9));
  }
}

TEST(TimeLeft, SilenceMakesItLonger) {
  TimeLeft left;
  left.hear(0, 0), left.hear(1, 0.5);
  double before = left.at(1)->low;
  for (double now = 2; now < 20; now += 1) {
    EXPECT_GT(left.at(now)->low, before);
    before = left.at(now)->low;
  }
  EXPECT_NEAR(left.at(20)->low, 20, 1e-9);
}

TEST(TimeLeft, NothingIsKnownBeforeAPartIsDone) {
  TimeLeft left;
  EXPECT_FALSE(left.at(5));
  left.hear(0, 0.3), left.hear(4, 0.3);
  EXPECT_FALSE(left.at(5));
  EXPECT_FALSE(left_at_rate(3, 0));
}

TEST(TimeLeft, TextsNameTheUncertainty) {
  EXPECT_EQ(text_of({0.2, 0.4}), "a moment");
  EXPECT_EQ(text_of({2.2, 2.9}), "about 3 s");
  EXPECT_EQ(text_of({1.5, 6.2}), "2 to 7 s");
  EXPECT_EQ(text_of({21, 44}), "25 to 45 s");
  EXPECT_EQ(text_of({118, 239}), "2 to 4 min");
  EXPECT_EQ(text_of({3000, 3700}), "50 to 65 min");
  EXPECT_EQ(text_of({5000, 20000}), "1.5 to 6 h");
  EXPECT_EQ(text_of({0.1, 30}), "5 to 30 s");
}

TEST(StatusLine, ShortensTheNameRatherThanTheTime) {
  const std::string text = "four_bar(loops=200,coordinates=absolute), integration: 3 %, 30 s left";
  EXPECT_EQ(fitted(text, 200), text);
  EXPECT_EQ(fitted(text, 50), "four_bar(loops=200,coordinates=...: 3 %, 30 s left");
  EXPECT_EQ(fitted("12/161 cells: 9 s, 30 s left; four_bar gauss(2)", 30),
            "12/161 cells: 9 s, 30 s left; ")
      << "a short name is left";
  EXPECT_EQ(fitted("at work", 3), "at ");
}

TEST(ProgressText, SaysWhatHowFarAndHowLong) {
  ProgressText text;
  EXPECT_EQ(text.at(1, "orders", -1), "orders: 1 s") << "the part is not known";
  EXPECT_THAT(text.at(10, "run", 0.25), HasSubstr("run: 25 %, 10 s, 30 to 40 s left"));
  EXPECT_THAT(text.at(30, "run", 0.75), HasSubstr("75 %, 30 s, 10 to 15 s left"));
  EXPECT_THAT(text.at(31, "second route", 0), Not(HasSubstr("left"))) << "other work";
  EXPECT_THAT(text.at(41, "second route", 0.5), HasSubstr("50 %, 41 s, 10 to 15 s left"));
  ProgressText later(0.5);
  EXPECT_THAT(later.at(10, "rest", 0.75), HasSubstr("10 to 15 s left"));
}

}  // namespace
}  // namespace daemark
