// Figures: the SVG is well-formed, the same every time, and shows gaps where there is no number.
#include "analysis/report/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>

#include "analysis/report/figure_plan.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/markup_check.hpp"
#include "tests/support/gnuplot.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

FigureSpec one_curve(const std::vector<double>& x, const std::vector<double>& y) {
  FigureSpec spec;
  spec.title = "test";
  Panel panel;
  panel.x = {"t", "s", false, {}, {}};
  panel.y = {"q", "m", false, {}, {}};
  Curve curve;
  curve.label = "curve";
  curve.x = x;
  curve.y = y;
  panel.curves = {curve};
  spec.panels = {panel};
  return spec;
}

/// How many separate strokes the first curve (palette colour 0) has, its legend sample left out.
int strokes(const std::string& svg) {
  const std::regex path(R"re(<path stroke='rgb\(  0, 114, 178\)'[^>]*d='([^']*)')re");
  std::smatch found;
  if (!std::regex_search(svg, found, path)) return 0;
  const std::string d = found[1];
  return static_cast<int>(std::count(d.begin(), d.end(), 'M'));
}

std::vector<double> ramp(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

TEST(Figure, APanelIsPrintedInTheSizeOfAColumn) {
  NEEDS_GNUPLOT();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "printed";
  Panel panel = one_curve(ramp(20), ramp(20)).panels.front();
  panel.legend = LegendPosition::right_outside;
  write_printed(panel, {84, 60, 8}, folder / "a.svg");
  EXPECT_THAT(*read_text(folder / "a.svg"), HasSubstr("width=\"84mm\" height=\"60"));
  write_printed(panel, {84, 60, 8}, folder / "a.pdf");
  EXPECT_THAT(*read_text(folder / "a.pdf"), HasSubstr("MediaBox [ 0 0 238 170 ]"));
  std::filesystem::remove_all(folder);
}

TEST(Figure, SvgIsWellFormedDeterministicAndSelfContained) {
  NEEDS_GNUPLOT();
  FigureSpec spec = one_curve({0, 1, 2}, {1, 3, 2});
  spec.caption = "what it shows";
  const std::string svg = render_svg(spec);
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_EQ(svg, render_svg(spec));
  EXPECT_THAT(svg, Not(HasSubstr("GNUPLOT")));
  EXPECT_THAT(svg, Not(HasSubstr("atchlevel")));
  expect_shown(svg,
               {"<desc>what it shows</desc>", ">t [s]</text>", ">q [m]</text>", ">curve</text>"});
  EXPECT_THAT(svg, HasSubstr("fill=\"#ffffff\"")) << "an explicit light background";
}

TEST(Figure, NamesStandInPlaceOfNumbers) {
  NEEDS_GNUPLOT();
  FigureSpec spec = one_curve({1.5, 2.5}, {1, 2});
  spec.panels[0].y.names = {"lower", "upper"};
  spec.panels[0].curves[0].style = CurveStyle::points;
  const std::string svg = render_svg(spec);
  const auto height = [&](const std::string& name) {
    const std::size_t at = svg.find(">" + name + "</text>");
    EXPECT_NE(at, std::string::npos) << name;
    const std::size_t place = svg.rfind("translate(", at);
    return std::stod(svg.substr(svg.find(',', place) + 1));
  };
  EXPECT_GT(height("lower"), height("upper")) << "pixels count downwards";
  spec.panels[0].curves[0].x[1] = kNaN;
  EXPECT_THAT(render_svg(spec), HasSubstr(">upper (no value)</text>"));
}

TEST(Figure, NumbersThatAreNoneLeaveGaps) {
  NEEDS_GNUPLOT();
  EXPECT_EQ(strokes(render_svg(one_curve(ramp(7), {1, 2, 3, 4, 3, 2, 1}))), 1);
  EXPECT_EQ(strokes(render_svg(one_curve(ramp(7), {1, 2, 3, kNaN, 3, 2, 1}))), 2);
  EXPECT_EQ(strokes(render_svg(one_curve(ramp(7), {1, 2, INFINITY, 4, 3, -INFINITY, 1}))), 3)
      << "the last point alone is a dot";
}

TEST(Figure, ZeroOnALogAxisIsAGap) {
  NEEDS_GNUPLOT();
  FigureSpec spec = one_curve({1, 2, 3, 4, 5}, {1e-3, 1e-4, 0, 1e-6, 1e-7});
  spec.panels[0].y.log = true;
  const std::string svg = render_svg(spec);
  EXPECT_EQ(strokes(svg), 2);
  EXPECT_THAT(svg, HasSubstr("10⁻⁶"));
}

TEST(Figure, ACurveWithoutValuesStaysInTheLegend) {
  NEEDS_GNUPLOT();
  FigureSpec spec = one_curve({0, 1}, {kNaN, kNaN});
  const std::string svg = render_svg(spec);
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_THAT(svg, HasSubstr("curve (no values)"));
}

TEST(Figure, ARunThatEndsEarlyDoesNotSetTheAxes) {
  NEEDS_GNUPLOT();
  FigureSpec spec = one_curve({0, 1, 2, 3}, {0, 1, 0, 1});
  spec.panels[0].curves.push_back({"other", {0, 1, 2}, {0, 1, -900}});
  EXPECT_LT(plan_figure(spec).panels[0].y.lo, -900);
  spec.panels[0].curves[1].ended = false;
  const AxisPlan axis = plan_figure(spec).panels[0].y;
  EXPECT_LT(axis.lo, -0.2) << "it is seen to leave";
  EXPECT_GT(axis.lo, -0.5);
  EXPECT_THAT(render_svg(spec), HasSubstr("other (ends early)"));
  spec.panels[0].curves.erase(spec.panels[0].curves.begin());
  EXPECT_LT(plan_figure(spec).panels[0].y.lo * plan_figure(spec).panels[0].y.scale, -900)
      << "alone it does";
  spec = one_curve({0, 1, 2}, {1, 10, 100});
  spec.panels[0].y.log = true;
  spec.panels[0].curves.push_back({"other", {0, 1}, {1, 1e132}});
  spec.panels[0].curves[1].ended = false;
  EXPECT_NEAR(std::log10(plan_figure(spec).panels[0].y.hi), 6, 1) << "four decades";
}

// Four panels that ask for the same legend below have one, and the room of the three others.
TEST(Figure, ALongListOfNamesMakesItsOwnRowTallOnly) {
  FigureSpec spec = one_curve({0, 1}, {0, 1});
  spec.panels.push_back(spec.panels[0]);
  const FigurePlan short_one = plan_figure(spec);
  spec.panels[1].y.names.assign(30, "method");
  const FigurePlan figure = plan_figure(spec);
  EXPECT_LT(figure.panels[0].box.height, 1.2 * short_one.panels[0].box.height);
  EXPECT_GT(figure.panels[1].box.height, 30 * 18);
}

TEST(Figure, OneLegendBelowServesAllPanels) {
  FigureSpec spec = one_curve({0, 1, 2}, {1, 3, 2});
  spec.columns = 2;
  spec.panels[0].legend = LegendPosition::below;
  spec.panels.assign(4, spec.panels[0]);
  EXPECT_EQ(plan_figure(spec).legends.size(), 1u);
  const double shared = plan_figure(spec).panels[0].box.height;
  spec.panels[3].curves[0].label = "another";
  EXPECT_EQ(plan_figure(spec).legends.size(), 4u);
  EXPECT_LT(plan_figure(spec).panels[0].box.height, shared);
}

TEST(Figure, TextsAreShownAsTheyAreAndNeverRun) {
  NEEDS_GNUPLOT();
  const auto trap = std::filesystem::temp_directory_path() / "daemark_figure_trap";
  std::filesystem::remove(trap);
  const std::string touch = "touch " + trap.string();
  FigureSpec spec = one_curve({0, 1}, {0, 1});
  spec.title = "'it''s' \"q\" \\n <b> & `" + touch + "` $(" + touch + ") @x %s θ₁ λ̇";
  spec.panels[0].curves[0].label = "a'; system('" + touch + "'); x='_b^c{d}";
  spec.panels[0].x.label = "line\nbreak \xFF";
  const std::string svg = render_svg(spec);
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_FALSE(std::filesystem::exists(trap));
  expect_shown(svg, {"θ₁ λ̇</text>", "\\n &lt;b> &amp; `touch", "_b^c{d}</text>",
                     "line break \xEF\xBF\xBD [s]"});
}

TEST(Figure, LongCurvesAreThinnedByShape) {
  NEEDS_GNUPLOT();
  std::vector<double> x = ramp(50000), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::sin(0.001 * x[i]);
  y[31234] = 7;  // a single spike has to survive
  const std::string svg = render_svg(one_curve(x, y));
  EXPECT_LT(svg.size(), 60000u);
  FigureSpec low = one_curve(x, y);
  low.panels[0].y.max = 7.5;
  low.panels[0].y.min = -1.5;
  const std::regex path(R"re(<path stroke='rgb\(  0, 114, 178\)'[^>]*d='([^']*)')re");
  const std::string drawn = render_svg(low);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(drawn, found, path));
  const std::string d = found[1];
  const std::regex pair(R"re(([Ml]?)(-?[\d.]+) ?(-?[\d.]+))re");
  double highest = 1e9, y_now = 0;
  long points = 0;
  for (std::sregex_iterator it(d.begin(), d.end(), pair), end; it != end; ++it, ++points) {
    y_now = ((*it)[1] == "M" ? 0 : y_now) + std::stod((*it)[3]);  // a place, then steps
    highest = std::min(highest, y_now);
  }
  EXPECT_LE(points, 1000);
  EXPECT_GT(points, 100);
  EXPECT_LT(highest, 70) << "the spike reaches almost the top of the panel";
}

// Of more curves than colours some are dashed: lines that carry points have their name in the
// legend all the same.
TEST(Figure, EveryCurveOfManyIsNamed) {
  NEEDS_GNUPLOT();
  for (const CurveStyle style : {CurveStyle::linespoints, CurveStyle::dashed}) {
    FigureSpec spec = one_curve({1, 2, 3}, {1, 4, 9});
    Panel& panel = spec.panels[0];
    panel.legend = LegendPosition::right_outside;
    panel.curves.resize(20, panel.curves[0]);
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      panel.curves[i].style = style;
      panel.curves[i].label = "name " + std::to_string(i);
    }
    const std::string svg = render_svg(spec);
    for (const Curve& curve : panel.curves)
      EXPECT_THAT(svg, HasSubstr(">" + curve.label + "</text>")) << curve.label;
  }
}

/// A steep curve, a guide below it and another curve where the guide's middle label would stand.
FigureSpec with_guide() {
  const std::vector<double> h{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64};
  std::vector<double> error, other;
  for (const double step : h) {
    error.push_back(5 * std::pow(step, 4));
    other.push_back(0.25 * std::pow(step, 4));
  }
  FigureSpec spec = one_curve(h, error);
  Panel& panel = spec.panels[0];
  panel.x.log = panel.y.log = true;
  panel.curves[0].style = CurveStyle::linespoints;
  panel.curves.push_back(panel.curves[0]);
  panel.curves[1].y = other;
  panel.guides = {{4, 0.01, error[0] / 3, 0.1}};
  return spec;
}

TEST(Figure, AGuideIsLabelled) {
  NEEDS_GNUPLOT();
  EXPECT_THAT(render_svg(with_guide()), HasSubstr(">order 4</text>"));
}

TEST(Figure, TheLabelOfAGuideCoversNoDataAndNoLegend) {
  const FigureSpec spec = with_guide();
  const FigurePlan figure = plan_figure(spec);
  const PanelPlan& panel = figure.panels[0];
  const std::vector<PixelBox> legend{figure.legends.at(0).box};
  const PixelBox box = place_guide_label(panel, spec.panels[0].guides[0], "order 4", legend);
  const auto inside = [&](double x, double y) {
    return x > box.left && x < box.left + box.width && y > box.top && y < box.top + box.height;
  };
  for (const Curve& curve : spec.panels[0].curves)
    for (double share = 0; share <= 1; share += 0.001) {  // straight on logarithms
      const double x =
          panel.x.fraction(curve.x.front() * std::pow(curve.x.back() / curve.x.front(), share));
      const double y =
          panel.y.fraction(curve.y.front() * std::pow(curve.y.back() / curve.y.front(), share));
      EXPECT_FALSE(
          inside(panel.box.left + x * panel.box.width, panel.box.top + (1 - y) * panel.box.height))
          << share;
    }
  EXPECT_TRUE(box.left + box.width < legend[0].left ||
              box.left > legend[0].left + legend[0].width || box.top + box.height < legend[0].top ||
              box.top > legend[0].top + legend[0].height);
  // A second label goes elsewhere.
  const PixelBox next = place_guide_label(panel, spec.panels[0].guides[0], "order 4", {box});
  EXPECT_TRUE(next.left != box.left || next.top != box.top);
}

TEST(Figure, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(render_svg(FigureSpec{}), BadInput);
  EXPECT_THROW(render_svg(one_curve({0, 1}, {0})), BadInput);
  FigureSpec range = one_curve({0, 1}, {0, 1});
  range.panels[0].x.min = 2;
  range.panels[0].x.max = 1;
  EXPECT_THROW(render_svg(range), BadInput);
  FigureSpec log = one_curve({1, 2}, {1, 2});
  log.panels[0].y.log = true;
  log.panels[0].y.min = 0;
  EXPECT_THROW(render_svg(log), BadInput);
}

TEST(Figure, MissingGnuplotIsOneClearLine) {
  const char* old = std::getenv("PATH");
  const std::string path = old != nullptr ? old : "";
  setenv("PATH", "/nowhere", 1);
  const std::string message = test::refusal([] { render_svg(one_curve({0, 1}, {0, 1})); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(message, HasSubstr("gnuplot"));
}

/// A PATH on which `gnuplot` is this script, while it lives.
class StandIn {
 public:
  explicit StandIn(const std::string& script) : old_(std::getenv("PATH")) {
    const auto program = folder_.path / "gnuplot";
    test::write_text(program, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", (folder_.path.string() + ":" + old_).c_str(), 1);
  }
  ~StandIn() { setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
  test::ScratchFolder folder_;  // another each time: a program that hung once is known by its place
};

std::string why_not_drawn(int seconds) {
  return test::refusal<CannotDraw>(
      [&] { run_gnuplot("plot 1\n", svg_terminal(100, 100), seconds); });
}

TEST(Figure, AHangingGnuplotIsGivenUp) {
  const auto begin = std::chrono::steady_clock::now();
  const StandIn hanging("exec sleep 600");
  EXPECT_THAT(why_not_drawn(1), HasSubstr("not done within 1 s"));
  EXPECT_THAT(why_not_drawn(1), HasSubstr("earlier figure"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(Figure, AFailingGnuplotAndAMissingTemporaryFolderAreNamed) {
  NEEDS_GNUPLOT();
  {
    const StandIn failing("cat >/dev/null; echo no such terminal >&2; exit 1");
    EXPECT_THAT(why_not_drawn(20), HasSubstr("no such terminal"));
  }
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere", 1);
  const std::string why = why_not_drawn(20);
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  EXPECT_THAT(why, HasSubstr("/nowhere")) << why;
}

TEST(Figure, ExtremeDataAreDrawn) {
  NEEDS_GNUPLOT();
  const double big = std::numeric_limits<double>::max();
  for (const auto& y : std::vector<std::vector<double>>{
           {1e300, 2e300, 3e300}, {1e-300, 2e-300, 3e-300}, {5, 5, 5}, {0, 0, 0}, {-1e-15, 0, 1}}) {
    EXPECT_EQ(markup_error(render_svg(one_curve({0, 1, 2}, y))), "") << y[0];
  }
  FigureSpec blow_up = one_curve({0, 1, 2}, {1, 1e10, big});
  blow_up.panels[0].y.max = 10;
  EXPECT_EQ(markup_error(render_svg(blow_up)), "");
  FigureSpec log = one_curve({0, 1, 2}, {1e-16, 1, 1e290});
  log.panels[0].y.log = true;
  EXPECT_EQ(markup_error(render_svg(log)), "");
}

TEST(Figure, AnUnchangedFileIsLeftAlone) {
  NEEDS_GNUPLOT();
  const test::ScratchFolder folder;
  const auto file = folder.path / "deep" / "figure.svg";
  write_svg(one_curve({0, 1}, {0, 1}), file);
  const auto past = std::filesystem::last_write_time(file) - std::chrono::hours(1);
  std::filesystem::last_write_time(file, past);
  write_svg(one_curve({0, 1}, {0, 1}), file);
  EXPECT_EQ(std::filesystem::last_write_time(file), past);
  write_svg(one_curve({0, 1}, {0, 2}), file);
  EXPECT_NE(std::filesystem::last_write_time(file), past);
}

}  // namespace
}  // namespace daemark
