// The report: nothing read as markup, no link leaves the folder, the same bytes every time.
#include "experiments/report/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "base/text/bad_input.hpp"
#include "tests/analysis/markup_check.hpp"

namespace daemark {
namespace {

ReportModel sample() {
  ReportCell cell;
  cell.measured = "2.6017e-05";
  cell.printed = {{"p-en", "2.6e-05", "reproduced", ""},
                  {"p-cn", "7.7e-05", "contradicted", "quad precision gives our number"}};
  ReportCell alone;
  alone.measured = "not_finite, t = 3.9 s";
  alone.failed = true;
  ReportTable table;
  table.caption = "Violations";
  table.row_heading = "method";
  table.columns = {"Φ [m]", "energy [J]"};
  table.rows = {{"erk4 <fast> & \"good\"", "index 1", {cell, alone}, "daemark run --h '1/100'"}};
  ReportItem item;
  item.id = "table1";
  item.title = "Table 1";
  item.kind = "table";
  item.command = "daemark reproduce p/table1";
  item.table = table;
  item.figure = {"p/fig 2/figure.svg", "Rod end"};
  item.claims = {{"order", "fourth <order>", "Section 5", "", "fails", "slope `2.98`", ""}};
  item.assumed = {"g = 9.81 m/s²"};
  item.files = {{"CSV", "p/table1/table.csv", ""}};
  ReportPaper paper;
  paper.id = "p";
  paper.title = "A paper";
  paper.citation = "A. Author, 2019";
  paper.editions = {{"p-en", "English"}, {"p-cn", "Chinese"}};
  paper.items = {item};
  ReportModel model;
  model.papers = {paper};
  ReportProblem problem;
  problem.id = "two_link";
  problem.summary = "two rods";
  problem.equations = "x1 < cos(theta)";
  problem.data = {{"g", "9.81", "m/s^2", "assumed"}};
  problem.used_by = {{"p", "table1"}, {"elsewhere", "table9"}};
  model.problems = {problem};
  model.certificate_columns = {"method", "order"};
  model.certificates = {{{"gauss(s=2)", "4"}, "certificates/gauss_s_2.json"}, {{"ida", "?"}, ""}};
  model.errata = {{"printed", "Errata", {"As transcribed."}, {{"errata", "errata.md", "all"}}}};
  model.downloads = {{"verdicts.csv", "verdicts.csv", ""}};
  return model;
}

std::string page_of(const ReportModel& model, const std::string& path = "p/index.html") {
  const auto pages = render_report(model);
  const auto found = pages.find(path);
  return found == pages.end() ? "no such page" : found->second;
}

TEST(Report, APageAPaperAndOneEachForTheRest) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : render_report(sample())) {
    EXPECT_EQ(markup_error(text, true), "") << path;
    paths.push_back(path);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"certificates/index.html", "errata/index.html",
                                             "index.html", "p/index.html", "problems/index.html"}));
  EXPECT_EQ(render_report(sample()), render_report(sample()));
}

TEST(Report, TextIsNeverMarkup) {
  ReportModel model = sample();
  const std::string evil = "<script>alert('x')</script>\"&`a<b`";
  ReportPaper& paper = model.papers[0];
  paper.title = paper.citation = evil;
  paper.editions[0].label = evil;
  ReportItem& item = paper.items[0];
  item.title = evil;
  item.command = evil;
  item.assumed = item.notes = {evil};
  item.claims[0] = {"order", evil, evil, "p-en", "holds", evil, evil};
  item.figure = {"a\"b<c>.svg", evil};
  ReportTable& table = *item.table;
  table.caption = table.row_heading = table.columns[0] = evil;
  table.notes = {evil};
  ReportRow& row = table.rows[0];
  row.label = row.group = row.command = evil;
  row.cells[0].measured = evil;
  row.cells[0].printed[1].printed = row.cells[0].printed[1].why = evil;
  model.errata[0].title = evil;
  model.errata[0].paragraphs = {evil};
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
    EXPECT_EQ(page.find("<script>alert"), std::string::npos) << path;
  }
  EXPECT_NE(page_of(model).find("<code>a&lt;b</code>"), std::string::npos);
}

/// The file a link of a page leads to, below the results folder, with its anchor.
std::string resolved(const std::string& page, const std::string& link) {
  if (link[0] == '#') return page + link;
  return (std::filesystem::path(page).parent_path() / link).lexically_normal().generic_string();
}

TEST(Report, EveryReferenceStaysInTheFolderAndLeadsSomewhere) {
  const auto pages = render_report(sample());
  const std::regex reference(R"re((href|src)="([^"]*)")re");
  std::set<std::string> files;
  for (const auto& [path, page] : pages) {
    for (std::sregex_iterator it(page.begin(), page.end(), reference), end; it != end; ++it) {
      const std::string target = resolved(path, (*it)[2]);
      EXPECT_NE(target.substr(0, 2), "..") << target;
      EXPECT_NE(target[0], '/') << target;
      EXPECT_EQ(target.find(':'), std::string::npos) << target;
      const std::size_t hash = target.find('#');
      const auto linked = pages.find(target.substr(0, hash));
      if (linked == pages.end()) {
        files.insert(target);
        continue;
      }
      const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
      if (anchor.empty() || anchor.starts_with("v=")) continue;
      EXPECT_NE(linked->second.find("id=\"" + anchor + "\""), std::string::npos)
          << path << " to " << target;
    }
    for (const char* outside : {"@import", "url("})
      EXPECT_EQ(page.find(outside), std::string::npos) << path;
    EXPECT_EQ(page.find("http"), std::string::npos) << path;
  }
  EXPECT_EQ(files,
            (std::set<std::string>{"certificates/gauss_s_2.json", "errata.md",
                                   "p/fig%202/figure.svg", "p/table1/table.csv", "verdicts.csv"}));
}

TEST(Report, TheIndexTellsWhatDoesNotHoldAndLeadsThere) {
  const std::string page = page_of(sample(), "index.html");
  const std::size_t against = page.find("id=\"against\"");
  ASSERT_NE(against, std::string::npos);
  EXPECT_NE(page.find("href=\"p/index.html#table1.order\">fourth &lt;order&gt;", against),
            std::string::npos);
  EXPECT_NE(page.find("printed <b>7.7e-05</b>, measured <b>2.6017e-05</b>", against),
            std::string::npos);
  EXPECT_NE(page.find("href=\"p/index.html#v=contradicted\""), std::string::npos);
  EXPECT_NE(page.find("<b>1</b><span class=\"of\"> of 2</span>"), std::string::npos)
      << "one of two printed numbers agrees";
  ReportModel fine = sample();
  ReportItem& item = fine.papers[0].items[0];
  item.claims[0].verdict = "holds";
  item.table->rows[0].cells[0].printed[1].verdict = "close";
  EXPECT_EQ(page_of(fine, "index.html").find("id=\"against\""), std::string::npos);
}

TEST(Report, OurOwnSentencesCountForNoPaperAndStandApart) {
  ReportModel model = sample();
  ReportItem& item = model.papers[0].items[0];
  item.claims.push_back({"own", "Not in the paper: it drifts.", "Section 5", "", "fails", "", ""});
  std::string page = page_of(model, "index.html");
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("<b>0</b><span class=\"of\"> of 1</span> <span>claims hold"),
            std::string::npos);
  EXPECT_NE(page.find("<b>2</b><span class=\"of\"></span> <span>numbers and claims do not hold"),
            std::string::npos)
      << "the contradicted number and the paper's claim";
  const std::size_t apart = page.find("<h3>Our own checks</h3>");
  ASSERT_NE(apart, std::string::npos);
  EXPECT_LT(page.find("#table1.order"), apart);
  EXPECT_GT(page.find("#table1.own"), apart);
  EXPECT_EQ(count_verdicts(model.papers[0], "p-en").at("fails"), 1);
  page = page_of(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_LT(page.find("Our own checks"), page.find("<tr id=\"table1.own\" data-v=\"\">"));
  model.papers[0].study = true;  // nothing in a study is a paper's
  page = page_of(model, "index.html");
  EXPECT_GT(page.find("#table1.order"), page.find("<h3>Our own checks</h3>"));
  EXPECT_EQ(page_of(model).find("the paper says"), std::string::npos);
}

TEST(Report, AnErratumSaysWhereWhatIsThereAndWhatIsRight) {
  ReportModel model = sample();
  model.errata[0].entries = {{"li2019", "eq. (4)", "z' = z", "q' = z", "none", "off by 3", "<two>"},
                             {"li2019", "eq. (5)", "", "0", "none", "", ""},
                             {"zhang2022", "eq. (6)", "a", "b", "none", "", ""}};
  const std::string page = page_of(model, "errata/index.html");
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("<h4>eq. (4)</h4><dl>\n<dt>as transcribed</dt><dd>z' = z</dd>\n"
                      "<dt>right</dt><dd>q' = z</dd>"),
            std::string::npos);
  EXPECT_NE(page.find("<dd>nothing</dd>"), std::string::npos);
  EXPECT_NE(page.find("<dd>&lt;two&gt;</dd>"), std::string::npos);
  EXPECT_EQ(page.find("<h3>li2019</h3>"), page.rfind("<h3>li2019</h3>")) << "one heading a paper";
}

TEST(Report, AStudyHasNoVerdictsAndStandsApart) {
  ReportModel model = sample();
  model.papers[0].study = true;
  const std::string page = page_of(model, "index.html");
  EXPECT_EQ(page.find("id=\"papers\""), std::string::npos);
  EXPECT_NE(page.find("class=\"card\" href=\"p/index.html\""), std::string::npos);
}

TEST(Report, ProblemsNameWhatUsesThem) {
  const std::string page = page_of(sample(), "problems/index.html");
  EXPECT_NE(page.find("href=\"../p/index.html#table1\""), std::string::npos);
  EXPECT_EQ(page.find("elsewhere"), std::string::npos) << "no item of the report";
  EXPECT_NE(page.find("x1 &lt; cos(theta)"), std::string::npos);
}

TEST(Report, RowsCarryTheirVerdictsForTheFilter) {
  const std::string page = page_of(sample());
  EXPECT_NE(page.find("<tr data-v=\"contradicted reproduced\" data-g=\"index 1\">"),
            std::string::npos);
  EXPECT_NE(page.find("<tr id=\"table1.order\" data-v=\"fails\">"), std::string::npos);
  for (const char* verdict : {"reproduced", "contradicted", "fails"}) {
    EXPECT_NE(page.find("<input type=\"checkbox\" value=\"" + std::string(verdict) + "\">"),
              std::string::npos);
  }
  EXPECT_EQ(page.find("value=\"close\""), std::string::npos) << "only verdicts that occur";
  EXPECT_NE(page.find("id=\"search\""), std::string::npos);
}

TEST(Report, ALongTableHasItsLegendAboveAFilterAndSortableColumns) {
  ReportModel model = sample();
  ReportTable& table = *model.papers[0].items[0].table;
  EXPECT_EQ(page_of(model).find("class=\"sortable\""), std::string::npos) << "one row";
  EXPECT_EQ(page_of(model).find("class=\"filter\""), std::string::npos);
  table.legend = {"≠: <observed> is not expected"};
  while (table.rows.size() < 50) table.rows.push_back(table.rows[0]);
  std::string page = page_of(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("class=\"sortable\""), std::string::npos);
  EXPECT_LT(page.find("≠: &lt;observed&gt;"), page.find("<caption>Violations"));
  EXPECT_NE(page.find("class=\"filter\""), std::string::npos);
  EXPECT_EQ(page.find("only rows with"), std::string::npos) << "no row is marked";
  table.rows[3].cells[0].differs = true;
  page = page_of(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("only rows with"), std::string::npos);
  EXPECT_NE(page.find("measured differs\">2.6017e-05"), std::string::npos);
}

TEST(Report, ShowsCommandsReasonsAndBothEditions) {
  const std::string page = page_of(sample());
  EXPECT_NE(page.find("<code class=\"cmd\">daemark run --h '1/100'</code>"), std::string::npos);
  EXPECT_NE(page.find("<code class=\"cmd\">daemark reproduce p/table1</code>"), std::string::npos);
  EXPECT_NE(page.find("English <b>2.6e-05</b>"), std::string::npos);
  EXPECT_NE(page.find("Chinese <b>7.7e-05</b>"), std::string::npos);
  EXPECT_NE(page.find("quad precision gives our number <span"), std::string::npos);
  EXPECT_NE(page.find("measured failed\">not_finite"), std::string::npos);
}

TEST(Report, EqualPrintedNumbersShareALine) {
  ReportModel model = sample();
  auto& printed = model.papers[0].items[0].table->rows[0].cells[0].printed;
  printed[1] = printed[0];
  printed[1].edition = "p-cn";
  const std::string page = page_of(model);
  const std::size_t first = page.find("printed <b>2.6e-05</b>");
  ASSERT_NE(first, std::string::npos) << "all editions: no need to name them";
  EXPECT_EQ(page.find("<b>2.6e-05</b>", first + 20), std::string::npos);
}

TEST(Report, EqualClaimsShareARowAndStillCountTwice) {
  ReportModel model = sample();
  ReportItem& item = model.papers[0].items[0];
  item.claims = {{"en", "it converges", "Section 5", "p-en", "holds", "slope 3.0", ""},
                 {"cn", "it converges", "§4", "p-cn", "holds", "slope 3.0", ""}};
  const std::string page = page_of(model);
  EXPECT_NE(page.find("Section 5, English; §4, Chinese"), std::string::npos);
  EXPECT_EQ(page.find("it converges"), page.rfind("it converges"));
  EXPECT_EQ(count_verdicts(model.papers[0], "p-cn").at("holds"), 1);
}

TEST(Report, CountsByEdition) {
  const ReportPaper paper = sample().papers[0];
  EXPECT_EQ(count_verdicts(paper, "p-en"),
            (std::map<std::string, int>{{"reproduced", 1}, {"fails", 1}}));
  EXPECT_EQ(count_verdicts(paper, "p-cn"),
            (std::map<std::string, int>{{"contradicted", 1}, {"fails", 1}}));
}

TEST(Report, RefusesIdsThatAreNoPartOfALink) {
  const auto refused = [](auto&& change) {
    ReportModel model = sample();
    change(model.papers[0]);
    EXPECT_THROW(render_report(model), BadInput);
  };
  refused([](ReportPaper& p) { p.items.push_back(p.items[0]); });
  refused([](ReportPaper& p) { p.items[0].id = "../x"; });
  refused([](ReportPaper& p) { p.items[0].claims.push_back(p.items[0].claims[0]); });
  refused([](ReportPaper& p) { p.id = "problems"; });
  refused([](ReportPaper& p) { p.id = "a b"; });
}

TEST(Report, AnEmptyModelIsAPage) {
  const auto pages = render_report(ReportModel{});
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(markup_error(pages.at("index.html"), true), "");
}

}  // namespace
}  // namespace daemark
