// Diagrams that people explore: their data, and what a browser does with them.
#include "experiments/report/explore.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "analysis/report/template.hpp"
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

/// The data in a figure.
PageData data_of(const std::string& figure) {
  const std::string open = "<script type=\"application/json\">";
  const std::size_t from = figure.find(open) + open.size();
  return PageData::parse(figure.substr(from, figure.find("</script>") - from));
}

TEST(Explore, AFigureHoldsItsCurves) {
  const std::string figure = explore_figure(sample());
  EXPECT_EQ(markup_error("<div>" + figure + "</div>", true), "");
  EXPECT_THAT(figure, HasSubstr("aria-label=\"error over &lt;work&gt;\""));
  const PageData data = data_of(figure), curves = data["parts"][0]["curves"];
  EXPECT_EQ(data["x"]["from"], 10);
  EXPECT_EQ(data["x"]["to"], 10000);
  EXPECT_EQ(curves[0]["name"], "erk4");
  EXPECT_EQ(curves[0]["front"], 1);
  EXPECT_EQ(curves[0]["runs"][0].size(), 6u) << "three points";
  EXPECT_EQ(curves[1]["kept"], (std::vector<int>{0, 2})) << "a gap where a run failed";
  EXPECT_EQ(curves[1]["runs"].size(), 2u);
  EXPECT_EQ(data["parts"][1]["id"], "v");
  EXPECT_EQ(explore_figure(ExplorePlot{}), "");
  EXPECT_EQ(explore_figure(sample()), figure);
}

TEST(Explore, ANameIsNeverMarkup) {
  ExplorePlot plot = sample();
  plot.parts[0].curves[0].name = "</script><script>alert(1)</script>";
  const std::string figure = explore_figure(plot);
  EXPECT_THAT(figure, Not(HasSubstr("</script><script>alert")));
  EXPECT_EQ(data_of(figure)["parts"][0]["curves"][0]["name"], plot.parts[0].curves[0].name);
}

TEST(Explore, LinearAxesTakeNegativeNumbers) {
  ExplorePlot plot = sample();
  plot.log_x = plot.log_y = false;
  plot.parts = {{"q", "elongation, %", {{"erk4", "", 0, true, false, {0.1, 0.2}, {-3, 8}}}}};
  EXPECT_LT(data_of(explore_figure(plot))["y"]["from"], -3);
  plot.parts[0].curves[0].y = {1, 1 + 2e-16};  // one value but for round-off
  EXPECT_GE(data_of(explore_figure(plot))["y"]["to"], 2);
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
  const PageData line = data_of(figure)["parts"][0]["curves"][1];
  EXPECT_EQ(line["name"], "line");
  EXPECT_EQ(line["look"], "dashes");
  EXPECT_EQ(line["runs"][0].size(), 4u) << "two points of a straight line";
  const std::string keyed = explore_keyed(figure, {{"wave", ""}, {"a < b", "dashes"}});
  EXPECT_EQ(markup_error(keyed, true), "");
  EXPECT_THAT(keyed, HasSubstr("data-f=\"1\"><i class=\"dashes\"></i>a &lt; b</li>"));
}

TEST(Explore, NamesStandInPlaceOfNumbers) {
  ExplorePlot plot = motion();
  plot.y_names = {"first", "a much longer name"};
  plot.parts[0].curves = {{"rows", "", 0, false, false, {1, 2}, {1, 2}, false, "points"}};
  const std::string figure = explore_figure(plot);
  const PageData data = data_of(figure);
  EXPECT_EQ(data["names"], plot.y_names);
  EXPECT_EQ(data["y"]["from"], 0.5);
  EXPECT_EQ(data["y"]["to"], 2.5);
}

class ExploreInABrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (!browser_.there()) GTEST_SKIP() << test::Browser::missing;
    std::ofstream(browser_.folder() / "page.html")
        << "<!DOCTYPE html><html><head><style>" << asset("report.css") << asset("uplot/uplot.css")
        << "</style></head><body><main class=\"wide\">"
        << explore_legend({"explicit", "", "implicit"}, {{"q", "q"}, {"v", "v"}})
        << explore_figure(sample()) << explore_figure(sample())
        << explore_keyed(explore_figure(motion()), {{"wave", ""}})
        << "<p class=\"tagged\" data-for=\"t\"><input type=\"search\"><span></span></p>"
           "<table id=\"t\"><tbody><tr data-m=\"erk4\"><td>erk4</td></tr>"
           "<tr data-m=\"gauss(s=2)\"><td>gauss</td></tr></tbody></table></main>"
           "<script>window.daemarkTags = {names: ['explicit', 'order'], numbers: {order: 1}, "
           "methods: {'erk4': [1, 4], 'gauss(s=2)': [0, 4], 'radau_iia(s=3)': [0, 5]}};</script>"
        << "<script>" << asset("uplot/uplot.js") << "</script><script>" << asset("report.js")
        << asset("expressions.js") << asset("explore.js") << "</script></body></html>";
  }
  /// What the script says of the page; nothing on the console.
  std::string said(const char* script) {
    const auto seen =
        browser_.look({browser_.folder() / "page.html"}, kHelpers + std::string(script));
    EXPECT_EQ(seen.console, "");
    return seen.body;
  }
  static const char* const kHelpers;
  test::Browser browser_;
};

const char* const ExploreInABrowser::kHelpers = R"js(
  var nodes = d.querySelectorAll('.explore'), figure, over;
  var take = function (node) {
    figure = node.daemarkFigure;
    node.dispatchEvent(new w.Event('focus'));
    over = figure.plot.over;
  };
  take(nodes[0]);
  var says = function () {
    return figure.says && !figure.says.hidden ? figure.says.innerText.trim().split('\n').join(' | ') : 'nothing';
  };
  var curve = function (name) {
    return figure.data.parts[0].curves.filter(function (c) { return c.name === name; })[0];
  };
  var at = function (x, y) {  // a place on the screen
    var box = over.getBoundingClientRect();
    return { clientX: box.left + figure.plot.valToPos(x, 'x'), bubbles: true,
             clientY: box.top + figure.plot.valToPos(y, 'y') };
  };
  var point = function (name, i) { var p = curve(name).points[i]; return at(p.x, p.y); };
  var inked = function (x, y) {  // whether a curve is drawn at that place of a diagram
    figure.plot.batch(function (u) { u.redraw(); });
    var u = figure.plot, px = Math.round(u.valToPos(x, 'x', true)), py = Math.round(u.valToPos(y, 'y', true));
    var copy = d.createElement('canvas').getContext('2d', { willReadFrequently: true });
    copy.drawImage(u.ctx.canvas, 1 - px, 1 - py);
    var c = copy.getImageData(0, 0, 3, 3).data, most = 0;
    for (var i = 0; i < c.length; i += 4)
      most = Math.max(most, c[i + 3] && Math.max(c[i], c[i + 1], c[i + 2]) - Math.min(c[i], c[i + 1], c[i + 2]));
    return most > 25;
  };
  var mouse = function (type, place, target) {
    (target || over).dispatchEvent(new w.MouseEvent(type, Object.assign({ movementX: 9, movementY: 9 }, place)));
  };
  var click = function (place) {
    mouse('mousemove', place), mouse('mousedown', place), mouse('mouseup', place, d), mouse('click', place);
  };
  var type = function (node, text) {
    node.value = text;
    node.dispatchEvent(new w.Event('input'));
  };
  var key = function (k) { figure.node.dispatchEvent(new w.KeyboardEvent('keydown', { key: k })); };
  var level = function (name) { return figure.look(curve(name)).level; };
)js";

TEST_F(ExploreInABrowser, ThePointerTellsMethodStepAndNumbers) {
  const std::string body = said(R"js(
  over.dispatchEvent(new w.PointerEvent('pointermove', point('erk4', 1)));
  say(says());
  over.dispatchEvent(new w.PointerEvent('pointermove', point('gauss(s=2)', 1)));
  say(says());
  over.dispatchEvent(new w.PointerEvent('pointermove', point('radau_iia(s=3) with control', 1)));
  say(says());
  over.dispatchEvent(new w.PointerEvent('pointerleave', { bubbles: true }));
  say(says());
)js");
  EXPECT_EQ(body,
            "erk4 | h = 1/20 s | residual evaluations 100 | relative error of q 1.00e-5\n"
            "gauss(s=2) | h = 1/40 s | residual evaluations 3000 | relative error of q 1.00e-8\n"
            "radau_iia(s=3) with control | tolerance 1e-4 | residual evaluations 500 | relative "
            "error of q 1.00e-6\nnothing\ndone\n");
}

TEST_F(ExploreInABrowser, ThePointerReadsMotionsBetweenTheirPoints) {
  const std::string body = said(R"js(
  take(nodes[2]);
  var middle = at(5, 0.5);  // of the line; 1 px above it
  middle.clientY -= 1;
  over.dispatchEvent(new w.PointerEvent('pointermove', middle));
  say(says());
  over.dispatchEvent(new w.PointerEvent('pointerleave', { bubbles: true }));
  d.querySelector('.keyed .families button').click();
  say(figure.visible().map(function (c) { return c.name; }).join(' '));
  take(nodes[0]);
  say(figure.visible().length);
)js");
  EXPECT_THAT(body, testing::MatchesRegex("line . t .s. (4[.]9[0-9]*|5([.]0[0-9]*)?) . q .rad. "
                                          "(0[.]49[0-9]*|0[.]5(0[0-9]*)?)\nline\n3\ndone\n"))
      << "the legend of a diagram is of that diagram alone";
}

TEST_F(ExploreInABrowser, FamiliesPartsPinsAndExpressions) {
  const std::string body = said(R"js(
  var family = d.querySelector('.families button');
  say(inked(100, 1e-5));
  family.click();
  say(inked(100, 1e-5) + ' ' + figure.visible().map(function (c) { return c.name; }).join(', ') + ' ' +
      family.getAttribute('aria-pressed'));
  family.click();
  click(point('erk4', 1));
  say(level('erk4') + ' ' + level('gauss(s=2)'));
  take(nodes[1]);
  say(level('erk4') + ' in the other diagram too');
  take(nodes[0]);
  d.querySelectorAll('.parts button')[1].click();
  say(figure.part().id);
  d.querySelectorAll('.parts button')[0].click();
  click(point('erk4', 1));
  type(d.querySelector('.choose input'), 'order>4 | explicit');
  say(figure.visible().filter(function (c) { return level(c.name) > 0; })
          .map(function (c) { return c.name; }).sort().join(', '));
  type(d.querySelector('.choose input'), 'order>');
  say(d.querySelector('.choose span').textContent);
  type(d.querySelector('.tagged input'), '!explicit');
  say(d.querySelector('.tagged span').textContent + ' ' +
      Array.from(d.querySelectorAll('tr')).map(function (r) { return r.hidden; }).join(' '));
)js");
  EXPECT_EQ(body,
            "true\nfalse gauss(s=2), radau_iia(s=3) with control false\n3 0\n"
            "3 in the other diagram too\nv\n"
            "erk4, radau_iia(s=3) with control\ncharacter 6: order is a number: order&gt;=2\n"
            "1 of 2 true false\ndone\n");
}

TEST_F(ExploreInABrowser, TheKeyboardGoesEverywhere) {
  const std::string body = said(R"js(
  say(figure.node.tabIndex);
  key('ArrowRight');
  say(says().split(' | ').slice(0, 2).join(' | '));
  key('ArrowRight');
  say(says().split(' | ').slice(0, 2).join(' | '));
  key('ArrowDown');
  say(says().split(' | ')[0]);
  key('Enter');
  say(level('gauss(s=2)'));
  key('Escape');
  say(says() + ' ' + level('gauss(s=2)'));
)js");
  EXPECT_EQ(body, "0\nerk4 | h = 1/10 s\nerk4 | h = 1/20 s\ngauss(s=2)\n3\nnothing 0\ndone\n");
}

TEST_F(ExploreInABrowser, ADragShowsAPartAndADoubleClickAll) {
  const std::string body = said(R"js(
  var range = function () {
    figure.plot.batch(function () {});
    return ['x', 'y'].map(function (s) { return figure.plot.scales[s].min.toExponential(0); }).join(' ');
  };
  say(range());
  mouse('mousemove', at(50, 1e-3));
  mouse('mousedown', at(50, 1e-3));
  mouse('mousemove', at(2000, 1e-7));
  mouse('mouseup', at(2000, 1e-7), d);
  figure.plot.batch(function () {});
  say(figure.plot.scales.x.min > 40 && figure.plot.scales.x.max < 2500);
  mouse('dblclick', at(100, 1e-5));
  say(range());
)js");
  EXPECT_EQ(body, "1e+1 1e-9\ntrue\n1e+1 1e-9\ndone\n");
}

TEST_F(ExploreInABrowser, NothingIsWiderThanAPhone) {
  const std::string body = said(R"js(
  over.dispatchEvent(new w.PointerEvent('pointermove', point('erk4', 2)));
  say(d.documentElement.scrollWidth <= 360);
)js");
  EXPECT_EQ(body, "true\ndone\n");
}

}  // namespace
}  // namespace daemark
