// The report: nothing read as markup, no link leaves the folder, the same bytes every time.
#include "experiments/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "analysis/report/figure_plan.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/markup_check.hpp"
#include "tests/experiments/report/sample_report.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Sample : test::SampleReport {
  Sample() {
    ReportProblem problem;
    problem.id = "two_link";
    problem.summary = "two rods";
    problem.equations = "x1 < cos(theta)";
    problem.data = {{"g", "9.81", "m/s^2", "assumed"}};
    problem.used_by = {{"p", "table1"}, {"elsewhere", "table9"}};
    rest.problems = {problem};
    rest.certificate_columns = {"method", "order"};
    rest.certificates = {{{"gauss(s=2)", "4"}, "certificates/gauss 2.json"}, {{"ida", "?"}, ""}};
    rest.errata = {erratum("p", "eq. (1)", exact::ErratumKind::open)};
    rest.downloads = {{"verdicts.csv", "verdicts.csv", ""}};
  }
  static exact::Erratum erratum(const std::string& paper, const std::string& place,
                                exact::ErratumKind kind) {
    exact::Erratum erratum;
    erratum.paper = paper, erratum.place = place, erratum.kind = kind;
    return erratum;
  }
};

std::string page_of(const ReportModel& model, const std::string& path = "p/index.html") {
  const auto pages = render_report(model);
  const auto found = pages.find(path);
  if (found == pages.end()) return "no such page";
  EXPECT_EQ(markup_error(found->second, true), "");
  return found->second;
}

TEST(Report, APageAPaperAndOneEachForTheRest) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : render_report(Sample().model())) {
    EXPECT_EQ(markup_error(text, true), "") << path;
    paths.push_back(path);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"certificates/index.html", "errata/index.html",
                                             "index.html", "p/index.html", "problems/index.html"}));
  EXPECT_EQ(render_report(Sample().model()), render_report(Sample().model()));
}

TEST(Report, TextIsNeverMarkup) {
  Sample sample;
  const std::string evil = "<script>alert('x')</script>\"&`a<b`";
  sample.paper.title = sample.paper.citation = sample.paper.editions[0].label = evil;
  ItemSpec& item = sample.item;
  item.title = item.where["en"] = item.row_heading = item.columns[0].label = evil;
  item.assumed = item.notes = sample.outcome.findings = {evil};
  item.plot->caption = item.rows[0].label = item.rows[0].group = evil;
  item.claims[0].text = item.claims[0].where["en"] = evil;
  sample.outcome.claims[0].evidence = sample.outcome.claims[0].why = evil;
  sample.stopped.status = sample.stopped.why = evil;
  ValueOutcome& value = sample.value();
  value.measured = value.numbers[1].printed = value.numbers[1].judgement.why = evil;
  ReportModel model = sample.model();
  exact::Erratum& erratum = model.errata[0];
  erratum.paper = erratum.place = erratum.transcribed = erratum.right = evil;
  erratum.effect = erratum.condition = erratum.evidence = evil;
  ReportProblem& problem = model.problems[0];
  problem.summary = problem.equations = problem.source = problem.caption = problem.command = evil;
  problem.animation = evil;
  problem.animation_path = "p/animation.svg";
  problem.data = {{evil, evil, evil, evil}};
  problem.parameters = {{evil, evil}};
  model.certificate_columns = {evil, evil};
  model.certificates[0].cells = {evil, evil};
  for (const auto& [path, page] : render_report(model)) {
    EXPECT_EQ(markup_error(page, true), "") << path;
    EXPECT_THAT(page, Not(HasSubstr("<script>alert"))) << path;
  }
  EXPECT_THAT(page_of(model), HasSubstr("<code>a&lt;b</code>"));
}

/// The file a link of a page leads to, below the results folder, with its anchor.
std::string resolved(const std::string& page, const std::string& link) {
  if (link[0] == '#') return page + link;
  return (std::filesystem::path(page).parent_path() / link).lexically_normal().generic_string();
}

TEST(Report, EveryReferenceStaysInTheFolderAndLeadsSomewhere) {
  const auto pages = render_report(Sample().model());
  const std::regex reference(R"re((href|src)="([^"]*)")re");
  std::set<std::string> files;
  for (const auto& [path, page] : pages) {
    for (std::sregex_iterator it(page.begin(), page.end(), reference), end; it != end; ++it) {
      const std::string target = resolved(path, (*it)[2]);
      EXPECT_NE(target.substr(0, 2), "..") << target;
      EXPECT_NE(target[0], '/') << target;
      EXPECT_THAT(target, Not(HasSubstr(":"))) << target;
      const std::size_t hash = target.find('#');
      const auto linked = pages.find(target.substr(0, hash));
      if (linked == pages.end()) {
        files.insert(target);
        continue;
      }
      const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
      if (anchor.empty() || anchor.starts_with("v=")) continue;
      EXPECT_THAT(linked->second, HasSubstr("id=\"" + anchor + "\"")) << path << " to " << target;
    }
    for (const char* outside : {"@import", "url("})
      EXPECT_THAT(page, Not(HasSubstr(outside))) << path;
    EXPECT_THAT(page, Not(HasSubstr("http"))) << path;
  }
  EXPECT_EQ(files, (std::set<std::string>{
                       "assets/report.css", "assets/report.js", "certificates/gauss%202.json",
                       "errata.md", "p/table1/conditions.csv", "p/table1/figure.csv",
                       "p/table1/figure.svg", "p/table1/records.jsonl", "p/table1/table.csv",
                       "p/table1/table.md", "p/table1/table.tex", "verdicts.csv"}));
}

TEST(Report, TheIndexTellsWhatDoesNotHoldAndLeadsThere) {
  const std::string page = page_of(Sample().model(), "index.html");
  const std::size_t against = page.find("id=\"against\"");
  ASSERT_NE(against, std::string::npos);
  EXPECT_NE(page.find("href=\"p/index.html#table1.order\">fourth &lt;order&gt;", against),
            std::string::npos);
  EXPECT_NE(page.find("printed <b>7.7e-05</b>, measured <b>2.6017e-05</b>", against),
            std::string::npos);
  EXPECT_THAT(page, HasSubstr("href=\"p/index.html#v=contradicted\""));
  EXPECT_THAT(page, HasSubstr("<b>1</b><span class=\"of\"> of 2</span>"))
      << "one of two printed numbers agrees";
  Sample fine;
  fine.outcome.claims[0].verdict = Verdict::holds;
  fine.value().numbers[1].judgement.verdict = Verdict::close;
  EXPECT_THAT(page_of(fine.model(), "index.html"), Not(HasSubstr("id=\"against\"")));
}

TEST(Report, OurOwnSentencesCountForNoPaperAndStandApart) {
  Sample sample;
  sample.add_claim("own", "It drifts.", {{"en", "Section 5"}}, Verdict::fails);
  sample.item.claims.back().own = true;
  std::string page = page_of(sample.model(), "index.html");
  EXPECT_THAT(page, HasSubstr("<b>0</b><span class=\"of\"> of 1</span> <span>claims hold"));
  EXPECT_THAT(page,
              HasSubstr("<b>2</b><span class=\"of\"></span> <span>numbers and claims do not hold"))
      << "the contradicted number and the paper's claim";
  const std::size_t apart = page.find("<h3>Our own checks</h3>");
  ASSERT_NE(apart, std::string::npos);
  EXPECT_LT(page.find("#table1.order"), apart);
  EXPECT_GT(page.find("#table1.own"), apart);
  EXPECT_EQ(count_verdicts(sample.report_paper(), "en").at("fails"), 1);
  page = page_of(sample.model());
  EXPECT_LT(page.find("Our own checks"), page.find("<tr id=\"table1.own\" data-v=\"\">"));
  sample.paper.role = "study";  // nothing in a study is a paper's
  page = page_of(sample.model(), "index.html");
  EXPECT_GT(page.find("#table1.order"), page.find("<h3>Our own checks</h3>"));
  EXPECT_THAT(page_of(sample.model()), Not(HasSubstr("the paper says")));
}

TEST(Report, AnErratumSaysWhereWhatIsThereAndWhatIsRight) {
  const Sample sample;
  ReportModel model = sample.model();
  const auto wrong = exact::ErratumKind::wrong;
  model.errata = {Sample::erratum("li2019", "eq. (4)", wrong),
                  Sample::erratum("li2019", "eq. (5)", wrong),
                  Sample::erratum("zhang2022", "eq. (6)", wrong)};
  model.errata[0].transcribed = "z' = z", model.errata[0].right = "q' = z";
  model.errata[0].evidence = "<two>";
  const std::string page = page_of(model, "errata/index.html");
  expect_shown(page, {"<h4>eq. (4)</h4><dl>\n<dt>as transcribed</dt><dd>z' = z</dd>\n"
                      "<dt>right</dt><dd>q' = z</dd>",
                      "<dd>nothing</dd>", "<dd>&lt;two&gt;</dd>"});
  EXPECT_EQ(page.find("<h3>li2019</h3>"), page.rfind("<h3>li2019</h3>")) << "one heading a paper";
}

TEST(Report, ShowsTheKindsOfErrataApart) {
  ReportModel model;
  model.errata = {Sample::erratum("p", "eq. (2)", exact::ErratumKind::damaged),
                  Sample::erratum("p", "eq. (1)", exact::ErratumKind::wrong)};
  const std::string page = page_of(model, "errata/index.html");
  std::size_t after = 0;
  for (const char* part : {"<h2>Errata: wrong in the paper (1)</h2>", "never charged to the paper",
                           "eq. (1)", "<h2>Errata: damaged in our transcription (1)</h2>",
                           "eq. (2)", "<h2>Errata: open (0)</h2>"}) {
    after = page.find(part, after);
    ASSERT_NE(after, std::string::npos) << part;
  }
}

TEST(Report, AStudyHasNoVerdictsAndStandsApart) {
  Sample sample;
  sample.paper.role = "study";
  const std::string page = page_of(sample.model(), "index.html");
  EXPECT_THAT(page, Not(HasSubstr("id=\"papers\"")));
  EXPECT_THAT(page, HasSubstr("class=\"card\" href=\"p/index.html\""));
}

TEST(Report, ProblemsNameWhatUsesThem) {
  const std::string page = page_of(Sample().model(), "problems/index.html");
  EXPECT_THAT(page, HasSubstr("href=\"../p/index.html#table1\""));
  EXPECT_THAT(page, Not(HasSubstr("elsewhere"))) << "no item of the report";
  EXPECT_THAT(page, HasSubstr("x1 &lt; cos(theta)"));
}

TEST(Report, RowsCarryTheirVerdictsForTheFilter) {
  const std::string page = page_of(Sample().model());
  expect_shown(page, {"<tr data-v=\"contradicted reproduced\" data-g=\"index 1\">",
                      "<tr id=\"table1.order\" data-v=\"fails\">"});
  for (const char* verdict : {"reproduced", "contradicted", "fails"}) {
    EXPECT_THAT(page,
                HasSubstr("<input type=\"checkbox\" value=\"" + std::string(verdict) + "\">"));
  }
  EXPECT_THAT(page, Not(HasSubstr("value=\"close\""))) << "only verdicts that occur";
  EXPECT_THAT(page, HasSubstr("id=\"search\""));
}

TEST(Report, ALongTableHasItsLegendAboveAFilterAndSortableColumns) {
  Sample sample;
  std::vector<RowOutcome>& rows = sample.outcome.rows;
  EXPECT_THAT(page_of(sample.model()), Not(HasSubstr("class=\"sortable\""))) << "one row";
  EXPECT_THAT(page_of(sample.model()), Not(HasSubstr("class=\"filter\"")));
  sample.item.legend = {"≠: <observed> is not expected"};
  rows.resize(50, rows[0]);
  std::string page = page_of(sample.model());
  EXPECT_THAT(page, HasSubstr("class=\"sortable\""));
  EXPECT_LT(page.find("≠: &lt;observed&gt;"), page.find("<caption class=\"hear\">Violations"));
  EXPECT_THAT(page, HasSubstr("class=\"filter\""));
  EXPECT_THAT(page, Not(HasSubstr("only rows with"))) << "no row is marked";
  rows[3].values.at("phi").marks = "≠";
  page = page_of(sample.model());
  expect_shown(page, {"only rows with", "measured differs\">2.6017e-05≠"});
}

TEST(Report, ShowsCommandsReasonsAndBothEditions) {
  const Sample sample;
  const std::string page = page_of(sample.model());
  expect_shown(page,
               {"<code class=\"cmd\">" + escape_xml(command(*sample.item.rows[0].cell)),
                "<code class=\"cmd\">daemark reproduce p/table1</code>", "English <b>2.6e-05</b>",
                "Chinese <b>7.7e-05</b>", "quad precision gives our number <span",
                "measured failed\">not_finite, t = 3.9 s<"});
  EXPECT_THAT(page, HasSubstr("the step &lt;diverged&gt;")) << "why it failed";
}

TEST(Report, APrintedRowBesideAnotherSaysSo) {
  Sample sample;
  RowSpec printed;
  printed.label = "erk4, h unclear";
  sample.outcome.rows.push_back(sample.outcome.rows[0]);
  sample.outcome.rows[1].row = &printed;
  EXPECT_THAT(page_of(sample.model()),
              HasSubstr("printed as erk4, h unclear, compared with erk4 &lt;fast&gt;"));
}

TEST(Report, EqualPrintedNumbersShareALine) {
  Sample sample;
  auto& numbers = sample.value().numbers;
  numbers[1] = numbers[0];
  numbers[1].edition = "cn";
  const std::string page = page_of(sample.model());
  const std::size_t first = page.find("printed <b>2.6e-05</b>");
  ASSERT_NE(first, std::string::npos) << "all editions: no need to name them";
  EXPECT_EQ(page.find("<b>2.6e-05</b>", first + 20), std::string::npos);
}

TEST(Report, EqualClaimsShareARowAndStillCountTwice) {
  Sample sample;
  sample.item.claims.clear();
  sample.outcome.claims.clear();
  sample.add_claim("en", "it converges", {{"en", "Section 5"}}, Verdict::holds);
  sample.add_claim("cn", "it converges", {{"cn", "§4"}}, Verdict::holds);
  const std::string page = page_of(sample.model());
  EXPECT_THAT(page, HasSubstr("English: Section 5; Chinese: §4<"));
  EXPECT_EQ(page.find("it converges"), page.rfind("it converges"));
  EXPECT_EQ(count_verdicts(sample.report_paper(), "cn").at("holds"), 1);
}

TEST(Report, CountsByEdition) {
  const Sample sample;
  EXPECT_EQ(count_verdicts(sample.report_paper(), "en"),
            (std::map<std::string, int>{{"reproduced", 1}, {"fails", 1}}));
  EXPECT_EQ(count_verdicts(sample.report_paper(), "cn"),
            (std::map<std::string, int>{{"contradicted", 1}, {"fails", 1}}));
}

TEST(Report, RefusesIdsThatAreNoPartOfALink) {
  const auto refused = [](auto&& change) {
    Sample sample;
    change(sample);
    EXPECT_THROW(render_report(sample.model()), BadInput);
  };
  refused([](Sample& s) { s.item.id = "../x"; });
  refused([](Sample& s) { s.outcome.claims.push_back(s.outcome.claims[0]); });
  refused([](Sample& s) { s.paper.id = "problems"; });
  refused([](Sample& s) { s.paper.id = "a b"; });
  ReportModel twice = Sample().rest;
  const Sample sample;
  twice.papers = {sample.report_paper()};
  twice.papers[0].items.push_back(twice.papers[0].items[0]);
  EXPECT_THROW(render_report(twice), BadInput);
}

TEST(Report, AnEmptyModelIsAPage) {
  const auto pages = render_report(ReportModel{});
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(markup_error(pages.at("index.html"), true), "");
}

}  // namespace
}  // namespace daemark
