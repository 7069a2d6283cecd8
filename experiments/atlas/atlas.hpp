// The atlas: what the stored sweeps say (the cheapest method, the Pareto front, the best of each
// family, ranks with their spread), and its tables and pages under results/atlas.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/compare_page.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {

/// q, v and λ to 1e-3, 1e-6, 1e-9: in this order, nine.
const std::vector<Accuracy>& atlas_accuracies();
inline constexpr std::size_t q_to_1e_6 = 1;  ///< of them

struct AtlasBook {
  std::vector<Compared> fields;  ///< the small problems first, formulations as they are listed
  /// By id of the problem, in that order.
  std::vector<std::pair<std::string, std::vector<const Compared*>>> by_problem() const;
};

/// From results/atlas; sweeps of earlier sources are marked.
AtlasBook read_atlas(const std::filesystem::path& results, const Services& services);

/// The cheapest of each family for the k-th accuracy, the cheapest family first.
std::vector<const CompareLine*> best_of_families(const Compared& field, std::size_t k);

/// Ranks of a method over problems, for one formulation and accuracy.
struct RankSpread {
  std::string method;
  int reached = 0, of = 0;    ///< problems in which it, some method reaches the accuracy
  std::vector<int> ranks;     ///< where it does, ascending
  double area = 0;            ///< of its performance profile
  int quartile(int k) const;  ///< k = 0..4: least, quartiles, most
};
struct RankTable {
  std::string formulation;
  std::size_t k = 0;                ///< of atlas_accuracies()
  std::vector<RankSpread> methods;  ///< by area, the largest first
};
std::vector<RankTable> rank_tables(const std::vector<Compared>& fields);

/// Who needs least, for the screen: a line for each field, of q to 1e-6.
std::string atlas_lines(const std::vector<Compared>& fields);

struct AtlasFiles {
  std::size_t pages = 0;  ///< of problems
};

/// work.csv (every method in every field), best.csv (the best of each family, the front), ranks.csv
/// and the pages. Nothing where there is no shelf.
AtlasFiles write_atlas_files(const std::filesystem::path& results, const Services& services);
AtlasFiles write_atlas_files(const std::filesystem::path& results, const AtlasBook& book);

std::string best_csv(const AtlasBook& book);
std::string ranks_csv(const AtlasBook& book);
std::string atlas_index_page(const AtlasBook& book);
std::string atlas_problem_page(const std::string& problem,
                               const std::vector<const Compared*>& fields);

/// results/assets: the style, the scripts and the tags that many pages load.
void write_shared(const std::filesystem::path& results, const AtlasBook& book);

/// The script with the tags of all methods, which pages load: results/assets/tags.js.
std::string tags_script(const std::vector<std::string>& calls);

}  // namespace daemark
