#include "experiments/atlas/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/report/table.hpp"
#include "analysis/tags/tags.hpp"
#include "base/input/call.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {

const std::vector<Accuracy>& atlas_accuracies() {
  static const std::vector<Accuracy> all =
      read_accuracies("1e-3,1e-6,1e-9,v:1e-3,v:1e-6,v:1e-9,lambda:1e-3,lambda:1e-6,lambda:1e-9");
  return all;
}

std::vector<std::pair<std::string, std::vector<const Compared*>>> by_problem(const Atlas& atlas) {
  std::vector<std::pair<std::string, std::vector<const Compared*>>> out;
  for (const Compared& one : atlas) {
    const std::string id = parse_call(one.field.motion.problem, "problem").id;
    if (out.empty() || out.back().first != id) out.push_back({id, {}});
    out.back().second.push_back(&one);
  }
  return out;
}

Atlas read_atlas(const std::filesystem::path& results, const Services& services) {
  CompareRequest request;
  request.accuracies = atlas_accuracies();
  return stored_fields(request, {"atlas", services, results, std::cerr}, atlas_problems());
}

std::vector<const CompareLine*> best_of_families(const Compared& field, std::size_t k) {
  std::vector<const CompareLine*> best;
  std::vector<bool> seen(family_names.size());
  for (const CompareLine* line : field.by_rank(k)) {
    const auto family = static_cast<std::size_t>(method_family(line->method));
    if (seen[family]) continue;
    seen[family] = true;
    best.push_back(line);
  }
  return best;
}

int RankSpread::quartile(int k) const {
  if (ranks.empty()) return 0;
  const std::size_t last = ranks.size() - 1;
  return ranks[(static_cast<std::size_t>(k) * last + 2) / 4];
}

std::vector<RankTable> rank_tables(const Atlas& atlas) {
  std::vector<RankTable> tables;
  for (std::size_t k = 0; k < atlas_accuracies().size(); ++k)
    for (const Profile& profile : profiles_of(atlas, k)) {
      RankTable table{profile.formulation, k, {}};
      for (const Profile::Curve& curve : profile.curves)
        if (!curve.ranks.empty())
          table.methods.push_back({curve.method, static_cast<int>(curve.ranks.size()),
                                   profile.instances, curve.ranks, curve.area(profile.instances)});
      tables.push_back(std::move(table));
    }
  return tables;
}

namespace {

constexpr const char* part_names[] = {"q", "v", "lambda"};

/// Of the book, and of all cards where there are any: what pages filter.
std::vector<std::string> paged_methods(const std::filesystem::path& results, const Atlas& atlas) {
  std::set<std::string> calls;
  if (std::filesystem::exists(results / "catalogue.json"))
    calls.insert(carded_methods().begin(), carded_methods().end());
  for (const Compared& one : atlas)
    for (const CompareLine& line : one.lines)
      if (const std::string call = method_of(line.method); !call.empty()) calls.insert(call);
  return {calls.begin(), calls.end()};
}

}  // namespace

std::string atlas_lines(const Atlas& atlas) {
  std::string text;
  const std::string* problem = nullptr;
  for (const Compared& one : atlas) {
    const CompareMotion& motion = one.field.motion;
    if (problem == nullptr || *problem != motion.problem)
      text += fmt::format("{}, t = {} s\n", motion.problem, motion.t_end);
    problem = &motion.problem;
    text += fmt::format("  {}, q to 1e-6: {}\n", one.field.formulation, cheapest(one, q_to_1e_6));
  }
  return text;
}

std::string best_csv(const Atlas& atlas) {
  std::string text = csv_line({"problem", "formulation", "what", "of", "family", "method",
                               "sources", "work", "bound", "error"});
  for (const Compared& one : atlas) {
    const auto add = [&](const char* what, const std::string& of, const CompareLine& line,
                         double work, bool bound, const std::string& error) {
      text += csv_line({one.field.motion.problem, one.field.formulation, what, of,
                        family_names[static_cast<std::size_t>(method_family(line.method))],
                        line.method, line.earlier ? "earlier" : "", fmt::format("{:.0f}", work),
                        bound ? "<=" : "", error});
    };
    for (std::size_t k = 0; k < atlas_accuracies().size(); ++k)
      for (const CompareLine* line : best_of_families(one, k))
        add("best of its family", atlas_accuracies()[k].name(), *line, line->reached[k]->work,
            line->reached[k]->at_most, "");
    for (std::size_t part = 0; part < 3; ++part)
      for (const CompareLine* line : front_of(one, part)) {
        double error = NAN, work = NAN;  // its most accurate run
        for (std::size_t i = 0; i < line->work.size(); ++i)
          if (!(line->error[part][i] >= error)) error = line->error[part][i], work = line->work[i];
        add("front", part_names[part], *line, work, false, fmt::format("{:.2e}", error));
      }
  }
  return text;
}

std::string ranks_csv(const Atlas& atlas) {
  std::string text =
      csv_line({"formulation", "accuracy", "method", "family", "reached", "of", "least",
                "lower quartile", "middle", "upper quartile", "most", "profile area"});
  for (const RankTable& table : rank_tables(atlas))
    for (const RankSpread& method : table.methods) {
      std::vector<std::string> row = {
          table.formulation,
          atlas_accuracies()[table.k].name(),
          method.method,
          family_names[static_cast<std::size_t>(method_family(method.method))],
          std::to_string(method.reached),
          std::to_string(method.of)};
      for (int k = 0; k <= 4; ++k) row.push_back(std::to_string(method.quartile(k)));
      row.push_back(fmt::format("{:.3f}", method.area));
      text += csv_line(row);
    }
  return text;
}

std::string tags_script(const std::vector<std::string>& calls) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
  for (const Tag& tag : tags()) {
    names.push_back(tag.name);
    if (tag.is_number) numbers[tag.name] = 1;
  }
  nlohmann::ordered_json methods = nlohmann::ordered_json::object();
  for (const std::string& call : calls) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    std::map<std::string, double> values;
    for (const auto& [name, value] : tag_values(call)) values[name] = value;
    for (const Tag& tag : tags()) {
      const auto found = values.find(tag.name);
      if (found == values.end())
        row.push_back(nullptr);
      else if (std::isinf(found->second))
        row.push_back("unbounded");
      else if (found->second == std::trunc(found->second))
        row.push_back(static_cast<long>(found->second));
      else
        row.push_back(double_of(fmt::format("{:.6g}", found->second)));
    }
    methods[call] = row;
  }
  return "window.daemarkTags = {\"names\":" + names.dump() + ",\"numbers\":" + numbers.dump() +
         ",\n\"methods\":" + methods.dump() + "};\n";
}

void write_shared(const std::filesystem::path& results, const Atlas& atlas) {
  write_if_changed(results / "assets" / "tags.js", tags_script(paged_methods(results, atlas)));
  write_assets(results);
}

AtlasFiles write_atlas_files(const std::filesystem::path& results, const Atlas& atlas) {
  AtlasFiles written;
  if (atlas.empty()) return written;
  const std::filesystem::path folder = results / "atlas";
  write_if_changed(folder / "work.csv", compare_csv(atlas, atlas_accuracies(), false));
  write_if_changed(folder / "best.csv", best_csv(atlas));
  write_if_changed(folder / "ranks.csv", ranks_csv(atlas));
  for (const auto& [problem, fields] : by_problem(atlas)) {
    write_if_changed(folder / (problem + ".html"), atlas_problem_page(problem, fields));
    ++written.pages;
  }
  write_if_changed(folder / "index.html", atlas_index_page(atlas));
  write_shared(results, atlas);
  return written;
}

AtlasFiles write_atlas_files(const std::filesystem::path& results, const Services& services) {
  return write_atlas_files(results, read_atlas(results, services));
}

namespace {

PageData plain(const std::string& text) { return {{"text", text}}; }

std::string one_digit(double value) {
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
      cells.push_back(plain(one_digit(value)));
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
