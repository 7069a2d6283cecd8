#include "experiments/atlas/atlas_book.hpp"

#include <algorithm>
#include <atomic>
#include <iostream>

#include "analysis/reference/no_reference.hpp"
#include "base/input/call.hpp"
#include "experiments/compare/atlas.hpp"

namespace daemark {

const std::vector<Accuracy>& atlas_accuracies() {
  static const std::vector<Accuracy> all =
      read_accuracies("1e-3,1e-6,1e-9,v:1e-3,v:1e-6,v:1e-9,lambda:1e-3,lambda:1e-6,lambda:1e-9");
  return all;
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
