// The pages of the problems, the certificates and the errata.
#include <algorithm>

#include "analysis/report/animation.hpp"
#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

/// The title of an item of the report; empty for one that is no part of it.
std::string title_of(const ReportModel& model, const std::string& paper, const std::string& id) {
  for (const ReportPaper& candidate : model.papers)
    for (const ReportItem& item : candidate.items)
      if (candidate.spec->id == paper && item.spec().id == id) return item_title(candidate, item);
  return "";
}

template <std::size_t n>
std::string small_table(const std::array<const char*, n>& heads,
                        const std::vector<std::array<std::string, n>>& rows) {
  if (rows.empty()) return "";
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
  for (const char* head : heads) text += std::string("<th scope=\"col\">") + head + "</th>";
  text += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < n; ++i)
      text += (i == 0 ? "<th scope=\"row\">" : "<td>") + html_text(row[i]) +
              (i == 0 ? "</th>" : "</td>");
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

/// Items by paper; those that are no part of the report are left out.
std::string used_by(const ReportModel& model, const ReportProblem& problem, const PageFrame& page) {
  std::string text, last;
  for (const auto& [paper, item] : problem.used_by) {
    const std::string title = title_of(model, paper, item);
    if (title.empty()) continue;
    if (paper != last)
      text += (last.empty() ? "<dt>" : "</dd><dt>") + escape_xml(paper) + "</dt><dd>";
    text += (paper != last ? "" : ", ") + std::string("<a href=\"") +
            page.link(paper + "/index.html", "#" + item) + "\" title=\"" + escape_xml(title) +
            "\">" + escape_xml(item) + "</a>";
    last = paper;
  }
  return text.empty() ? "" : "<h3>Used by</h3><dl class=\"used\">" + text + "</dd></dl>\n";
}

std::string citation(const ReportModel& model, const std::string& id) {
  for (const ReportPaper& paper : model.papers)
    if (paper.spec->id == id)
      return "<p class=\"soft\">" + html_text(paper.spec->citation) + "</p>\n";
  return "";
}

/// Where, then what stands there beside what is right; the proof is for those who ask.
std::string html_erratum(const exact::Erratum& erratum) {
  std::string text = "<div class=\"erratum\"><h4>" + html_text(erratum.place) + "</h4><dl>\n";
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty())
      text += std::string("<dt>") + name + "</dt><dd>" + html_text(value) + "</dd>\n";
  };
  line("as transcribed", erratum.transcribed.empty() ? "nothing" : erratum.transcribed);
  line("right", erratum.right);
  line("effect", erratum.effect);
  text += "</dl><details><summary>Evidence</summary><dl>\n";
  line("exact check", erratum.condition);
  line("carried by", erratum.evidence);
  return text + "</dl></details></div>\n";
}

std::string html_problem(const ReportModel& model, const ReportProblem& problem,
                         const PageFrame& page) {
  std::string text = "<section class=\"item\" id=\"" + problem.id + "\" data-name=\"" +
                     escape_xml(problem.id + " " + problem.summary) + "\"><h2><a href=\"#" +
                     problem.id + "\"><code>" + problem.id + "</code></a></h2>\n<p>" +
                     html_text(problem.summary) + "</p>\n";
  const std::string& more = problem.card.empty() ? problem.animation_path : problem.card;
  if (!animation_figure(problem.animation).empty())
    text += "<a class=\"moving\" href=\"" + page.link(more) + "\"><img loading=\"lazy\" src=\"" +
            page.link(problem.animation_path) + "\" alt=\"" + escape_xml(problem.id) +
            " in motion\"></a><p class=\"soft\">" + html_text(problem.caption) + "</p>\n" +
            html_command(problem.command);
  if (!problem.card.empty())
    text += "<p class=\"files\"><a href=\"" + page.link(problem.card) +
            "\">its page</a> <span class=\"soft\">the motion to stop and follow, frequencies, best "
            "methods, Python</span></p>\n";
  text += "<h3>Equations</h3><p>" + html_text(problem.equations) + "</p>\n<h3>Source</h3><p>" +
          html_text(problem.source) + "</p>\n" + html_list("", problem.references);
  if (!problem.parameters.empty())
    text += "<h3>Arguments</h3>" + small_table<2>({"name", "accepted"}, problem.parameters);
  if (!problem.data.empty())
    text +=
        "<h3>Parameters</h3>" + small_table<4>({"name", "value", "unit", "source"}, problem.data);
  return text + used_by(model, problem, page) + html_command("daemark show " + problem.id) +
         "</section>\n";
}

}  // namespace

std::string html_problems(const ReportModel& model, const PageFrame& page) {
  std::string text =
      "<div class=\"page\">\n<main>\n<h1>Problems</h1>\n<p class=\"soft\">The mechanisms, how they "
      "move, and what is measured on them. Positions and joints are those of the "
      "integration.</p>\n<p class=\"jump\"><a "
      "href=\"#contents\">Contents</a></p>\n";
  std::string list;
  for (const ReportProblem& problem : model.problems) {
    text += html_problem(model, problem, page);
    list += "<li><a href=\"#" + problem.id + "\">" + escape_xml(problem.id) + "</a></li>\n";
  }
  return text +
         "</main>\n<nav class=\"contents\" id=\"contents\" aria-label=\"Contents\"><h2>Contents"
         "</h2><ol>\n" +
         list + "</ol></nav>\n</div>\n";
}

std::string html_certificates(const ReportModel& model, const PageFrame& page) {
  std::string text =
      "<main class=\"wide\">\n<h1>Certificates</h1>\n<p class=\"lead\">What exact arithmetic "
      "decided "
      "about every method of the catalogue. A certificate holds what <code>daemark_checker</code>, "
      "a program of its own, needs to check the decision again.</p>\n" +
      html_command("daemark verify") +
      "<div class=\"block\"><p class=\"filter\"><input type=\"search\" placeholder=\"rows with …\" "
      "aria-label=\"Filter this table\"><span class=\"soft\"></span></p><div class=\"scroll\" "
      "tabindex=\"0\"><table class=\"sortable\"><thead><tr>";
  for (const std::string& column : model.certificate_columns)
    text += "<th scope=\"col\">" + html_text(column) + "</th>";
  text += "</tr></thead><tbody>\n";
  for (const ReportCertificate& line : model.certificates) {
    text += "<tr data-v=\"\">";
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      std::string cell =
          i == 0 ? "<code>" + escape_xml(line.cells[i]) + "</code>" : html_text(line.cells[i]);
      if (i == 0 && !line.path.empty())
        cell = "<a href=\"" + page.link(line.path) + "\">" + cell + "</a>";
      text += (i == 0 ? "<th scope=\"row\">" : "<td>") + cell + (i == 0 ? "</th>" : "</td>");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div></div>\n</main>\n";
}

std::string html_errata(const ReportModel& model, const PageFrame& page) {
  std::string text = "<main class=\"wide\">\n<h1>Errata</h1>\n";
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    std::string entries, paper;
    int count = 0;
    for (const exact::Erratum& erratum : model.errata) {
      if (erratum.kind != kind) continue;
      if (erratum.paper != paper)
        entries += "<h3>" + escape_xml(erratum.paper) + "</h3>\n" + citation(model, erratum.paper);
      paper = erratum.paper;
      entries += html_erratum(erratum);
      ++count;
    }
    text += "<section class=\"item\" id=\"errata-" + exact::word(kind) +
            "\">\n<h2>Errata: " + exact::heading(kind) + " (" + std::to_string(count) +
            ")</h2>\n<p>" + html_text(exact::errata_rule) + "</p>\n" + entries +
            html_links({{"errata", "errata.md", "with what each changes"}}, page) + "</section>\n";
  }
  if (model.field_errata)
    text +=
        "<section class=\"item\" id=\"errata-field\">\n<h2>Errata of the field</h2>\n<p>Tableaus, "
        "orders, flags and reference states that public collections print wrong: what is printed "
        "fails a check, what is right passes all.</p>\n" +
        html_links({{"errata-field", "errata-field.md", "with the command that shows each"}},
                   page) +
        "</section>\n";
  return text + "</main>\n";
}

}  // namespace daemark
