#include "analysis/run/slope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace daemark {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> steps(int count) {
  std::vector<double> h;
  for (int i = 0; i < count; ++i) h.push_back(std::ldexp(0.1, -i));
  return h;
}

std::vector<double> errors(const std::vector<double>& h, double order, double floor = 0) {
  std::vector<double> e;
  for (double x : h) e.push_back(3 * std::pow(x, order) + floor);
  return e;
}

/// Round-off of a quantity of size 1 over 1 s in an arithmetic of that unit.
RoundOff round_off(double unit, int power = 1) { return {unit, 1, 1, power, 0}; }
const RoundOff none = round_off(0);

TEST(Slope, OfAPowerIsItsExponent) {
  for (double order : {1.0, 2.0, 5.0, 8.5}) {
    const auto h = steps(5);
    const SlopeFit fit = fit_slope(h, errors(h, order), none);
    EXPECT_NEAR(fit.slope, order, 1e-12);
    EXPECT_NEAR(fit.least, order, 1e-12);
    EXPECT_NEAR(fit.most, order, 1e-12);
    EXPECT_EQ(fit.used, std::vector<bool>(5, true));
    EXPECT_EQ(fit.verdict, SlopeVerdict::asymptotic);
  }
}

TEST(Slope, DoesNotDependOnTheOrderOfSteps) {
  auto h = steps(6);
  h[2] *= 1.3;
  auto e = errors(h, 3, 1e-12);
  const double forward = fit_slope(h, e, round_off(1e-16)).slope;
  std::reverse(h.begin(), h.end());
  std::reverse(e.begin(), e.end());
  EXPECT_DOUBLE_EQ(fit_slope(h, e, round_off(1e-16)).slope, forward);
}

TEST(Slope, LeavesTheRoundOffFloorOut) {
  const auto h = steps(10);
  const double floor = 1e-11;
  const SlopeFit fit = fit_slope(h, errors(h, 4, floor), round_off(1e-14));
  EXPECT_NEAR(fit.slope, 4, 0.1);
  for (std::size_t i = 0; i < h.size(); ++i)
    if (3 * std::pow(h[i], 4) < floor) {
      EXPECT_TRUE(fit.floor[i]) << i;
    }
  EXPECT_TRUE(fit.used[0]);
}

/// Errors of real studies, whose slope is told without any of them on a floor.
struct MeasuredErrors {
  const char* of;
  std::vector<double> e;
  double slope, within;
};

// On index 3 with Newton's tolerance 1e-3: pade_block(4, 2), q and v, where a bound of 1e-4 covers
// all but two points, a step in between falls behind the coarser ones, and finer ones go on
// falling; theta2 of pade_block(3, 1), whose error passes a sign change, slope 8 between coarse
// steps.
TEST(Slope, NeitherASmallerSlopeNorASteepPartMakesAFloor) {
  const std::vector<double> h = {0.05, 0.04, 0.025, 0.02, 0.01, 0.005, 0.004, 0.0025, 0.002, 0.001};
  const MeasuredErrors all[] = {{"q",
                                 {3.7378e-4, 7.6901e-4, 6.8114e-5, 2.3431e-5, 1.0092e-6, 3.4070e-8,
                                  1.1267e-8, 1.0849e-9, 3.5622e-10, 1.1148e-11},
                                 5,
                                 0.06},
                                {"v",
                                 {2.9109e-3, 1.8404e-3, 1.7652e-4, 5.7258e-5, 2.8618e-6, 1.9647e-7,
                                  8.3899e-8, 1.3728e-8, 5.7612e-9, 3.7179e-10},
                                 4,
                                 0.1},
                                {"theta2",
                                 {1.604e-3, 2.601e-4, 1.865e-5, 7.141e-6, 1.623e-6, 4.335e-7,
                                  2.486e-7, 7.089e-8, 3.809e-8, 5.223e-9},
                                 2.8,
                                 0.1}};
  for (const MeasuredErrors& one : all) {
    SCOPED_TRACE(one.of);
    const SlopeFit fit = fit_slope(h, one.e, {1.1e-16, 1, 1, 1, 1e-6});
    EXPECT_EQ(fit.verdict, SlopeVerdict::asymptotic);
    EXPECT_NEAR(fit.slope, one.slope, one.within);
    EXPECT_EQ(std::count(fit.floor.begin(), fit.floor.end(), true), 0);
    EXPECT_TRUE(fit.used.back());
  }
}

// The same numbers in an arithmetic that cannot explain them: the error has stopped falling.
TEST(Slope, StagnationAboveRoundOffIsNoConvergence) {
  const auto h = steps(10);
  const SlopeFit fit = fit_slope(h, errors(h, 4, 1e-9), round_off(1e-34));
  EXPECT_EQ(fit.verdict, SlopeVerdict::no_convergence);
  ASSERT_GE(fit.doubtful, 0);
  // A run in the next precision that is far better at the doubtful point makes it a floor.
  std::vector<double> finer(h.size(), nan);
  finer[static_cast<std::size_t>(fit.doubtful)] = 1e-12;
  const SlopeFit told = fit_slope(h, errors(h, 4, 1e-9), round_off(1e-34), finer);
  EXPECT_EQ(told.verdict, SlopeVerdict::asymptotic);
  EXPECT_NEAR(told.slope, 4, 0.25);
  // One that gives the same error does not.
  finer[static_cast<std::size_t>(fit.doubtful)] = 1e-9;
  EXPECT_EQ(fit_slope(h, errors(h, 4, 1e-9), round_off(1e-34), finer).verdict,
            SlopeVerdict::no_convergence);
}

TEST(Slope, LeavesThePreAsymptoticPartOut) {
  const auto h = steps(6);
  auto e = errors(h, 4);
  e[0] = e[1] * 1.1;  // the first step is far too coarse
  const SlopeFit fit = fit_slope(h, e, none);
  EXPECT_NEAR(fit.slope, 4, 1e-9);
  EXPECT_FALSE(fit.used[0]);
}

// Local slopes 8.3, 8, 6: the order does not show yet, and no number is claimed to be it.
TEST(Slope, SaysWhereTheRangeIsPreAsymptotic) {
  const std::vector<double> h = steps(4);
  const std::vector<double> e = {1, std::exp2(-8.3), std::exp2(-16.3), std::exp2(-22.3)};
  const SlopeFit fit = fit_slope(h, e, round_off(1e-34));
  EXPECT_EQ(fit.verdict, SlopeVerdict::pre_asymptotic);
  EXPECT_NEAR(fit.slope, 6, 1e-9);
  EXPECT_NEAR(fit.most, 8, 1e-9);
}

// gauss(3) on the pendulum, index 2, q: the middle error is round-off that happens to be smaller
// than the next; from it and the one before it a slope 4.7 was told.
TEST(Slope, AnErrorBelowOneOfTheFloorIsOnTheFloor) {
  const std::vector<double> h = {1. / 160, 1. / 320, 1. / 640};
  const std::vector<double> e = {2.983e-14, 1.146e-15, 8.3027e-15};
  const SlopeFit fit = fit_slope(h, e, {1.1e-16, 1, 1, 1, 0});
  EXPECT_EQ(fit.verdict, SlopeVerdict::round_off);
  EXPECT_TRUE(std::isnan(fit.slope));
  EXPECT_EQ(fit.floor, (std::vector<bool>{false, true, true}));
}

// The last error is an eighth of the trend's, of the size of one rounding a step.
TEST(Slope, AnErrorSmallByChanceInRoundOffEntersNoSlope) {
  const auto h = steps(5);
  auto e = errors(h, 4);
  e[4] /= 8;
  RoundOff covers = round_off(1e-16);
  while (covers.bound(h[4]) < 100 * e[4]) covers.unit *= 2;
  ASSERT_LT(covers.bound(h[2]), e[2]);
  const SlopeFit fit = fit_slope(h, e, covers);
  EXPECT_FALSE(fit.used[4]);
  EXPECT_NEAR(fit.slope, 4, 1e-12);
  EXPECT_GT(fit_slope(h, e, none).slope, 6) << "far above round-off it counts";
}

// Steady local slopes of 0.44: no order is seen, though they agree.
TEST(Slope, ASteadySlopeBelowOneHalfIsNoOrder) {
  const std::vector<double> h = steps(5);
  EXPECT_EQ(fit_slope(h, errors(h, 0.44), none).verdict, SlopeVerdict::pre_asymptotic);
  EXPECT_EQ(fit_slope(h, errors(h, 0.9), none).verdict, SlopeVerdict::asymptotic);
}

TEST(Slope, LeavesFailedRunsOut) {
  const auto h = steps(5);
  auto e = errors(h, 2);
  e[0] = nan;
  e[2] = nan;
  const SlopeFit fit = fit_slope(h, e, none);
  EXPECT_NEAR(fit.slope, 2, 1e-12);
  EXPECT_EQ(fit.used, (std::vector<bool>{false, true, false, true, true}));
}

TEST(Slope, IsUndefinedWithoutTwoPoints) {
  const auto slope = [](const std::vector<double>& h, const std::vector<double>& e) {
    return fit_slope(h, e, round_off(1e-16)).slope;
  };
  EXPECT_TRUE(std::isnan(slope({}, {})));
  EXPECT_TRUE(std::isnan(slope({0.1}, {1e-3})));
  EXPECT_TRUE(std::isnan(slope({0.1, 0.05}, {nan, 1e-3})));
  EXPECT_TRUE(std::isnan(slope({0.1, 0.05}, {0, 0})));
  EXPECT_TRUE(std::isnan(slope({0.1, 0.05, 0.025}, {1e-14, 1e-14, 2e-14}))) << "on the floor";
  EXPECT_EQ(fit_slope({0.1, 0.05}, {1e-2, 1e-3}, none).verdict, SlopeVerdict::too_few);
}

TEST(RoundOff, GrowsWithEveryDifferentiation) {
  // q, v, λ where positions, velocities, accelerations are constrained.
  const int expected[3][3] = {{1, 2, 3}, {1, 1, 2}, {1, 1, 1}};
  for (int index : {3, 2, 1})
    for (int level : {0, 1, 2})
      EXPECT_EQ(round_off_power(level, index), expected[3 - index][level]);
  const RoundOff lambda{1e-16, 5, 2, 3, 0};
  EXPECT_DOUBLE_EQ(lambda.bound(0.02), 100 * 1e-16 * 5 * 1e6);
}

/// C h^p + D h^q + stagnation, and round-off of known size on top.
struct Synthetic {
  int p, more;
  double C, D, stagnation;
  RoundOff arithmetic;
  std::vector<double> h, smooth, noise, error;
};

Synthetic draw(std::mt19937_64& random, bool stagnating) {
  const auto uniform = [&](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  };
  Synthetic s;
  s.p = std::uniform_int_distribution<int>(1, 8)(random);
  s.more = std::uniform_int_distribution<int>(1, 4)(random);
  s.C = std::exp(uniform(-3, 3));
  s.h = steps(std::uniform_int_distribution<int>(4, 9)(random));
  s.arithmetic = {uniform(0, 1) < 0.5 ? 1.1e-16 : 9.6e-35, std::exp(uniform(-3, 3)), 1,
                  std::uniform_int_distribution<int>(1, 3)(random), 0};
  // At most a quarter of the first term at the finest step: else h^q is what the steps show.
  s.D = s.C * uniform(0, 0.25) / std::pow(s.h.back(), s.more);
  s.stagnation = 0;
  const auto falling = [&](double h) {
    return s.C * std::pow(h, s.p) + s.D * std::pow(h, s.p + s.more);
  };
  if (stagnating)  // above round-off, and above the falling part of the three finest steps
    s.stagnation = 100 * std::max(falling(s.h[s.h.size() - 3]), s.arithmetic.bound(s.h.back()));
  for (double h : s.h) {
    const double smooth = falling(h) + s.stagnation;
    // A step makes fewer roundings than the hundred the bound allows.
    const double noise = s.arithmetic.bound(h) * uniform(-1, 1) / 30;
    s.smooth.push_back(smooth);
    s.noise.push_back(noise);
    s.error.push_back(std::abs(smooth + noise));
  }
  return s;
}

constexpr int draws = 4000;

// What is called a floor is one, whatever the data: below the bound, and round-off makes up more of
// the error than the smooth part loses in a step.
TEST(SlopeProperties, FloorsAreRoundOff) {
  std::mt19937_64 random(20240611);
  int floors = 0;
  for (int i = 0; i < draws; ++i) {
    const Synthetic s = draw(random, i % 4 == 0);
    const SlopeFit fit = fit_slope(s.h, s.error, s.arithmetic);
    for (std::size_t k = 0; k < s.h.size(); ++k) {
      if (!fit.floor[k]) continue;
      ++floors;
      EXPECT_LE(s.error[k], s.arithmetic.bound(s.h[k])) << i;
      EXPECT_FALSE(fit.used[k]) << i;
    }
  }
  EXPECT_GT(floors, draws / 4);
}

// Where a slope is called asymptotic it rounds to the order: at the finest step the second term is
// at most a quarter of the first, which moves a local slope by at most log2 1.5/1.25 = 0.26; noise
// of up to a thirtieth of the bound moves errors above the bound by 7 % a pair, 0.1.
TEST(SlopeProperties, AsymptoticSlopesAreTheOrder) {
  std::mt19937_64 random(20240612);
  int told = 0;
  for (int i = 0; i < draws; ++i) {
    const Synthetic s = draw(random, false);
    const SlopeFit fit = fit_slope(s.h, s.error, s.arithmetic);
    if (fit.verdict != SlopeVerdict::asymptotic) continue;
    std::size_t finest = 0;
    for (std::size_t k = 0; k < s.h.size(); ++k)
      if (fit.used[k]) finest = k;
    // Fewer usable steps may end where the second term still rules.
    const double ratio = s.D / s.C * std::pow(s.h[finest], s.more);
    if (ratio > 0.25 || s.error[finest] < s.arithmetic.bound(s.h[finest])) continue;
    ++told;
    EXPECT_NEAR(fit.slope, s.p, 0.5) << i << ": p = " << s.p << ", q = p + " << s.more;
    EXPECT_LE(fit.least, fit.slope + 1e-12);
    EXPECT_GE(fit.most, fit.slope - 1e-12);
    EXPECT_GE(fit.points(), 3);
  }
  EXPECT_GT(told, draws / 8);
}

TEST(SlopeProperties, StagnationIsSeen) {
  std::mt19937_64 random(20240613);
  for (int i = 0; i < draws; ++i) {
    const Synthetic s = draw(random, true);
    const SlopeFit fit = fit_slope(s.h, s.error, s.arithmetic);
    EXPECT_EQ(fit.verdict, SlopeVerdict::no_convergence) << i;
    EXPECT_EQ(std::count(fit.floor.begin(), fit.floor.end(), true), 0) << i;
    EXPECT_LT(std::abs(fit.slope), 0.3) << i;
  }
}

// gauss(2) on index 1 with h from 1/10000: all noise, q falls by chance.
TEST(Slope, FallingNoiseIsToldByTheNextPrecision) {
  const std::vector<double> h = {1e-4, 5e-5, 2.5e-5}, q = {1.3e-14, 6.7e-15, 4.0e-16};
  const SlopeFit first = fit_slope(h, q, round_off(1.1e-16));
  ASSERT_EQ(first.doubtful, 0);
  const SlopeFit noise = fit_slope(h, q, round_off(1.1e-16), {2e-18, nan, nan});
  EXPECT_EQ(noise.verdict, SlopeVerdict::round_off);
  EXPECT_EQ(noise.floor, std::vector<bool>(3, true));
  const SlopeFit real = fit_slope(h, q, round_off(1.1e-16), {1.3e-14, nan, nan});
  EXPECT_EQ(real.verdict, SlopeVerdict::pre_asymptotic);
  EXPECT_EQ(real.points(), 3);
}

// The bound of multipliers on index 3, 100 eps N^3, is far above what they show: an error that
// stops falling below it may be the method's own.
TEST(Slope, AWideBoundIsAskedOfTheNextPrecision) {
  const auto h = steps(7);
  const double stops = 1e-7;
  const auto e = errors(h, 3, stops);
  const RoundOff wide = round_off(1.1e-16, 3);
  ASSERT_GT(wide.bound(h[6]), stops);
  ASSERT_LT(wide.least_bound(h[6]), stops);
  const SlopeFit first = fit_slope(h, e, wide);
  ASSERT_GE(first.doubtful, 0);
  std::vector<double> finer(h.size(), nan);
  const auto k = static_cast<std::size_t>(first.doubtful);
  EXPECT_TRUE(first.floor[k]);
  finer[k] = e[k];
  const SlopeFit own = fit_slope(h, e, wide, finer);
  EXPECT_EQ(std::count(own.floor.begin(), own.floor.end(), true), 0);
  finer[k] = e[k] - stops;
  EXPECT_TRUE(fit_slope(h, e, wide, finer).floor[k]);
}

// Where the reference is known to few digits no run can tell its error from one of its own.
TEST(Slope, WhatTheReferenceDoesNotKnowIsAFloor) {
  const auto h = steps(10);
  const auto e = errors(h, 3, 1e-7);
  RoundOff known = round_off(1.1e-16);
  ASSERT_EQ(fit_slope(h, e, known).verdict, SlopeVerdict::no_convergence);
  known.reference = 2e-7;
  for (const bool told : {false, true}) {  // the next precision has the same reference
    const SlopeFit fit = fit_slope(h, e, known, std::vector<double>(h.size(), told ? 1e-7 : nan));
    EXPECT_EQ(fit.verdict, SlopeVerdict::asymptotic);
    EXPECT_NEAR(fit.slope, 3, 0.1);
    EXPECT_TRUE(fit.floor.back());
    EXPECT_EQ(fit.doubtful, -1);
  }
}

}  // namespace
}  // namespace daemark
