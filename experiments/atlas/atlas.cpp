#include "experiments/atlas/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
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
#include "experiments/compare/compare_text.hpp"
#include "experiments/compare/comparison.hpp"

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

}  // namespace daemark
