// The pages of the papers, the problems, the certificates and the errata.
#include <algorithm>

#include "analysis/report/animation.hpp"
#include "experiments/report/explore.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

/// The worst there is decides the colour of an entry's dot.
std::string worst_colour(const VerdictCounts& counts) {
  for (const char* colour : {"bad", "odd", "fair", "good"})
    for (const auto& [verdict, count] : counts)
      if (verdict_data(verdict)["colour"] == colour) return colour;
  return "none";
}

/// The title of an item of the report; empty for one that is no part of it.
std::string title_of(const ReportModel& model, const std::string& paper, const std::string& id) {
  for (const ReportPaper& candidate : model.papers)
    for (const ReportItem& item : candidate.items)
      if (candidate.spec->id == paper && item.spec().id == id) return item_title(candidate, item);
  return "";
}

/// Items by paper; those that are no part of the report are left out.
PageData used_by(const ReportModel& model, const ReportProblem& problem, const PageFrame& page) {
  PageData papers = PageData::array();
  for (const auto& [paper, item] : problem.used_by) {
    const std::string title = title_of(model, paper, item);
    if (title.empty()) continue;
    if (papers.empty() || papers.back()["paper"] != paper)
      papers.push_back({{"paper", paper}, {"items", PageData::array()}});
    papers.back()["items"].push_back({{"link", page.link(paper + "/index.html", "#" + item)},
                                      {"title", title},
                                      {"label", item}});
  }
  return papers;
}

template <std::size_t n>
void add_table(PageData& tables, const char* title, const std::vector<std::string>& heads,
               const std::vector<std::array<std::string, n>>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) cells.emplace_back(row.begin(), row.end());
  if (!rows.empty())
    tables.push_back({{"title", title}, {"heads", heads}, {"rows", table_rows(cells)}});
}

PageData problem_data(const ReportModel& model, const ReportProblem& problem,
                      const PageFrame& page) {
  PageData tables = PageData::array();
  add_table(tables, "Arguments", {"name", "accepted"}, problem.parameters);
  add_table(tables, "Parameters", {"name", "value", "unit", "source"}, problem.data);
  const bool moves = !animation_figure(problem.animation).empty();
  return {{"id", problem.id},
          {"summary", problem.summary},
          {"more", page.link(problem.card.empty() ? problem.animation_path : problem.card)},
          {"moving", moves ? page.link(problem.animation_path) : ""},
          {"caption", problem.caption},
          {"command", problem.command},
          {"card", problem.card.empty() ? "" : page.link(problem.card)},
          {"equations", problem.equations},
          {"source", problem.source},
          {"lines", problem.references},
          {"tables", tables},
          {"used", used_by(model, problem, page)}};
}

std::string citation(const ReportModel& model, const std::string& id) {
  for (const ReportPaper& paper : model.papers)
    if (paper.spec->id == id) return paper.spec->citation;
  return "";
}

/// Where, then what stands there beside what is right; the proof is for those who ask.
PageData erratum_data(const exact::Erratum& erratum) {
  PageData lines = PageData::array(), evidence = PageData::array();
  const auto add = [](PageData& to, const char* name, const std::string& value) {
    if (!value.empty()) to.push_back({{"name", name}, {"value", value}});
  };
  add(lines, "as transcribed", erratum.transcribed.empty() ? "nothing" : erratum.transcribed);
  add(lines, "right", erratum.right);
  add(lines, "effect", erratum.effect);
  add(evidence, "exact check", erratum.condition);
  add(evidence, "carried by", erratum.evidence);
  return {{"place", erratum.place}, {"lines", lines}, {"evidence", evidence}};
}

}  // namespace

PageData paper_data(const ReportPaper& paper) {
  const PaperSpec& spec = *paper.spec;
  const PageData counts = counts_data(count_all(paper));
  PageData editions = PageData::array(), items = PageData::array();
  if (spec.editions.size() > 1 && !counts.empty())
    for (const EditionSpec& edition : spec.editions)
      editions.push_back(
          {{"label", edition.label}, {"count", total(count_verdicts(paper, edition.key))}});
  for (const ReportItem& item : paper.items) {
    VerdictCounts of_item = count_numbers(item);
    add(of_item, count_claims(item));
    items.push_back(item_data(paper, item));
    items.back()["worst"] = worst_colour(of_item);
    items.back()["count"] = of_item.empty() ? "" : std::to_string(total(of_item));
  }
  return {{"id", spec.id},
          {"title", spec.title},
          {"citation", spec.citation},
          {"counts", counts},
          {"editions", editions},
          {"lines", spec.notes},
          {"search",
           {{"example", "e.g. radau \"index 3\""}, {"counts", counts}, {"choices", PageData()}}},
          {"legend", paper.families.empty() ? "" : explore_legend(paper.families, {})},
          {"items", items}};
}

PageData problems_data(const ReportModel& model, const PageFrame& page) {
  PageData problems = PageData::array();
  for (const ReportProblem& problem : model.problems)
    problems.push_back(problem_data(model, problem, page));
  return {{"problems", problems}};
}

PageData certificates_data(const ReportModel& model, const PageFrame& page) {
  std::vector<std::vector<std::string>> cells;
  for (const ReportCertificate& line : model.certificates) {
    cells.push_back(line.cells);
    cells.back().front() = "`" + cells.back().front() + "`";
  }
  PageData rows = table_rows(cells);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]["words"] = true;
    if (const std::string& path = model.certificates[i].path; !path.empty())
      rows[i]["cells"][0]["link"] = page.link(path);
  }
  return {{"class", "sortable"}, {"heads", model.certificate_columns}, {"rows", rows}};
}

PageData errata_data(const ReportModel& model) {
  PageData kinds = PageData::array();
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    PageData papers = PageData::array();
    int count = 0;
    for (const exact::Erratum& erratum : model.errata) {
      if (erratum.kind != kind) continue;
      if (papers.empty() || papers.back()["paper"] != erratum.paper)
        papers.push_back({{"paper", erratum.paper},
                          {"citation", citation(model, erratum.paper)},
                          {"entries", PageData::array()}});
      papers.back()["entries"].push_back(erratum_data(erratum));
      ++count;
    }
    kinds.push_back({{"word", exact::word(kind)},
                     {"heading", exact::heading(kind)},
                     {"count", count},
                     {"rule", exact::errata_rule},
                     {"papers", papers}});
  }
  return {{"kinds", kinds}, {"field", model.field_errata}};
}

}  // namespace daemark
