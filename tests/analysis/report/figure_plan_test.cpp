// Ranges, ticks, thinning and colours of figures; the SVG of gnuplot made small.
#include "analysis/report/figure_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace daemark {
namespace {

AxisPlan planned(const Axis& axis, double lo, double hi, double pixels) {
  DataRange range;
  range.take(lo, axis.log);
  range.take(hi, axis.log);
  AxisPlan plan = axis_range(axis, range, 0, "test");
  axis_ticks(plan, axis, pixels, 50);
  return plan;
}

std::vector<std::string> labels(const AxisPlan& plan) {
  std::vector<std::string> texts;
  for (const Tick& tick : plan.ticks) {
    if (!tick.minor) texts.push_back(tick.label);
  }
  return texts;
}

TEST(FigureAxis, RoundTicksWithOneNumberOfDecimals) {
  const AxisPlan plan = planned({"t", "s", false, {}, {}}, -1, 1, 250);
  EXPECT_EQ(labels(plan), (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(plan.label, "t [s]");
}

TEST(FigureAxis, SmallNumbersPutThePowerIntoTheUnit) {
  const AxisPlan plan = planned({"energy error", "J", false, {}, {}}, 0, 4e-13, 250);
  EXPECT_EQ(plan.label, "energy error [10⁻¹³ J]");
  EXPECT_EQ(labels(plan), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_NEAR(plan.fraction(2e-13), 0.5, 1e-12);
}

TEST(FigureAxis, LogTicksAreDecadesWithoutOverlap) {
  const AxisPlan few = planned({"h", "s", true, {}, {}}, 1e-3, 1e-1, 300);
  EXPECT_EQ(labels(few), (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹"}));
  const AxisPlan many = planned({"e", "", true, {}, {}}, 1e-300, 1e300, 300);
  EXPECT_LE(labels(many).size(), 7u);
  EXPECT_GE(labels(many).size(), 3u);
  const AxisPlan within = planned({"h", "s", true, {}, {}}, 2e-3, 8e-3, 300);
  EXPECT_EQ(labels(within), (std::vector<std::string>{"2·10⁻³", "5·10⁻³"}));
}

TEST(FigureAxis, AShortLogAxisHasTwoNumbersAtLeast) {
  const AxisPlan one_decade = planned({"h", "s", true, {}, {}}, 0.6e-2, 8e-2, 100);
  EXPECT_EQ(labels(one_decade), (std::vector<std::string>{"10⁻²", "2·10⁻²", "5·10⁻²"}));
  const AxisPlan less = planned({"error", "", true, {}, {}}, 3.5e-4, 4.8e-4, 300);
  EXPECT_EQ(labels(less), (std::vector<std::string>{"3.5·10⁻⁴", "4.0·10⁻⁴", "4.5·10⁻⁴"}));
  for (const Tick& tick : less.ticks)
    EXPECT_NEAR(std::stod(tick.label.substr(0, 3)), 1e4 * tick.at, 1e-9);
  const AxisPlan near_one = planned({"S/N", "", true, {}, {}}, 1.01, 1.04, 100);
  EXPECT_EQ(labels(near_one), (std::vector<std::string>{"1.02", "1.04"}));
}

TEST(FigureAxis, RoundOffOnAConstantIsNotBlownUp) {
  const AxisPlan plan = planned({"E", "J", false, {}, {}}, 29.43, 29.43 + 1e-12, 250);
  EXPECT_LT(plan.lo, 28);
  EXPECT_GT(plan.hi, 30);
}

TEST(FigureAxis, EqualScaleMakesUnitsEquallyLong) {
  AxisPlan x = planned({"x", "m", false, {}, {}}, -2, 2, 400);
  AxisPlan y = planned({"y", "m", false, {}, {}}, -3, 0, 200);
  equalise(x, y, 400, 200);
  EXPECT_DOUBLE_EQ(400 / (x.hi - x.lo), 200 / (y.hi - y.lo));
  EXPECT_LE(x.lo, -2);
  EXPECT_GE(x.hi, 2);
}

TEST(FigureData, ThinningKeepsEndsAndTheFarthestPoints) {
  Curve curve;
  for (int i = 0; i <= 10000; ++i) {
    curve.x.push_back(i / 10000.0);
    curve.y.push_back(i == 4321 ? 1.0 : 1e-6 * (i % 7));
  }
  AxisPlan unit;
  const std::vector<Polyline> lines = drawable(curve, unit, unit, 100);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0].x.size(), 102u);
  EXPECT_EQ(lines[0].x.front(), 0);
  EXPECT_EQ(lines[0].x.back(), 1);
  EXPECT_EQ(*std::max_element(lines[0].y.begin(), lines[0].y.end()), 1.0);
  EXPECT_EQ(drawable(curve, unit, unit, 20000)[0].x.size(), 10001u) << "short curves stay whole";
}

TEST(FigureData, GapsSplitTheCurve) {
  Curve curve;
  curve.x = {0, 1, 2, 3, 4, 5};
  curve.y = {NAN, 1, 2, INFINITY, 3, NAN};
  AxisPlan axis;
  const std::vector<Polyline> lines = drawable(curve, axis, axis, 100);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(lines[1].x, (std::vector<double>{4}));
}

Curve named(const std::string& label, const std::string& name = "") {
  Curve curve;
  curve.label = label;
  curve.name = name;
  return curve;
}

std::vector<std::vector<int>> colours(const FigureSpec& figure) {
  std::vector<std::vector<int>> out;
  for (const Panel& panel : with_colours(figure).panels) {
    out.emplace_back();
    for (const Curve& curve : panel.curves) out.back().push_back(curve.colour);
  }
  return out;
}

TEST(FigureColours, ANameKeepsItsColourFromPanelToPanel) {
  FigureSpec figure;
  figure.panels.resize(3);
  figure.panels[0].curves = {named("a"), named("b"), named("reference")};
  figure.panels[1].curves = {named("reference"), named("c"), named("b, slope 2", "b")};
  figure.panels[2].curves = {named(""), named("")};
  EXPECT_EQ(colours(figure), (std::vector<std::vector<int>>{{0, 1, 2}, {2, 0, 1}, {0, 1}}));
  figure.panels[0].curves[2].colour = 5;  // as asked for
  EXPECT_EQ(colours(figure), (std::vector<std::vector<int>>{{0, 1, 5}, {5, 0, 1}, {0, 1}}));
}

/// Of gnuplot's form, but for its titles.
std::string tidied_svg(const std::string& drawing) {
  return tidy_svg("<svg \n>\n<g id=\"gnuplot_canvas\">" + drawing + "</g></svg>", "t", "d");
}

std::string tidied(const std::string& path) {
  const std::string svg = tidied_svg("<path d='" + path + "'/>");
  const std::size_t from = svg.find(" d='") + 4;
  return svg.substr(from, svg.find('\'', from) - from);
}

TEST(TidySvg, PathsAreStepsBetweenRoundedPlaces) {
  EXPECT_EQ(tidied("M66.80,209.10 L66.30,209.15 L100.00,209.15 M1.04,2.06 L-3.00,2.06  "),
            "M66.8 209.1l-0.5 0.1l33.7 0M1 2.1l-4 0");
  EXPECT_EQ(tidied("M0.00,0.00 L0.04,0.00 L0.08,0.00"), "M0 0l0 0l0.1 0") << "the sum is not lost";
  EXPECT_EQ(tidied("M1,1 C2,2 3,3 4,4"), "M1,1 C2,2 3,3 4,4");
}

TEST(TidySvg, EmptyGroupsAndTheColourOfTheTextBeforeAreLeftOut) {
  EXPECT_THAT(
      tidied_svg("<g fill=\"none\">\n</g>\n"
                 "<g color=\"black\" stroke=\"rgb( 85, 85, 85)\"><circle/></g>"),
      testing::EndsWith("><g color=\"black\" stroke=\"currentColor\"><circle/></g></g></svg>"));
}

TEST(TidySvg, AnUnknownFormIsRefused) {
  EXPECT_THROW(tidy_svg("<svg><circle/></svg>", "t", "d"), BadInput);
}

}  // namespace
}  // namespace daemark
