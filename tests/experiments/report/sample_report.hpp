// A paper of one table with two columns and a claim, and a model of the report with it.
#pragma once

#include "experiments/report/report.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark::test {

struct SampleReport {
  PaperSpec paper;
  ItemSpec item;
  CellResult stopped;
  ItemOutcome outcome;  ///< of `item`
  ReportModel rest;     ///< what is of no paper

  SampleReport() {
    paper.id = "p", paper.title = "A paper", paper.citation = "A. Author, 2019";
    paper.role = "paper";
    paper.editions = {{"en", "p-en", "English"}, {"cn", "p-cn", "Chinese"}};
    item.paper = "p", item.id = "table1", item.kind = "table", item.title = "Violations";
    item.where = {{"en", "Table 1"}, {"cn", "Table 2"}};
    item.row_heading = "method";
    item.columns.resize(2);
    item.columns[0].id = "phi", item.columns[0].label = "Φ", item.columns[0].unit = "m";
    item.columns[1].id = "energy", item.columns[1].label = "energy";
    item.rows.resize(1);
    item.rows[0].id = "a", item.rows[0].group = "index 1";
    item.rows[0].cell = run_cell("two_link", "gauss(2)", "index1", "1/100", "10");
    item.rows[0].label = "erk4 <fast> & \"good\"";
    item.assumed = {"g = 9.81 m/s²"};
    item.plot.emplace().caption = "Rod end";
    stopped.status = "not_finite", stopped.t = 3.9, stopped.why = "the step <diverged>";
    const RowSpec* row = &item.rows[0];
    ValueOutcome value;
    value.measured = "2.6017e-05";
    value.numbers = {{"en", "2.6e-05", {Verdict::reproduced, ""}},
                     {"cn", "7.7e-05", {Verdict::contradicted, "quad precision gives our number"}}};
    outcome.rows = {{row, row, &stopped, {{"phi", value}, {"energy", {}}}}};
    item.claims.reserve(2);  // outcomes point into it
    add_claim("order", "fourth <order>", {{"en", "Section 5"}, {"cn", "§5"}}, Verdict::fails);
    outcome.claims[0].evidence = "slope `2.98`";
    outcome.item = &item;
  }
  SampleReport(const SampleReport&) = delete;
  SampleReport& operator=(const SampleReport&) = delete;

  /// At most two.
  ClaimOutcome& add_claim(const std::string& id, const std::string& text,
                          const std::map<std::string, std::string>& where, Verdict verdict) {
    ClaimSpec claim;
    claim.id = id, claim.text = text, claim.where = where;
    item.claims.push_back(claim);
    outcome.claims.push_back({&item.claims.back(), verdict, {}, "", ""});
    return outcome.claims.back();
  }
  ValueOutcome& value() { return outcome.rows[0].values.at("phi"); }
  ReportPaper report_paper() const { return {&paper, {{&outcome, true}}}; }
  ReportModel model() const {
    ReportModel all = rest;
    all.papers = {report_paper()};
    return all;
  }
};

}  // namespace daemark::test
