// The pages of the report in a browser: a clean console, filters and search whose counts and
// contents follow, links to a claim, no page wider than a phone. Skipped where there is no browser.
#include "tests/support/browser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "analysis/report/animation.hpp"
#include "base/program/paths.hpp"
#include "experiments/report/report.hpp"

namespace daemark {
namespace {

Animation swinging() {
  Animation animation;
  animation.title = "pendulum";
  animation.caption = "swings";
  animation.drawing.shapes = [](double, const double* q) {
    return std::vector<DrawnShape>{{DrawnShape::Kind::body, {{0, 0, 0}, {q[0], -1, 0}}}};
  };
  for (int i = 0; i <= 50; ++i) {
    animation.t.push_back(0.1 * i);
    animation.q.push_back({std::sin(0.2 * i)});
  }
  return animation;
}

/// Two items: a wide table of 60 rows, of which one is contradicted, and three claims.
struct Sample {
  PaperSpec paper;
  ItemSpec table, claims;
  CellResult result;
  ItemOutcome table_outcome, claims_outcome;

  Sample() {
    paper.id = "p", paper.title = "A paper with a title that is rather long, as they are";
    paper.citation = "Somebody", paper.role = "paper", paper.editions = {{"en", "p", "English"}};
    table.id = "table1", table.kind = "table", table.title = "Table 1: errors";
    table.row_heading = "method";
    table.columns.resize(8);
    for (std::size_t c = 0; c < 8; ++c) {
      table.columns[c].id = std::to_string(c);
      table.columns[c].label = "error in column " + table.columns[c].id;
    }
    Cell cell;
    cell.problem = "pendulum", cell.formulation = "index1", cell.method = "gauss(2)";
    cell.h = {"1/10"}, cell.t_end = "1";
    table.rows.resize(60);
    for (std::size_t r = 0; r < 60; ++r) {
      RowSpec& row = table.rows[r];
      row.label = "method " + std::to_string(r), row.cell = cell;
      RowOutcome outcome{&row, &row, &result, {}};
      for (const ColumnSpec& column : table.columns) {
        const bool odd = r == 7 && column.id == "0";
        ValueOutcome& value = outcome.values[column.id];
        value.measured = "1.2345e-" + std::to_string(r);
        value.numbers = {{"en",
                          odd ? "9" : "1.2",
                          {odd ? Verdict::contradicted : Verdict::reproduced, "by quad"}}};
      }
      table_outcome.rows.push_back(outcome);
    }
    table_outcome.item = &table;
    claims.id = "claims", claims.kind = "claims", claims.title = "Claims";
    claims.claims.resize(3);
    const char* const texts[] = {"gamma is smaller", "delta converges", "epsilon is stable"};
    const char* const evidence[] = {"it is larger", "slope 4", "no growth"};
    for (std::size_t k = 0; k < 3; ++k) {
      ClaimSpec& claim = claims.claims[k];
      claim.id = std::string(1, "abc"[k]), claim.text = texts[k];
      claim.where = {{"en", "p. " + std::to_string(k + 1)}};
      claims_outcome.claims.push_back(
          {&claim, k == 0 ? Verdict::fails : Verdict::holds, {}, evidence[k], ""});
    }
    claims_outcome.item = &claims;
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  ReportModel model() const {
    ReportProblem problem;
    problem.id = "pendulum";
    problem.animation = animation_svg(swinging());
    problem.animation_path = "problems/pendulum/animation.svg";
    problem.data = {{"a parameter", "1.234567890123456789, 1.234567890123456789", "m", "assumed"}};
    ReportModel model;
    model.papers = {{&paper, {{&table_outcome, false}, {&claims_outcome, false}}}};
    model.problems = {problem};
    model.certificate_columns = {"method", "order"};
    model.certificates = {{{"gauss(2)", "4"}, ""}, {{"erk4", "4"}, ""}};
    return model;
  }
};

class ReportInABrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (!browser_.there()) GTEST_SKIP() << test::Browser::missing;
  }
  test::Browser browser_;
};

const char* const kHelpers = R"js(
  var visible = function (node) { return node && node.getClientRects().length > 0; };
  var click = function (verdict) {
    var box = d.querySelector('.bar input[value=' + verdict + ']');
    box.checked = !box.checked;
    box.dispatchEvent(new w.Event('input'));
  };
  var type = function (text) {
    d.getElementById('search').value = text;
    d.getElementById('search').dispatchEvent(new w.Event('input'));
  };
  var rows = function () {
    return Array.from(d.querySelectorAll('.item tr[data-v]')).filter(visible).length;
  };
  var count = function (verdict) {
    return d.querySelector('.bar input[value=' + verdict + ']').parentNode.querySelector('b').textContent;
  };
  var contents = function () {
    return Array.from(d.querySelectorAll('.contents li')).filter(visible)
        .map(function (li) { return li.querySelector('a').textContent + '=' +
                                    li.querySelector('.count').textContent; }).join(', ');
  };
)js";

TEST_F(ReportInABrowser, FiltersAndSearchOfAPaper) {
  write_report(Sample().model(), browser_.folder());
  const auto seen =
      browser_.look({browser_.folder() / "p/index.html"}, std::string(kHelpers) + R"js(
  say('all ' + rows() + ' ' + contents());
  click('contradicted');
  say('contradicted ' + rows() + ' ' + contents());
  click('contradicted'); click('holds');
  say('holds ' + rows() + ' ' + contents());
  d.getElementById('clear').click();
  type('gamma');
  say('gamma ' + rows() + ' ' + count('fails') + ' ' + count('holds') + ' ' + count('reproduced'));
  type('nowhere');
  say('nowhere ' + rows() + ' ' + visible(d.getElementById('nothing')));
  w.location.hash = '#claims.b';
  say('end');
)js");
  EXPECT_EQ(seen.body,
            "all 63 Table 1: errors=480, Claims=3\ncontradicted 1 Table 1: errors=1\n"
            "holds 2 Claims=2\ngamma 1 1 0 0\nnowhere 0 true\nend\ndone\n");
  EXPECT_EQ(seen.console, "");
}

TEST_F(ReportInABrowser, TheIndexFindsClaimsByWordVerdictAndKind) {
  write_report(Sample().model(), browser_.folder());
  const auto seen = browser_.look({browser_.folder() / "index.html"}, std::string(kHelpers) + R"js(
  var entries = function () {
    return Array.from(d.querySelectorAll('.entry')).filter(visible)
        .map(function (li) { return li.querySelector('a').textContent; }).join(', ');
  };
  say(entries());
  type('delta');
  say(entries());
  type('');
  click('fails');
  say(entries());
  click('fails');
  d.getElementById('kind').value = 'table';
  d.getElementById('kind').dispatchEvent(new w.Event('input'));
  say(entries());
)js");
  EXPECT_EQ(seen.body,
            "Table 1: errors, Claims\ndelta converges\ngamma is smaller\nTable 1: errors\ndone\n");
  EXPECT_EQ(seen.console, "");
}

TEST_F(ReportInABrowser, AnAnimationStopsAndFollowsItsSlider) {
  std::ofstream(browser_.folder() / "moving.html") << animation_html(swinging());
  const auto seen = browser_.look({browser_.folder() / "moving.html"}, std::string(kHelpers) + R"js(
  var figure = d.querySelector('figure.animation'), svg = figure.querySelector('svg');
  var slider = figure.querySelector('input');
  slider.value = 500;
  slider.dispatchEvent(new w.Event('input'));
  say(svg.animationsPaused() + ' ' + figure.querySelector('output').textContent + ' ' +
      figure.querySelector('button').textContent);
)js");
  EXPECT_EQ(seen.body, "true t = 2.50 s Play\ndone\n");
  EXPECT_EQ(seen.console, "");
}

const char* const kWidth = R"js(
  var wide = Array.from(d.querySelectorAll('body *')).filter(function (node) {
    return !node.closest('.scroll, .hear, .skip') && node.getBoundingClientRect().right > 361;
  }).map(function (node) { return node.tagName + '.' + node.className; });
  say(d.documentElement.scrollWidth + ' ' + wide.slice(0, 3).join(' '));
)js";

TEST_F(ReportInABrowser, NoPageIsWiderThanAPhone) {
  const auto paths = write_report(Sample().model(), browser_.folder());
  std::vector<std::filesystem::path> pages;
  std::string expected;
  for (const std::string& path : paths) {
    if (!path.ends_with(".html")) continue;
    pages.push_back(browser_.folder() / path);
    expected += "360 \n";
  }
  const auto seen = browser_.look(pages, kWidth);
  EXPECT_EQ(seen.body, expected + "done\n");
  EXPECT_EQ(seen.console, "");
}

/// The pages that are committed, with all their figures.
TEST_F(ReportInABrowser, TheCommittedPagesAreCleanAndFitAPhone) {
  std::vector<std::filesystem::path> pages;
  std::string expected;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / "results"))
    if (entry.path().filename() == "index.html" || entry.path().filename() == "gauss_s_2.html" ||
        (entry.path().extension() == ".html" && entry.path().parent_path().filename() == "atlas"))
      pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  for (std::size_t i = 0; i < pages.size(); ++i) expected += "360 \n";
  const auto seen = browser_.look(pages, kWidth);
  EXPECT_EQ(seen.body, expected + "done\n");
  EXPECT_EQ(seen.console, "");
}

constexpr const char* kLoading = R"js(
  var took = w.performance.getEntriesByType('navigation')[0].loadEventStart;
  say(took > 0 && took < 1000 ? 'under a second' : w.location.pathname + ': ' + took + ' ms');
)js";

/// From the start of the navigation until everything the page needs is there. The pages are files,
/// so that this is what parsing, style, layout and scripts take.
TEST_F(ReportInABrowser, TheFirstPageAndTheAtlasOpenUnderASecond) {
  std::vector<std::filesystem::path> pages;
  for (const char* name : {"index.html", "atlas/index.html", "methods/index.html"})
    if (const auto page = source_root() / "results" / name; std::filesystem::exists(page))
      pages.push_back(page);
  ASSERT_GE(pages.size(), 1u);
  std::string expected;
  for (std::size_t i = 0; i < pages.size(); ++i) expected += "under a second\n";
  auto seen = browser_.look(pages, kLoading);
  for (int again = 0; again < 4 && seen.body != expected + "done\n"; ++again)
    seen = browser_.look(pages, kLoading);  // the machine may have been busy with something else
  EXPECT_EQ(seen.body, expected + "done\n");
}

}  // namespace

TEST(Report, CommittedPagesStayBelowTwoMegabytes) {
  int pages = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_root() / "results")) {
    if (entry.path().extension() != ".html") continue;
    ++pages;
    EXPECT_LT(entry.file_size(), 2000000U) << entry.path();
  }
  EXPECT_GT(pages, 1);
}

}  // namespace daemark
