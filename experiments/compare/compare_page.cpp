#include "experiments/compare/compare_page.hpp"

#include <algorithm>

#include "analysis/report/figure_svg.hpp"
#include "experiments/compare/compare_text.hpp"
#include "experiments/compare/explore_field.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

std::string cells(const std::vector<std::string>& row, const char* tag) {
  std::string text;
  for (const std::string& cell : row)
    text += std::string("<") + tag + ">" + escape_xml(cell) + "</" + tag + ">";
  return text;
}

std::string html_table(const Table& table, const std::vector<bool>& marked = {}) {
  std::string text =
      "<div class=\"block\"><div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\">"
      "<thead><tr>" +
      cells(table.head, "th") + "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += std::string(i < marked.size() && marked[i] ? "<tr class=\"ours\">" : "<tr>") +
            cells(table.rows[i], "td") + "</tr>\n";
  return text + "</tbody></table></div></div>\n";
}

std::string html_figure(const std::string& file, const std::string& alt) {
  return "<figure><a class=\"scroll\" href=\"" + file + "\"><img loading=\"lazy\" src=\"" + file +
         "\" alt=\"" + escape_xml(alt) + "\"></a></figure>\n";
}

/// The cheapest ten and the new ones.
std::string html_field(const Compared& one, const std::vector<Accuracy>& accuracies) {
  constexpr std::size_t best = 10;
  Table table;
  table.head = {"", "method"};
  for (const Accuracy& accuracy : accuracies) table.head.push_back("work, " + accuracy.name());
  table.head.insert(table.head.end(), {"slope q", "slope v", "slope λ", "status"});
  std::vector<bool> marked;
  for (std::size_t i = 0; i < one.lines.size(); ++i) {
    const CompareLine& line = one.lines[i];
    if (i >= best && !line.is_new) continue;
    std::vector<std::string> row = {line.rank[0] > 0 ? std::to_string(line.rank[0]) : "",
                                    line.name()};
    for (const auto& reached : line.reached) row.push_back(reached ? reached->text() : "—");
    for (const double slope : line.slope)
      row.push_back(slope == slope ? std::to_string(slope).substr(0, 4) : "");
    row.push_back(line.status);
    table.rows.push_back(std::move(row));
    marked.push_back(line.is_new);
  }
  return "<h3>" + escape_xml(one.field.formulation) + "</h3>\n" +
         explore_figure(explore_plot(one)) + "<p class=\"soft\">" +
         std::to_string(one.lines.size()) + " methods</p>\n" + html_table(table, marked);
}

}  // namespace

std::string compare_page(const ComparePage& page, const std::vector<Compared>& compared,
                         const std::vector<Accuracy>& accuracies,
                         const std::vector<std::string>& left_out) {
  const PageFrame frame{page.path, page.title + " beside the catalogue"};
  std::string text = html_head({}, frame) + "<style>" + kExploreStyle +
                     "</style><main class=\"wide\">\n<h1>" + escape_xml(page.title) +
                     " beside the catalogue</h1>\n" + html_command(page.command) +
                     "<p class=\"soft\">" + escape_xml(compare_explanation(compared)) + "</p>\n";
  const Table over = over_problems(compared, accuracies);
  if (!over.rows.empty()) text += "<h2>Over all problems</h2>\n" + html_table(over);
  if (!page.profiles.empty())
    text += html_figure(page.profiles,
                        "Performance profiles: share of the pairs of a problem and an accuracy "
                        "that a method reaches within a factor of the least work");
  std::string last;
  std::vector<const Compared*> all;
  bool multipliers = false;
  for (const Compared& one : compared) {
    all.push_back(&one);
    multipliers = multipliers || one.field.motion.multipliers > 0;
  }
  CompareMotion any;
  any.multipliers = multipliers ? 1 : 0;
  text += explore_legend(families_in(all), explore_parts(any));
  for (const Compared& one : compared) {
    const CompareMotion& motion = one.field.motion;
    if (motion.problem != last) {
      text += "<h2>" + escape_xml(motion.problem) + "</h2>\n<p class=\"soft\">t = " +
              escape_xml(motion.t_end + " s, h = " + motion.h.front() + " to " + motion.h.back()) +
              " s</p>\n";
      const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                       [&](const auto& f) { return f.first == motion.problem; });
      if (figure != page.figures.end())
        text += "<p class=\"files\"><a href=\"" + figure->second +
                "\">the cheapest as a figure for papers</a></p>\n";
    }
    last = motion.problem;
    text += html_field(one, accuracies);
  }
  text += html_list("Left out", left_out);
  return text +
         "<p class=\"files\"><a href=\"table.md\">table.md</a> <a href=\"table.csv\">table.csv</a> "
         "<span class=\"soft\">every method, every number</span></p>\n</main>\n" +
         (page.tags ? "<script src=\"" + frame.link("assets/tags.js") + "\"></script>\n" : "") +
         "<script>" + kExploreScript + "</script>\n" + html_foot();
}

}  // namespace daemark
