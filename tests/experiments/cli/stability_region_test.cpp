#include "experiments/cli/stability_region.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace daemark {
namespace {

TEST(RegionFigure, BoundaryAndOrderStarLieWhereTheyShould) {
  StabilityRegion region = region_asked("-3,3,-3,3", "r.svg");
  const double side = 6.0 / (region.columns - 1);
  fill_region("radau_iia(1)", region);
  const FigureSpec figure = region_figure(region, "radau_iia(1)");
  ASSERT_EQ(figure.panels.at(0).curves.size(), 3U);
  const auto ln_R = [](std::complex<double> z) { return -std::log(std::abs(1.0 - z)); };
  for (int which : {0, 1}) {  // |R| = 1, |R| = |exp z|
    const Curve& curve = figure.panels[0].curves[which];
    EXPECT_GT(curve.x.size(), 100U);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const std::complex<double> z(curve.x[i], curve.y[i]);
      if (!(std::abs(1.0 - z) > 0.3)) continue;  // a gap, or near the pole
      const double level = ln_R(z) - which * z.real();
      // linear interpolation: an eighth of the diagonal squared times |(ln R)''| = 1/|1 - z|^2
      EXPECT_LT(std::abs(level), side * side / 4 / std::norm(1.0 - z) * 1.5) << z;
    }
  }
  const Curve& dots = figure.panels[0].curves[2];
  for (std::size_t i = 0; i < dots.x.size(); ++i)
    EXPECT_GE(std::abs(1.0 - std::complex<double>(dots.x[i], dots.y[i])), 1);
}

}  // namespace
}  // namespace daemark
