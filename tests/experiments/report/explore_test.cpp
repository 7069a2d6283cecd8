// Diagrams that answer: what they are without a script, and what a browser does with them.
#include "experiments/report/explore.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "experiments/report/report_assets.hpp"
#include "tests/analysis/markup_check.hpp"
#include "tests/support/browser.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

ExplorePlot sample() {
  ExplorePlot plot;
  plot.title = "error over <work>";
  plot.x_label = "residual evaluations";
  plot.knobs = {"h = 1/10 s", "h = 1/20 s", "h = 1/40 s"};
  plot.dashed_knobs = {"tolerance 1e-3", "tolerance 1e-4", "tolerance 1e-5"};
  plot.parts = {{"q",
                 "relative error of q",
                 {{"erk4", "erk4", 0, true, false, {10, 100, 1000}, {1e-1, 1e-5, 1e-9}},
                  {"gauss(s=2)", "gauss(s=2)", 2, false, false, {30, 300, 3000}, {1e-2, NAN, 1e-8}},
                  {"radau_iia(s=3) with control",
                   "radau_iia(s=3)",
                   2,
                   false,
                   true,
                   {50, 500, 5000},
                   {1e-3, 1e-6, 1e-8}}}},
                {"v", "relative error of v", {{"erk4", "erk4", 0, true, false, {10}, {0.5}}}}};
  return plot;
}

TEST(Explore, StandsWithoutAScript) {
  const std::string figure = explore_figure(sample());
  EXPECT_EQ(markup_error("<div>" + figure + "</div>", true), "");
  EXPECT_THAT(figure, HasSubstr("aria-label=\"error over &lt;work&gt;\""));
  EXPECT_THAT(figure, HasSubstr("class=\"c f0 front\" data-n=\"erk4\" d=\"M"));
  EXPECT_THAT(figure, HasSubstr("class=\"c f2\" data-n=\"gauss(s=2)\" data-k=\"0 2\" d=\"M"))
      << "a gap where a run failed";
  EXPECT_THAT(figure, HasSubstr("data-part=\"v\" style=\"display:none\""));
  EXPECT_EQ(explore_figure(ExplorePlot{}), "");
  EXPECT_EQ(explore_figure(sample()), figure);
}

TEST(Explore, LinearAxesTakeNegativeNumbers) {
  ExplorePlot plot = sample();
  plot.log_x = plot.log_y = false;
  plot.parts = {{"q", "elongation, %", {{"erk4", "", 0, true, false, {0.1, 0.2}, {-3, 8}}}}};
  EXPECT_THAT(explore_figure(plot), HasSubstr(">-2<"));
  plot.parts[0].curves[0].y = {1, 1 + 2e-16};  // one value but for round-off
  EXPECT_THAT(explore_figure(plot), HasSubstr(">2<"));
}

/// A wave of 1001 points and a straight line, on linear axes.
ExplorePlot motion() {
  ExplorePlot plot;
  plot.title = "motion", plot.x_label = "t [s]";
  plot.log_x = plot.log_y = false, plot.continuous = true;
  ExploreCurve wave, line;
  wave.name = "wave", line.name = "line", line.family = 11, line.look = "dashes";
  for (int i = 0; i <= 1000; ++i) {
    wave.x.push_back(0.01 * i), wave.y.push_back(std::sin(0.01 * i));
    line.x.push_back(0.01 * i), line.y.push_back(0.1 * i * 0.01);
  }
  plot.parts = {{"all", "q [rad]", {wave, line}}};
  return plot;
}

TEST(Explore, MotionsKeepTheirShapeWithFewPoints) {
  const std::string figure = explore_figure(motion());
  EXPECT_EQ(markup_error("<div>" + figure + "</div>", true), "");
  EXPECT_LT(figure.size(), 4000u) << "2002 points";
  EXPECT_THAT(figure, testing::ContainsRegex("class=\"c f1 dashes\" data-n=\"line\" data-f=\"11\" "
                                             "d=\"M[0-9.]+ [0-9.]+L[0-9.]+ [0-9.]+\""))
      << "two points of a straight line; the twelfth colour is the second";
  const std::string keyed = explore_keyed(figure, {{"wave", ""}, {"a < b", "dashes"}});
  EXPECT_EQ(markup_error(keyed, true), "");
  EXPECT_THAT(keyed, HasSubstr("data-f=\"1\"><i class=\"dashes\"></i>a &lt; b</li>"));
}

TEST(Explore, NamesStandInPlaceOfNumbers) {
  ExplorePlot plot = motion();
  plot.y_names = {"first", "a much longer name"};
  plot.parts[0].curves = {{"rows", "", 0, false, false, {1, 2}, {1, 2}, false, "points"}};
  const std::string figure = explore_figure(plot);
  EXPECT_THAT(figure, HasSubstr(">a much longer name</text>"));
  EXPECT_THAT(figure,
              testing::ContainsRegex("points\" data-n=\"rows\" d=\"M[0-9. ]+h0M[0-9. ]+h0"));
}

class ExploreInABrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (!browser_.there()) GTEST_SKIP() << test::Browser::missing;
    std::ofstream(browser_.folder() / "page.html")
        << "<!DOCTYPE html><html><head><style>" << kReportStyle << kExploreStyle
        << "</style></head><body><main class=\"wide\">"
        << explore_legend({"explicit", "", "implicit"}, {{"q", "q"}, {"v", "v"}})
        << explore_figure(sample()) << explore_figure(sample())
        << explore_keyed(explore_figure(motion()), {{"wave", ""}})
        << "<p class=\"tagged\" data-for=\"t\"><input type=\"search\"><span></span></p>"
           "<table id=\"t\"><tbody><tr data-m=\"erk4\"><td>erk4</td></tr>"
           "<tr data-m=\"gauss(s=2)\"><td>gauss</td></tr></tbody></table></main>"
           "<script>window.daemarkTags = {names: ['explicit', 'order'], numbers: {order: 1}, "
           "methods: {'erk4': [1, 4], 'gauss(s=2)': [0, 4], 'radau_iia(s=3)': [0, 5]}};</script>"
        << "<script>" << kExploreScript << "</script></body></html>";
  }
  test::Browser browser_;
};

const char* const kHelpers = R"js(
  var figure = d.querySelector('.explore'), svg = figure.querySelector('svg');
  var says = function () {
    var box = figure.querySelector('.says');
    return box && !box.hidden ? box.innerText.trim().split('\n').join(' | ') : 'nothing';
  };
  var path = function (name) { return figure.querySelector('[data-n="' + name + '"]'); };
  var shown = function (name) { return w.getComputedStyle(path(name)).display !== 'none'; };
  var at = function (name, i) {  // where the i-th point of a curve is on the screen
    var box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
    var p = path(name).getAttribute('d').match(/[\d.]+ [\d.]+/g)[i].split(' ');
    return { clientX: box.left + p[0] * scale, clientY: box.top + p[1] * scale, bubbles: true };
  };
  var type = function (node, text) {
    node.value = text;
    node.dispatchEvent(new w.Event('input'));
  };
  var key = function (k) { figure.dispatchEvent(new w.KeyboardEvent('keydown', { key: k })); };
)js";

TEST_F(ExploreInABrowser, ThePointerTellsMethodStepAndNumbers) {
  const auto seen = browser_.look({browser_.folder() / "page.html"}, std::string(kHelpers) + R"js(
  svg.dispatchEvent(new w.PointerEvent('pointermove', at('erk4', 1)));
  say(says());
  svg.dispatchEvent(new w.PointerEvent('pointermove', at('gauss(s=2)', 1)));
  say(says());
  svg.dispatchEvent(new w.PointerEvent('pointermove', at('radau_iia(s=3) with control', 1)));
  say(says());
  svg.dispatchEvent(new w.PointerEvent('pointerleave', { bubbles: true }));
  say(says());
)js");
  EXPECT_EQ(seen.body,
            "erk4 | h = 1/20 s | residual evaluations 100 | relative error of q 1.00e-5\n"
            "gauss(s=2) | h = 1/40 s | residual evaluations 3000 | relative error of q 1.00e-8\n"
            "radau_iia(s=3) with control | tolerance 1e-4 | residual evaluations 500 | relative "
            "error of q 1.00e-6\nnothing\ndone\n");
  EXPECT_EQ(seen.console, "");
}

TEST_F(ExploreInABrowser, ThePointerReadsMotionsBetweenTheirPoints) {
  const auto seen = browser_.look({browser_.folder() / "page.html"}, std::string(kHelpers) + R"js(
  figure = d.querySelector('.keyed .explore'), svg = figure.querySelector('svg');
  var ends = path('line').getAttribute('d').match(/[\d.]+/g).map(Number);
  var box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
  svg.dispatchEvent(new w.PointerEvent('pointermove', {  // halfway along the line, 1 px above it
    clientX: box.left + (ends[0] + ends[2]) / 2 * scale,
    clientY: box.top + (ends[1] + ends[3]) / 2 * scale - 1, bubbles: true }));
  say(says());
  var button = d.querySelector('.keyed .families button');
  button.click();
  say(shown('wave') + ' ' + shown('line'));
  figure = d.querySelector('.explore');
  say(shown('erk4'));
)js");
  EXPECT_THAT(seen.body,
              testing::MatchesRegex("line . t .s. (4[.]9[0-9]*|5([.]0[0-9]*)?) . q .rad. "
                                    "(0[.]49[0-9]*|0[.]5(0[0-9]*)?)\nfalse true\ntrue\ndone\n"))
      << "the legend of a diagram is of that diagram alone";
  EXPECT_EQ(seen.console, "");
}

TEST_F(ExploreInABrowser, FamiliesPartsPinsAndExpressions) {
  const auto seen = browser_.look({browser_.folder() / "page.html"}, std::string(kHelpers) + R"js(
  var family = d.querySelector('.families button');
  family.click();
  say(shown('erk4') + ' ' + shown('gauss(s=2)') + ' ' + family.getAttribute('aria-pressed'));
  family.click();
  svg.dispatchEvent(new w.MouseEvent('click', at('erk4', 0)));
  say(d.querySelectorAll('.c.pin').length + ' kept in front, of both diagrams and parts');
  d.querySelectorAll('.parts button')[1].click();
  say(w.getComputedStyle(figure.querySelector('[data-part=q]')).display);
  d.querySelectorAll('.parts button')[0].click();
  type(d.querySelector('.choose input'), 'order>4 | explicit');
  say(Array.from(figure.querySelectorAll('[data-part=q] .c.in')).map(function (c) {
    return c.getAttribute('data-n'); }).sort().join(', '));
  type(d.querySelector('.choose input'), 'order>');
  say(d.querySelector('.choose span').textContent);
  type(d.querySelector('.tagged input'), '!explicit');
  say(d.querySelector('.tagged span').textContent + ' ' +
      Array.from(d.querySelectorAll('tr')).map(function (r) { return r.hidden; }).join(' '));
)js");
  EXPECT_EQ(seen.body,
            "false true false\n4 kept in front, of both diagrams and parts\nnone\n"
            "erk4, radau_iia(s=3) with control\ncharacter 6: order is a number: order&gt;=2\n"
            "1 of 2 true false\ndone\n");
  EXPECT_EQ(seen.console, "");
}

TEST_F(ExploreInABrowser, TheKeyboardGoesEverywhere) {
  const auto seen = browser_.look({browser_.folder() / "page.html"}, std::string(kHelpers) + R"js(
  say(figure.tabIndex);
  key('ArrowRight');
  say(says().split(' | ').slice(0, 2).join(' | '));
  key('ArrowRight');
  say(says().split(' | ').slice(0, 2).join(' | '));
  key('ArrowDown');
  say(says().split(' | ')[0]);
  key('Enter');
  say(d.querySelectorAll('.c.pin').length);
  key('Escape');
  say(says() + ' ' + d.querySelectorAll('.c.pin').length);
)js");
  EXPECT_EQ(seen.body, "0\nerk4 | h = 1/10 s\nerk4 | h = 1/20 s\ngauss(s=2)\n2\nnothing 0\ndone\n");
  EXPECT_EQ(seen.console, "");
}

TEST_F(ExploreInABrowser, NothingIsWiderThanAPhone) {
  const auto seen = browser_.look({browser_.folder() / "page.html"}, std::string(kHelpers) + R"js(
  svg.dispatchEvent(new w.PointerEvent('pointermove', at('erk4', 2)));
  say(d.documentElement.scrollWidth <= 360);
)js");
  EXPECT_EQ(seen.body, "true\ndone\n");
}

}  // namespace
}  // namespace daemark
