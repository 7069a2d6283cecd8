#include "experiments/compare/compare_page.hpp"

#include <algorithm>

#include "experiments/compare/compare_text.hpp"
#include "experiments/compare/explore_field.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

PageData table_data(const Table& table) {
  return {{"class", "sortable"}, {"heads", table.head}, {"rows", table_rows(table.rows)}};
}

/// The cheapest ten and the new ones.
PageData field_data(const Compared& one, const std::vector<Accuracy>& accuracies) {
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
  PageData data = table_data(table);
  for (std::size_t i = 0; i < marked.size(); ++i) data["rows"][i]["marked"] = marked[i] == true;
  data["formulation"] = one.field.formulation;
  data["figure"] = explore_figure(explore_plot(one));
  data["methods"] = one.lines.size();
  return data;
}

PageData problems_data(const ComparePage& page, const std::vector<Compared>& compared,
                       const std::vector<Accuracy>& accuracies) {
  PageData problems = PageData::array();
  for (const Compared& one : compared) {
    const CompareMotion& motion = one.field.motion;
    if (problems.empty() || problems.back()["problem"] != motion.problem) {
      const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                       [&](const auto& f) { return f.first == motion.problem; });
      problems.push_back({{"problem", motion.problem},
                          {"t_end", motion.t_end},
                          {"h_first", motion.h.front()},
                          {"h_last", motion.h.back()},
                          {"drawn", figure == page.figures.end() ? "" : figure->second},
                          {"fields", PageData::array()}});
    }
    problems.back()["fields"].push_back(field_data(one, accuracies));
  }
  return problems;
}

}  // namespace

std::string compare_page(const ComparePage& page, const std::vector<Compared>& compared,
                         const std::vector<Accuracy>& accuracies,
                         const std::vector<std::string>& left_out) {
  std::vector<const Compared*> all;
  CompareMotion any;
  for (const Compared& one : compared) {
    all.push_back(&one);
    any.multipliers = std::max(any.multipliers, one.field.motion.multipliers);
  }
  const Table over = over_problems(compared, accuracies);
  return html_page(
      {}, {page.path, page.title + " beside the catalogue", page.tags},
      fill_template("compare", {{"title", page.title},
                                {"command", page.command},
                                {"explanation", compare_explanation(compared)},
                                {"over", over.rows.empty() ? PageData() : table_data(over)},
                                {"profiles", page.profiles},
                                {"legend", explore_legend(families_in(all), explore_parts(any))},
                                {"problems", problems_data(page, compared, accuracies)},
                                {"lines", left_out}}));
}

}  // namespace daemark
