// The page of a paper: what it is, its verdicts, then item by item; the contents beside them.
#include <algorithm>

#include "analysis/report/figure_svg.hpp"
#include "experiments/report/explore.hpp"
#include "experiments/report/report_assets.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

/// The worst there is decides the colour of an entry's dot.
std::string worst_colour(const VerdictCounts& counts) {
  for (const char* colour : {"bad", "odd", "fair", "good"})
    for (const auto& [verdict, count] : counts)
      if (std::string(verdict_text(verdict).colour) == colour) return colour;
  return "none";
}

std::string contents(const ReportPaper& paper) {
  std::string text =
      "<nav class=\"contents\" id=\"contents\" aria-label=\"Contents\">\n<h2>Contents</h2><ol>\n";
  for (const ReportItem& item : paper.items) {
    VerdictCounts counts = count_numbers(item);
    add(counts, count_claims(item));
    text += "<li><a href=\"#" + item.spec().id + "\"><span class=\"dot " + worst_colour(counts) +
            "\" aria-hidden=\"true\"></span>" + html_text(item_title(paper, item)) +
            "</a> <span class=\"count\">" + (counts.empty() ? "" : std::to_string(total(counts))) +
            "</span></li>\n";
  }
  return text + "</ol></nav>\n";
}

/// Numbers of each edition and claims.
std::string summary(const ReportPaper& paper) {
  const VerdictCounts counts = count_all(paper);
  if (counts.empty()) return "";
  std::string text = html_bar(counts);
  if (paper.spec->editions.size() > 1) {
    text += "<p class=\"soft\">";
    for (const EditionSpec& edition : paper.spec->editions)
      text += escape_xml(edition.label) + ": " +
              std::to_string(total(count_verdicts(paper, edition.key))) + " numbers and claims. ";
    text += "</p>\n";
  }
  return text;
}

}  // namespace

std::string html_paper(const ReportPaper& paper, const PageFrame& page) {
  const PaperSpec& spec = *paper.spec;
  std::string text =
      "<div class=\"page\">\n<main data-p=\"" + spec.id + "\">\n<h1>" + escape_xml(spec.title) +
      "</h1>\n<p class=\"soft\">" + html_text(spec.citation) + "</p>\n" + summary(paper) +
      html_list("", spec.notes) + "<p class=\"jump\"><a href=\"#contents\">Contents</a></p>\n";
  text +=
      html_filter(count_all(paper), "", "e.g. radau \"index 3\"") +
      "<p id=\"nothing\" hidden>Nothing matches. Clear the search or choose other verdicts.</p>\n";
  if (!paper.families.empty()) text += explore_legend(paper.families, {});
  for (const ReportItem& item : paper.items) text += html_item(paper, item, page);
  text += "</main>\n" + contents(paper) + "</div>\n";
  if (std::none_of(paper.items.begin(), paper.items.end(),
                   [](const ReportItem& item) { return !item.explore.empty(); }))
    return text;
  return text + "<style>" + kExploreStyle + "</style><script>" + kExploreScript + "</script>\n";
}

}  // namespace daemark
