// The report page: nothing read as markup, no link leaves the folder, the same bytes every time.
#include "analysis/report/report.hpp"

#include <gtest/gtest.h>

#include <regex>

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
  item.commands = {"daemark reproduce p/table1"};
  item.tables = {table};
  item.figures = {{"p/fig 2/figure.svg", "Rod end", "daemark reproduce p/fig2"}};
  item.claims = {{"fourth <order>", "Section 5", "", "fails", "slope `2.98`", "", ""}};
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
  model.sections = {{"errata", "Errata", {"As transcribed."}, {{"errata", "p/errata.md", "all"}}}};
  model.downloads = {{"verdicts.csv", "verdicts.csv", ""}};
  return model;
}

TEST(Report, IsWellFormedAndDeterministic) {
  const std::string page = render_report(sample());
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_EQ(page, render_report(sample()));
}

TEST(Report, TextIsNeverMarkup) {
  ReportModel model = sample();
  const std::string evil = "<script>alert('x')</script>\"&`a<b`";
  ReportPaper& paper = model.papers[0];
  paper.title = paper.citation = evil;
  paper.editions[0].label = evil;
  ReportItem& item = paper.items[0];
  item.title = evil;
  item.commands = item.assumed = item.notes = {evil};
  item.claims[0] = {evil, evil, "p-en", "holds", evil, evil, evil};
  item.figures[0].caption = item.figures[0].command = evil;
  item.figures[0].path = "a\"b<c>.svg";
  ReportTable& table = item.tables[0];
  table.caption = table.row_heading = table.columns[0] = evil;
  table.notes = {evil};
  ReportRow& row = table.rows[0];
  row.label = row.group = row.command = evil;
  row.cells[0].measured = evil;
  row.cells[0].printed[1].printed = row.cells[0].printed[1].why = evil;
  model.sections[0].title = evil;
  model.sections[0].paragraphs = {evil};
  const std::string page = render_report(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("<code>a&lt;b</code>"), std::string::npos);
}

TEST(Report, EveryReferenceStaysInTheFolder) {
  const std::string page = render_report(sample());
  const std::regex reference(R"re((href|src)="([^"]*)")re");
  int files = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), reference), end; it != end; ++it) {
    const std::string target = (*it)[2];
    if (target[0] == '#') {
      EXPECT_NE(page.find("id=\"" + target.substr(1) + "\""), std::string::npos) << target;
      continue;
    }
    ++files;
    EXPECT_EQ(target.find(':'), std::string::npos) << target;
    EXPECT_NE(target[0], '/') << target;
  }
  EXPECT_EQ(files, 5);
  EXPECT_NE(page.find("src=\"p/fig%202/figure.svg\""), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Report, RowsCarryTheirVerdictsForTheFilter) {
  const std::string page = render_report(sample());
  EXPECT_NE(page.find("<tr data-v=\"contradicted reproduced\" data-g=\"index 1\">"),
            std::string::npos);
  EXPECT_NE(page.find("<tr data-v=\"fails\">"), std::string::npos);
  for (const char* verdict : {"reproduced", "contradicted", "fails"}) {
    EXPECT_NE(page.find("<input type=\"checkbox\" value=\"" + std::string(verdict) + "\">"),
              std::string::npos);
  }
  EXPECT_EQ(page.find("value=\"close\""), std::string::npos) << "only verdicts that occur";
  EXPECT_NE(page.find("id=\"search\""), std::string::npos);
}

TEST(Report, ALongTableHasItsLegendAboveAFilterAndSortableColumns) {
  ReportModel model = sample();
  ReportTable& table = model.papers[0].items[0].tables[0];
  EXPECT_EQ(render_report(model).find("class=\"sortable\""), std::string::npos) << "one row";
  EXPECT_EQ(render_report(model).find("class=\"filter\""), std::string::npos);
  table.legend = {"≠: <observed> is not expected"};
  while (table.rows.size() < 50) table.rows.push_back(table.rows[0]);
  std::string page = render_report(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("class=\"sortable\""), std::string::npos);
  EXPECT_LT(page.find("≠: &lt;observed&gt;"), page.find("<caption>Violations"));
  EXPECT_NE(page.find("class=\"filter\""), std::string::npos);
  EXPECT_EQ(page.find("only rows with"), std::string::npos) << "no row is marked";
  table.rows[3].cells[0].differs = true;
  page = render_report(model);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_NE(page.find("only rows with"), std::string::npos);
  EXPECT_NE(page.find("measured differs\">2.6017e-05"), std::string::npos);
}

TEST(Report, ShowsCommandsReasonsAndBothEditions) {
  const std::string page = render_report(sample());
  EXPECT_NE(page.find("<code class=\"cmd\">daemark run --h '1/100'</code>"), std::string::npos);
  EXPECT_NE(page.find("<code class=\"cmd\">daemark reproduce p/fig2</code>"), std::string::npos);
  EXPECT_NE(page.find("English <b>2.6e-05</b>"), std::string::npos);
  EXPECT_NE(page.find("Chinese <b>7.7e-05</b>"), std::string::npos);
  EXPECT_NE(page.find("quad precision gives our number <span"), std::string::npos);
  EXPECT_NE(page.find("measured failed\">not_finite"), std::string::npos);
}

TEST(Report, EqualPrintedNumbersShareALine) {
  ReportModel model = sample();
  auto& printed = model.papers[0].items[0].tables[0].rows[0].cells[0].printed;
  printed[1] = printed[0];
  printed[1].edition = "p-cn";
  const std::string page = render_report(model);
  const std::size_t first = page.find("printed <b>2.6e-05</b>");
  ASSERT_NE(first, std::string::npos) << "all editions: no need to name them";
  EXPECT_EQ(page.find("<b>2.6e-05</b>", first + 20), std::string::npos);
}

TEST(Report, EqualClaimsShareARowAndStillCountTwice) {
  ReportModel model = sample();
  ReportItem& item = model.papers[0].items[0];
  item.claims = {{"it converges", "Section 5", "p-en", "holds", "slope 3.0", "", ""},
                 {"it converges", "§4", "p-cn", "holds", "slope 3.0", "", ""}};
  const std::string page = render_report(model);
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

TEST(Report, RefusesABrokenModel) {
  const auto refused = [](auto&& change) {
    ReportModel model = sample();
    change(model);
    EXPECT_THROW(render_report(model), BadInput);
  };
  using Model = ReportModel;
  refused([](Model& m) { m.papers[0].items[0].claims[0].verdict = "perfect"; });
  refused([](Model& m) {
    m.papers[0].items[0].tables[0].rows[0].cells[0].printed[0].edition = "p-fr";
  });
  refused([](Model& m) { m.papers[0].items[0].tables[0].rows[0].cells.pop_back(); });
  refused([](Model& m) { m.papers[0].items[0].figures[0].path = "/etc/figure.svg"; });
  refused([](Model& m) { m.papers[0].items[0].figures[0].path = "a/../../x.svg"; });
  refused([](Model& m) { m.papers[0].items[0].files[0].path = "https://example.org/x"; });
  refused([](Model& m) { m.papers[0].items.push_back(m.papers[0].items[0]); });
  refused([](Model& m) { m.sections[0].id = "p-table1"; });
  refused([](Model& m) { m.papers[0].id = "a b"; });
}

TEST(Report, AnEmptyModelIsAPage) {
  EXPECT_EQ(markup_error(render_report(ReportModel{}), true), "");
}

}  // namespace
}  // namespace daemark
