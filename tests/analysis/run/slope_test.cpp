#include "analysis/run/slope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

TEST(Slope, OfAPowerIsItsExponent) {
  for (double order : {1.0, 2.0, 5.0, 8.5}) {
    const auto h = steps(5);
    const SlopeFit fit = fit_slope(h, errors(h, order));
    EXPECT_NEAR(fit.slope, order, 1e-12);
    EXPECT_EQ(fit.used, std::vector<bool>(5, true));
  }
}

TEST(Slope, DoesNotDependOnTheOrderOfSteps) {
  auto h = steps(6);
  h[2] *= 1.3;
  auto e = errors(h, 3, 1e-12);
  const double forward = fit_slope(h, e).slope;
  std::reverse(h.begin(), h.end());
  std::reverse(e.begin(), e.end());
  EXPECT_DOUBLE_EQ(fit_slope(h, e).slope, forward);
}

TEST(Slope, LeavesTheRoundOffFloorOut) {
  const auto h = steps(10);
  const double floor = 1e-11;
  const SlopeFit fit = fit_slope(h, errors(h, 4, floor));
  EXPECT_NEAR(fit.slope, 4, 0.1);
  for (std::size_t i = 0; i < h.size(); ++i)
    if (3 * std::pow(h[i], 4) < floor) {
      EXPECT_FALSE(fit.used[i]) << i;
    }
  EXPECT_TRUE(fit.used[0]);
}

TEST(Slope, LeavesThePreAsymptoticPartOut) {
  const auto h = steps(6);
  auto e = errors(h, 4);
  e[0] = e[1] * 1.1;  // the first step is far too coarse
  const SlopeFit fit = fit_slope(h, e);
  EXPECT_NEAR(fit.slope, 4, 1e-9);
  EXPECT_FALSE(fit.used[0]);
}

TEST(Slope, LeavesFailedRunsOut) {
  const auto h = steps(5);
  auto e = errors(h, 2);
  e[0] = nan;
  e[2] = nan;
  const SlopeFit fit = fit_slope(h, e);
  EXPECT_NEAR(fit.slope, 2, 1e-12);
  EXPECT_EQ(fit.used, (std::vector<bool>{false, true, false, true, true}));
}

TEST(Slope, IsUndefinedWithoutTwoPoints) {
  EXPECT_TRUE(std::isnan(fit_slope({}, {}).slope));
  EXPECT_TRUE(std::isnan(fit_slope({0.1}, {1e-3}).slope));
  EXPECT_TRUE(std::isnan(fit_slope({0.1, 0.05}, {nan, 1e-3}).slope));
  EXPECT_TRUE(std::isnan(fit_slope({0.1, 0.05}, {0, 0}).slope));
  EXPECT_TRUE(std::isnan(fit_slope({0.1, 0.05, 0.025}, {1e-13, 1e-13, 2e-13}).slope))
      << "all on the floor";
}

}  // namespace
}  // namespace daemark
