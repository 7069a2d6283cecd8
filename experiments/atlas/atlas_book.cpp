#include "experiments/atlas/atlas_book.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <limits>
#include <mutex>

#include "analysis/reference/no_reference.hpp"
#include "analysis/tags/tags.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/compare/atlas.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

const std::vector<Accuracy>& atlas_accuracies() {
  static const std::vector<Accuracy> all =
      read_accuracies("1e-3,1e-6,1e-9,v:1e-3,v:1e-6,v:1e-9,lambda:1e-3,lambda:1e-6,lambda:1e-9");
  return all;
}

const std::vector<std::string> family_names = {"explicit Runge–Kutta",
                                               "diagonally implicit Runge–Kutta",
                                               "fully implicit Runge–Kutta",
                                               "block",
                                               "multistep",
                                               "structural",
                                               "partitioned and Nyström",
                                               "half-explicit and Rosenbrock",
                                               "external or built around another",
                                               "others"};

std::string method_of(const std::string& sweep) {
  constexpr std::string_view controlled = " with control";
  std::string call = sweep;
  if (call.ends_with(controlled)) call.resize(call.size() - controlled.size());
  try {
    return method_registry().bind(call).canonical();
  } catch (const BadInput&) {
    return "";
  }
}

int family_of(const std::string& sweep) {
  // A block method is fully implicit as well: the first that holds counts.
  constexpr std::pair<const char*, int> by_tag[] = {
      {"wrapping", 8},   {"external", 8},   {"block", 3},          {"dirk", 1},
      {"multistep", 4},  {"structural", 5}, {"fully_implicit", 2}, {"partitioned", 6},
      {"nystrom", 6},    {"additive", 6},   {"half_explicit", 7},  {"rosenbrock", 7},
      {"runge_kutta", 0}};
  static std::map<std::string, int> known;
  static std::mutex mutex;
  const int others = static_cast<int>(family_names.size()) - 1;
  const std::string call = method_of(sweep);
  if (call.empty()) return others;
  const std::lock_guard lock(mutex);
  const auto [found, first] = known.try_emplace(call, others);
  if (!first) return found->second;
  for (const auto& [tag, family] : by_tag)
    if (tag_value(call, *find_tag(tag)) == 1.0) return found->second = family;
  return found->second;
}

std::vector<std::pair<std::string, std::vector<const Compared*>>> AtlasBook::by_problem() const {
  std::vector<std::pair<std::string, std::vector<const Compared*>>> out;
  for (const Compared& one : fields) {
    const std::string id = parse_call(one.field.motion.problem, "problem").id;
    if (out.empty() || out.back().first != id) out.push_back({id, {}});
    out.back().second.push_back(&one);
  }
  return out;
}

AtlasBook read_atlas(const std::filesystem::path& results, const Services& services) {
  AtlasBook book;
  CompareRequest request;
  std::atomic<bool> never = false;
  const CompareTools tools{services, results, never, std::cerr};
  const Sweeps sweeps(request, tools);
  for (const std::string& id : atlas_problems()) {
    if (!read_shelf(results, id)) continue;
    for (CompareField& field : sweeps.fields(id)) {
      std::erase_if(field.entries, [](const CompareEntry& entry) { return !entry.result; });
      std::vector<CompareLine> lines = compare_lines(field, atlas_accuracies());
      if (!lines.empty()) book.fields.push_back({std::move(field), std::move(lines)});
    }
  }
  return book;
}

std::vector<const CompareLine*> front_of(const Compared& field, std::size_t part) {
  struct Point {
    double work, error;
    const CompareLine* line;
  };
  std::vector<Point> points;
  for (const CompareLine& line : field.lines)
    for (std::size_t i = 0; i < line.work.size(); ++i)
      if (line.error[part][i] <= 1 && line.work[i] > 0)
        points.push_back({line.work[i], line.error[part][i], &line});
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.work != b.work ? a.work < b.work : a.error < b.error;
  });
  std::vector<const CompareLine*> front;
  double least = std::numeric_limits<double>::infinity();
  for (const Point& point : points) {
    if (point.error >= least) continue;
    least = point.error;
    if (std::find(front.begin(), front.end(), point.line) == front.end())
      front.push_back(point.line);
  }
  return front;
}

std::vector<const CompareLine*> best_of_families(const Compared& field, std::size_t k) {
  std::vector<const CompareLine*> best;
  std::vector<bool> seen(family_names.size());
  for (const CompareLine* line : field.by_rank(k)) {
    const auto family = static_cast<std::size_t>(family_of(line->method));
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

std::vector<RankTable> rank_tables(const std::vector<Compared>& fields) {
  std::vector<RankTable> tables;
  for (std::size_t k = 0; k < atlas_accuracies().size(); ++k)
    for (const Profile& profile : profiles_of(fields, k)) {
      RankTable table{profile.formulation, k, {}};
      for (const Profile::Curve& curve : profile.curves)
        if (!curve.ranks.empty())
          table.methods.push_back({curve.method, static_cast<int>(curve.ranks.size()),
                                   profile.instances, curve.ranks, curve.area(profile.instances)});
      tables.push_back(std::move(table));
    }
  return tables;
}

}  // namespace daemark
