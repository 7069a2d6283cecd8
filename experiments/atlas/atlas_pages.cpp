// The pages of the atlas: one a problem with diagrams that answer, and the one over all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/report/figure_svg.hpp"
#include "experiments/atlas/atlas_files.hpp"
#include "experiments/atlas/card_html.hpp"
#include "experiments/atlas/card_names.hpp"
#include "experiments/compare/compare_text.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {
namespace {

constexpr std::array part_ids = {"q", "v", "lambda"};

std::string cell(const std::string& text, const char* tag = "td") {
  return fmt::format("<{0}>{1}</{0}>", tag, text);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "";
}

/// Every method of a field: work to each accuracy of q, the rest of its finest run, what failed.
std::string field_table(const Compared& one, const PageFrame& page, const std::string& id) {
  std::string text = "<div class=\"block\">" + tagged_filter(id) +
                     "<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\" id=\"" + id +
                     "\"><thead><tr>";
  text += "<th>method</th>";
  for (const Accuracy& accuracy : atlas_accuracies())
    text += cell(escape_xml(accuracy.name()), "th");
  for (const char* head :
       {"slope q", "slope v", "slope λ", "energy [J]", "position", "velocity", "status"})
    text += cell(head, "th");
  text += "</tr></thead><tbody>\n";
  for (const CompareLine& line : one.lines) {
    const std::string method = method_of(line.method), name = line.name();
    text += "<tr" + (method == unmarked(name) ? "" : " data-m=\"" + escape_xml(method) + "\"") +
            " data-n=\"" + escape_xml(name) + "\">" + cell(sweep_link(name, page));
    for (const auto& reached : line.reached) text += cell(reached ? reached->text() : "");
    for (const double slope : line.slope)
      text += cell(std::isfinite(slope) ? fmt::format("{:.1f}", slope) : "");
    text += cell(number(line.energy)) + cell(number(line.position)) + cell(number(line.velocity)) +
            cell(line.status == "ok" ? "" : escape_xml(line.status)) + "</tr>\n";
  }
  return text + "</tbody></table></div></div>\n";
}

std::string names_of(const std::vector<const CompareLine*>& lines, std::size_t k,
                     const PageFrame& page) {
  std::string text;
  for (const CompareLine* line : lines) {
    text += (text.empty() ? "" : ", ") + sweep_link(line->name(), page);
    if (k < line->reached.size() && line->reached[k]) text += " " + line->reached[k]->text();
  }
  return text.empty() ? "nobody" : text;
}

std::string field_section(const Compared& one, const PageFrame& page, int place) {
  constexpr std::size_t none = 99;
  std::string text =
      fmt::format("<section class=\"item\" id=\"{0}\"><h2><a href=\"#{0}\">{0}</a></h2>\n",
                  escape_xml(one.field.formulation));
  text += explore_figure(explore_plot(one));
  text += "<details open><summary>Who leads</summary><ul>\n";
  for (std::size_t part = 0; part < part_ids.size(); ++part)
    if (const auto front = front_of(one, part); !front.empty())
      text += fmt::format("<li>the front of {}, that nobody beats: {}</li>\n",
                          part == 2 ? "λ" : part_ids[part], names_of(front, none, page));
  for (std::size_t k = 0; k < 3; ++k)
    if (const auto best = best_of_families(one, k); !best.empty())
      text += fmt::format("<li>best of each family, {}: {}</li>\n",
                          escape_xml(atlas_accuracies()[k].name()), names_of(best, k, page));
  text += "</ul></details>\n<details><summary>All methods</summary>\n" +
          field_table(one, page, fmt::format("table-{}", place)) + "</details></section>\n";
  return text;
}

constexpr const char* explanation =
    "Work is the sum of evaluations, Jacobians, factorisations and multiply-subtract pairs of "
    "linear "
    "algebra, each times its measured cost on this problem and formulation, in evaluations of the "
    "problem's index-1 residual (experiments/compare/weights.json; where none is measured: "
    "evaluations alone). It is taken where the polyline of an error falls to what is "
    "asked, interpolated between the runs that bracket it; ≤: the coarsest run is better already. "
    "Errors are relative. Position errors are divided by the scale of the motion: the largest of "
    "|q(T) − q(0)|, T |v(0)| and T |v(T)|, which is not the path length; velocity errors by that "
    "scale per time; multiplier errors by the larger |λ| at the start and the end. Solid curves "
    "are over step sizes, dashed ones over tolerances; "
    "thick ones are of the front. What did not end is a gap, and its row says why.";

/// Cheapest of every field for q to 1e-6, as a matrix of problems and formulations.
std::string matrix(const AtlasBook& book, const PageFrame& page) {
  constexpr std::size_t q_to_1e_6 = 1;
  std::vector<std::string> formulations;
  for (const Compared& one : book.fields)
    if (std::find(formulations.begin(), formulations.end(), one.field.formulation) ==
        formulations.end())
      formulations.push_back(one.field.formulation);
  std::string text =
      "<div class=\"block\"><div class=\"scroll\" tabindex=\"0\"><table "
      "class=\"sortable\"><thead><tr>"
      "<th>problem</th>";
  for (const std::string& formulation : formulations) text += cell(escape_xml(formulation), "th");
  text += "</tr></thead><tbody>\n";
  for (const auto& [problem, fields] : book.by_problem()) {
    text += "<tr><th scope=\"row\"><a href=\"" + page.link("atlas/" + problem + ".html") + "\">" +
            problem + "</a></th>";
    for (const std::string& formulation : formulations) {
      std::string best;
      for (const Compared* one : fields)
        if (one->field.formulation == formulation) {
          auto ranked = one->by_rank(q_to_1e_6);
          ranked.resize(std::min<std::size_t>(ranked.size(), 1));
          best = names_of(ranked, q_to_1e_6, page);
        }
      text += cell(best);
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div></div>\n";
}

/// The cheapest by each unit of work, and in how many fields another one than by the weighted sum.
std::string units_section(const AtlasBook& book, const PageFrame& page) {
  constexpr std::size_t q_to_1e_6 = 1;
  constexpr WorkUnit units[] = {WorkUnit::weighted, WorkUnit::evaluations, WorkUnit::time};
  std::array<int, 3> known{}, changed{};
  std::string rows;
  for (const Compared& one : book.fields) {
    if (ranking_unit(one.field) != WorkUnit::weighted) continue;
    std::array<std::string, 3> first;
    bool differs = false;
    std::string row;
    for (std::size_t u = 0; u < first.size(); ++u) {
      const Compared ranked{one.field, compare_lines(one.field, atlas_accuracies(), units[u])};
      auto lines = ranked.by_rank(q_to_1e_6);
      lines.resize(std::min<std::size_t>(lines.size(), 1));
      if (!lines.empty()) first[u] = lines.front()->name();
      row += cell(lines.empty() ? "not measured" : names_of(lines, q_to_1e_6, page));
      if (first[0].empty() || first[u].empty()) continue;
      ++known[u];
      if (first[u] != first[0]) ++changed[u], differs = true;
    }
    if (differs)
      rows += "<tr>" + cell(escape_xml(one.field.motion.problem)) +
              cell(escape_xml(one.field.formulation)) + row + "</tr>\n";
  }
  return fmt::format(
             "<h2>What another unit of work would change</h2>\n<p class=\"soft\">The first place "
             "for "
             "q to 1e-6 goes to another method in {} of {} fields by evaluations alone, and in {} "
             "of "
             "{} by measured time. Time is the weighted sum times what a unit of it takes on the "
             "clock, as a ratio to the median method of the field, measured side by side on one "
             "machine (experiments/compare/time_ratios.json, daemark atlas --time).</p>\n",
             changed[1], known[1], changed[2], known[2]) +
         "<div class=\"block\"><div class=\"scroll\" tabindex=\"0\"><table "
         "class=\"sortable\"><thead><tr><th>problem</th><th>formulation</th><th>by the weighted "
         "sum</th><th>by evaluations</th><th>by time</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></div>\n";
}

/// A table for each formulation: a browser lays out only those in sight.
std::string rank_sections(const AtlasBook& book, const PageFrame& page) {
  constexpr std::size_t of_q = 3;  // the first accuracies; those of v and λ stand in ranks.csv
  std::vector<std::pair<std::string, std::string>> rows;  // by formulation, in the order of fields
  for (const RankTable& table : rank_tables(book.fields)) {
    if (table.k >= of_q) continue;
    auto at = std::find_if(rows.begin(), rows.end(),
                           [&](const auto& known) { return known.first == table.formulation; });
    if (at == rows.end()) at = rows.insert(at, {table.formulation, ""});
    for (const RankSpread& method : table.methods)
      at->second += fmt::format(
          "<tr data-m=\"{}\"><td>{}</td><td>{}</td><td>{} of {}</td><td>{}</td><td>{}</td><td>{}"
          "</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n",
          escape_xml(method_of(method.method)), sweep_link(method.method, page),
          escape_xml(atlas_accuracies()[table.k].name()), method.reached, method.of,
          method.quartile(0), method.quartile(1), method.quartile(2), method.quartile(3),
          method.quartile(4), method.area);
  }
  std::string text;
  for (const auto& [formulation, lines] : rows)
    text += "<section class=\"item\"><h3>" + escape_xml(formulation) +
            "</h3>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\"><thead><tr>"
            "<th>method</th><th>accuracy</th><th>reached</th><th>least</th><th>lower "
            "quartile</th><th>middle</th><th>upper quartile</th><th>most</th><th>profile "
            "area</th></tr></thead><tbody>\n" +
            lines + "</tbody></table></div></section>\n";
  return text;
}

}  // namespace

std::string atlas_problem_page(const std::string& problem,
                               const std::vector<const Compared*>& fields) {
  const PageFrame page{"atlas/" + problem + ".html", "atlas: " + problem, true};
  const CompareMotion& motion = fields.front()->field.motion;
  std::string text = html_head(card_bar(), page) + "<main class=\"wide\">\n<h1>" +
                     escape_xml(motion.problem) + "</h1>\n<p class=\"lead\">" +
                     fmt::format("Every method on this problem to t = {} s, h from {} to {} s. ",
                                 motion.t_end, motion.h.front(), motion.h.back()) +
                     "<a href=\"" + page.link(problem_card(problem)) +
                     "\">The problem</a>, <a href=\"" + page.link("atlas/index.html") +
                     "\">the atlas</a>.</p>\n<p class=\"soft\">" + explanation + "</p>\n" +
                     html_command("daemark atlas --problem " + problem);
  text += explore_legend(families_in(fields), explore_parts(motion));
  int place = 0;
  for (const Compared* one : fields) text += field_section(*one, page, ++place);
  return text + "</main>\n" + html_foot(page);
}

std::string atlas_index_page(const AtlasBook& book) {
  const PageFrame page{"atlas/index.html", "daemark: the atlas", true};
  std::size_t sweeps = 0;
  for (const Compared& one : book.fields) sweeps += one.lines.size();
  return html_head(card_bar(), page) +
         "<main class=\"wide\">\n<h1>The atlas</h1>\n<p class=\"lead\">" +
         fmt::format(
             "{} sweeps, each of one method on one problem in one form of its equations: "
             "which integrator needs least, for which accuracy, and how that varies.",
             sweeps) +
         "</p>\n<p class=\"soft\">" + explanation + "</p>\n" + html_command("daemark atlas") +
         "<h2>Cheapest for q to 1e-6</h2>\n" + matrix(book, page) + units_section(book, page) +
         "<h2>Ranks and their spread over problems</h2>\n<p class=\"soft\">Rank by work among the "
         "methods that reach an accuracy, its quartiles over the problems, and the area under the "
         "performance profile (Dolan &amp; Moré 2002), 1 for a method that leads everywhere. A "
         "method is not placed by one score: the spread says on how much it depends. For q; v and "
         "λ stand in ranks.csv.</p>\n" +
         tagged_filter("ranks") + "<div id=\"ranks\">\n" + rank_sections(book, page) +
         "</div>\n<p class=\"files\"><a href=\"work.csv\">work.csv</a> <a "
         "href=\"best.csv\">best.csv</a> <a href=\"ranks.csv\">ranks.csv</a> <span "
         "class=\"soft\">every number</span></p>\n</main>\n" +
         html_foot(page);
}

}  // namespace daemark
