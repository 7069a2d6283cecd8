// The atlas: what the stored sweeps say (the cheapest method, the Pareto front, the best of each
// family, ranks with their spread), and its tables and pages under results/atlas.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/study.hpp"

namespace daemark {

/// q, v and λ to 1e-3, 1e-6, 1e-9: in this order, nine.
const std::vector<Accuracy>& atlas_accuracies();
inline constexpr std::size_t q_to_1e_6 = 1;  ///< of them

/// The small problems first, formulations in the order in which they are listed.
using Atlas = std::vector<Compared>;

/// By id of the problem, in that order.
std::vector<std::pair<std::string, std::vector<const Compared*>>> by_problem(const Atlas& atlas);

/// From results/atlas; sweeps of earlier sources are marked.
Atlas read_atlas(const std::filesystem::path& results, const Services& services);

/// The cheapest of each family for the k-th accuracy, the cheapest family first.
std::vector<const CompareLine*> best_of_families(const Compared& field, std::size_t k);

/// Ranks of a method over problems, for one formulation and accuracy.
struct RankSpread {
  std::string method;
  int reached = 0, of = 0;    ///< problems in which it, some method reaches the accuracy
  std::vector<int> ranks;     ///< where it does, ascending
  double area = 0;            ///< of its performance profile
  int quartile(int k) const;  ///< k = 0..4: minimum, Q1, median, Q3, maximum
};
struct RankTable {
  std::string formulation;
  std::size_t k = 0;                ///< of atlas_accuracies()
  std::vector<RankSpread> methods;  ///< by area, the largest first
};
std::vector<RankTable> rank_tables(const Atlas& atlas);

/// The cheapest methods, for the screen: a line for each field, of q to 1e-6.
std::string atlas_lines(const Atlas& atlas);

struct AtlasFiles {
  std::size_t pages = 0;  ///< of problems
};

/// work.csv (every method in every field), best.csv (the best of each family, the front), ranks.csv
/// and the pages. Nothing where no sweep is stored.
AtlasFiles write_atlas_files(const std::filesystem::path& results, const Services& services);
AtlasFiles write_atlas_files(const std::filesystem::path& results, const Atlas& atlas);

std::string best_csv(const Atlas& atlas);
std::string ranks_csv(const Atlas& atlas);
std::string atlas_index_page(const Atlas& atlas);
std::string atlas_problem_page(const std::string& problem,
                               const std::vector<const Compared*>& fields);

/// results/assets: the style, the scripts and the tags that many pages load.
void write_shared(const std::filesystem::path& results, const Atlas& atlas);

/// The script with the tags of all methods, which pages load: results/assets/tags.js.
std::string tags_script(const std::vector<std::string>& calls);

}  // namespace daemark
