// The pages of the atlas: one a problem with diagrams that people explore, and the one over all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/atlas/atlas.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/compare/compare_text.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {
namespace {

PageData plain(const std::string& text) { return {{"text", text}}; }

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "";
}

/// Every method of a field: work to each accuracy of q, the rest of its finest run, what failed.
void add_table(PageData& data, const Compared& one, const PageFrame& page) {
  PageData heads = {"method"}, rows = PageData::array();
  for (const Accuracy& accuracy : atlas_accuracies()) heads.push_back(accuracy.name());
  for (const char* head :
       {"slope q", "slope v", "slope λ", "energy [J]", "position", "velocity", "status"})
    heads.push_back(head);
  for (const CompareLine& line : one.lines) {
    const std::string method = method_of(line.method), name = line.name();
    PageData cells = PageData::array({sweep_cell(name, page, true)});
    for (const auto& reached : line.reached)
      cells.push_back(plain(reached ? text_of(*reached) : ""));
    for (const double slope : line.slope)
      cells.push_back(plain(std::isfinite(slope) ? fmt::format("{:.1f}", slope) : ""));
    for (const double value : {line.energy, line.position, line.velocity})
      cells.push_back(plain(number(value)));
    cells.push_back(plain(line.status == "ok" ? "" : line.status));
    rows.push_back(
        {{"method", method == unmarked(name) ? "" : method}, {"name", name}, {"cells", cells}});
  }
  data["class"] = "sortable", data["heads"] = heads, data["rows"] = rows;
}

/// The sweeps, with the work to the k-th accuracy where one is asked for.
PageData names_of(const std::vector<const CompareLine*>& lines, std::optional<std::size_t> k,
                  const PageFrame& page) {
  PageData names = PageData::array();
  for (const CompareLine* line : lines) {
    PageData name = sweep_cell(line->name(), page);
    name["between"] = names.empty() ? "" : ", ";
    name["note"] = k && line->reached[*k] ? text_of(*line->reached[*k]) : "";
    names.push_back(name);
  }
  return names;
}

/// The cheapest for q to 1e-6; `none` where there is none.
PageData cheapest_cell(const Compared& one, const PageFrame& page, const char* nobody) {
  const auto ranked = one.by_rank(q_to_1e_6);
  return ranked.empty() ? plain(nobody) : names_of({ranked.front()}, q_to_1e_6, page).front();
}

PageData field_data(const Compared& one, const PageFrame& page, int place) {
  PageData leads = PageData::array();
  const auto lead = [&](const std::string& label, const std::vector<const CompareLine*>& lines,
                        std::optional<std::size_t> k) {
    if (!lines.empty()) leads.push_back({{"label", label}, {"names", names_of(lines, k, page)}});
  };
  constexpr std::array parts = {"q", "v", "λ"};
  for (std::size_t part = 0; part < parts.size(); ++part)
    lead(fmt::format("Pareto front for {}", parts[part]), front_of(one, part), {});
  for (std::size_t k = 0; k < 3; ++k)
    lead("best of each family, " + atlas_accuracies()[k].name(), best_of_families(one, k), k);
  PageData data = {{"id", one.field.formulation},
                   {"figure", explore_figure(explore_plot(one))},
                   {"leads", leads},
                   {"anchor", fmt::format("table-{}", place)}};
  add_table(data, one, page);
  return data;
}

/// Cheapest of every field for q to 1e-6, as a matrix of problems and formulations.
PageData matrix(const Atlas& atlas, const PageFrame& page) {
  std::vector<std::string> formulations;
  for (const Compared& one : atlas)
    if (std::find(formulations.begin(), formulations.end(), one.field.formulation) ==
        formulations.end())
      formulations.push_back(one.field.formulation);
  PageData heads = {"problem"}, rows = PageData::array();
  for (const std::string& formulation : formulations) heads.push_back(formulation);
  for (const auto& [problem, fields] : by_problem(atlas)) {
    PageData cells = {{{"head", true}, {"text", problem}, {"link", problem + ".html"}}};
    for (const std::string& formulation : formulations) {
      cells.push_back(plain(""));
      for (const Compared* one : fields)
        if (one->field.formulation == formulation) cells.back() = cheapest_cell(*one, page, "none");
    }
    rows.push_back({{"cells", cells}});
  }
  return {{"class", "sortable"}, {"heads", heads}, {"rows", rows}};
}

/// The cheapest by each unit of work, and in how many fields another one than by the weighted sum.
PageData units(const Atlas& atlas, const PageFrame& page) {
  constexpr WorkUnit all[] = {WorkUnit::weighted, WorkUnit::evaluations, WorkUnit::time};
  std::array<int, 3> known{}, changed{};
  PageData rows = PageData::array();
  for (const Compared& one : atlas) {
    if (ranking_unit(one.field) != WorkUnit::weighted) continue;
    std::array<std::string, 3> first;
    PageData cells = {{{"head", true}, {"text", one.field.motion.problem}},
                      plain(one.field.formulation)};
    bool differs = false;
    for (std::size_t u = 0; u < first.size(); ++u) {
      const Compared ranked{one.field, compare_lines(one.field, atlas_accuracies(), all[u])};
      if (const auto lines = ranked.by_rank(q_to_1e_6); !lines.empty())
        first[u] = lines.front()->name();
      cells.push_back(cheapest_cell(ranked, page, "not measured"));
      if (first[0].empty() || first[u].empty()) continue;
      ++known[u];
      if (first[u] != first[0]) ++changed[u], differs = true;
    }
    if (differs) rows.push_back({{"cells", cells}});
  }
  return {{"by_evaluations", changed[1]},
          {"evaluations", known[1]},
          {"by_time", changed[2]},
          {"time", known[2]},
          {"class", "sortable"},
          {"heads", {"problem", "formulation", "by the weighted sum", "by evaluations", "by time"}},
          {"rows", rows}};
}

/// A table for each formulation: a browser lays out only those in sight.
PageData ranks(const Atlas& atlas, const PageFrame& page) {
  constexpr std::size_t of_q = 3;  // the first accuracies; those of v and λ stand in ranks.csv
  PageData sections = PageData::array();
  for (const RankTable& table : rank_tables(atlas)) {
    if (table.k >= of_q) continue;
    auto at = std::find_if(sections.begin(), sections.end(), [&](const PageData& known) {
      return known["title"] == table.formulation;
    });
    if (at == sections.end()) {
      sections.push_back({{"title", table.formulation},
                          {"table",
                           {{"class", "sortable"},
                            {"heads",
                             {"method", "accuracy", "reached", "min", "Q1", "median", "Q3", "max",
                              "profile area"}},
                            {"rows", PageData::array()}}}});
      at = sections.end() - 1;
    }
    for (const RankSpread& method : table.methods) {
      PageData cells = PageData::array({sweep_cell(method.method, page, true),
                                        plain(atlas_accuracies()[table.k].name()),
                                        plain(fmt::format("{} of {}", method.reached, method.of))});
      for (int k = 0; k <= 4; ++k) cells.push_back(plain(std::to_string(method.quartile(k))));
      cells.push_back(plain(fmt::format("{:.2f}", method.area)));
      (*at)["table"]["rows"].push_back({{"method", method_of(method.method)}, {"cells", cells}});
    }
  }
  return sections;
}

}  // namespace

std::string atlas_problem_page(const std::string& problem,
                               const std::vector<const Compared*>& fields) {
  const PageFrame page{"atlas/" + problem + ".html", "atlas: " + problem};
  const CompareMotion& motion = fields.front()->field.motion;
  PageData all = PageData::array();
  for (const Compared* one : fields)
    all.push_back(field_data(*one, page, static_cast<int>(all.size()) + 1));
  return card_page(page, "atlas_problem",
                   {{"title", motion.problem},
                    {"problem", problem},
                    {"t_end", motion.t_end},
                    {"h_first", motion.h.front()},
                    {"h_last", motion.h.back()},
                    {"legend", explore_legend(families_in(fields), explore_parts(motion))},
                    {"fields", all}});
}

std::string atlas_index_page(const Atlas& atlas) {
  const PageFrame page{"atlas/index.html", "daemark: the atlas"};
  std::size_t sweeps = 0;
  for (const Compared& one : atlas) sweeps += one.lines.size();
  return card_page(page, "atlas",
                   {{"sweeps", sweeps},
                    {"matrix", matrix(atlas, page)},
                    {"units", units(atlas, page)},
                    {"filter", {{"anchor", "ranks"}}},
                    {"ranks", ranks(atlas, page)}});
}

}  // namespace daemark
