// Animations: well-formed, within their size, the same bytes, true to the motion.
#include "analysis/report/animation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <sstream>

#include "base/text/bad_input.hpp"
#include "tests/analysis/markup_check.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

using Kind = DrawnShape::Kind;

/// A bar of 1 m that turns once in `span` seconds about a fixed point.
Animation turning(double span, int rows = 101) {
  Animation animation;
  animation.title = "bar <1> & \"2\"";
  animation.caption = "turns";
  animation.drawing.shapes = [](double, const double* q) {
    const SpacePoint tip{std::cos(q[0]), std::sin(q[0]), 0};
    return std::vector<DrawnShape>{{Kind::ground, {{0, 0, 0}}},
                                   {Kind::body, {{0, 0, 0}, tip}},
                                   {Kind::joint, {{0, 0, 0}}},
                                   {Kind::traced, {tip}}};
  };
  for (int i = 0; i < rows; ++i) {
    animation.t.push_back(span * i / (rows - 1));
    animation.q.push_back({2 * M_PI * i / (rows - 1)});
  }
  return animation;
}

/// What the attribute of the first element whose class begins so holds.
std::string attribute(const std::string& svg, const std::string& name, std::size_t from = 0) {
  const std::size_t at = svg.find(" " + name + "=\"", from) + name.size() + 3;
  return svg.substr(at, svg.find('"', at) - at);
}

/// End points of the bar in every frame, "M x y L x y" in pixels/10.
std::vector<std::array<double, 4>> frames(const std::string& svg) {
  const std::string values = attribute(svg, "values", svg.find("class=\"an-body"));
  std::vector<std::array<double, 4>> out;
  std::istringstream parts(values);
  for (std::string frame; std::getline(parts, frame, ';');) {
    std::array<double, 4> x{};
    EXPECT_EQ(std::sscanf(frame.c_str(), "M%lf %lfL%lf %lf", &x[0], &x[1], &x[2], &x[3]), 4)
        << frame;
    out.push_back(x);
  }
  return out;
}

TEST(Animation, BothFormsAreWellFormedAndDeterministic) {
  const Animation animation = turning(5);
  const std::string svg = animation_svg(animation), html = animation_html(animation);
  EXPECT_EQ(markup_error(std::regex_replace(svg, std::regex("<!\\[CDATA\\[[^]*\\]\\]>"), "")), "");
  EXPECT_EQ(markup_error(html, true), "");
  EXPECT_EQ(svg, animation_svg(animation));
  EXPECT_EQ(html, animation_html(animation));
  EXPECT_THAT(svg, HasSubstr("bar &lt;1&gt; &amp; &quot;2&quot;"));
  for (const std::string& text : {svg, html}) {
    EXPECT_THAT(std::regex_replace(text, std::regex("http://www.w3.org/2000/svg"), ""),
                Not(HasSubstr("http")));
    EXPECT_THAT(text, Not(HasSubstr("url(")));
  }
  EXPECT_THAT(html, HasSubstr("type=\"range\""));
}

TEST(Animation, TheBarKeepsItsLengthAndTurnsOnce) {
  const auto bar = frames(animation_svg(turning(5)));
  ASSERT_EQ(bar.size(), 101U);
  const double length = std::hypot(bar[0][2] - bar[0][0], bar[0][3] - bar[0][1]);
  for (std::size_t k = 0; k < bar.size(); ++k) {
    const double dx = bar[k][2] - bar[k][0], up = bar[k][1] - bar[k][3];
    EXPECT_NEAR(std::hypot(dx, up), length, 1.5) << k;  // whole tenths of a pixel at both ends
    const double angle = 2 * M_PI * static_cast<double>(k) / 100;
    EXPECT_NEAR(dx, length * std::cos(angle), 1.5) << k;
    EXPECT_NEAR(up, length * std::sin(angle), 1.5) << k;
  }
}

TEST(Animation, ThePictureTakesTheTimeOfTheMotionWhereThatCanBeWatched) {
  EXPECT_EQ(attribute(animation_svg(turning(5)), "data-length"), "5");
  const std::string fast = animation_svg(turning(0.05));
  EXPECT_EQ(attribute(fast, "data-length"), "10");
  EXPECT_THAT(fast, HasSubstr("200 times slower"));
  EXPECT_THAT(animation_svg(turning(600)), HasSubstr("60 times faster"));
}

TEST(Animation, TheScaleBarIsARoundNumberOfMetres) {
  const std::string svg = animation_svg(turning(5));
  const auto bar = frames(svg);
  const double metre = std::hypot(bar[0][2] - bar[0][0], bar[0][3] - bar[0][1]);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(svg, found, std::regex(R"(M300 240V290H(\d+)V240"/>)")));
  const double drawn = std::stod(found[1]) - 300;
  std::smatch label;
  ASSERT_TRUE(std::regex_search(svg, label, std::regex(R"(>([0-9.]+) m</text>)")));
  EXPECT_NEAR(drawn, std::stod(label[1]) * metre, 2);
}

TEST(Animation, FramesAreThinnedToTheSize) {
  Animation animation = turning(5, 5001);
  EXPECT_LT(animation_svg(animation).size(), kAnimationBytes);
  const std::string all = animation_svg(animation, 40000), few = animation_svg(animation, 20000);
  EXPECT_LT(all.size(), 40000U);
  EXPECT_LT(few.size(), 20000U);
  EXPECT_GT(frames(all).size(), frames(few).size());
  EXPECT_THROW(animation_svg(animation, 2000), BadInput);
  // A mechanism of thousands of bars does not fit at all, and says so.
  animation.drawing.shapes = [](double, const double*) {
    return std::vector<DrawnShape>(20000, {Kind::body, {{0, 0, 0}, {1, 0, 0}}});
  };
  EXPECT_THROW(animation_svg(animation), BadInput);
}

TEST(Animation, EndsBeforeWhatIsNotFinite) {
  Animation animation = turning(5);
  animation.q[51][0] = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = animation_svg(animation);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_EQ(attribute(svg, "data-span"), "2.5");
  animation.q[0][0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(animation_svg(animation), BadInput);
}

TEST(Animation, ASingleInstantIsAStillPicture) {
  Animation animation = turning(5);
  animation.t.resize(1);
  animation.q.resize(1);
  const std::string svg = animation_svg(animation);
  EXPECT_THAT(svg, Not(HasSubstr("<animate")));
  EXPECT_THAT(svg, HasSubstr("class=\"an-body"));
}

TEST(Animation, APageTakesItsFigureFromTheFileAndNothingElse) {
  const std::string figure = animation_figure(animation_svg(turning(5)));
  EXPECT_EQ(markup_error(figure, true), "");
  EXPECT_THAT(figure, Not(HasSubstr("<script")));
  EXPECT_THAT(figure, HasSubstr("<button"));
  EXPECT_EQ(animation_figure("<svg onload=\"x()\"></svg>"), "");
  EXPECT_EQ(animation_figure(""), "");
}

}  // namespace
}  // namespace daemark
