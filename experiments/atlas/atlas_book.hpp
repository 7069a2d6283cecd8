// What the shelves of the atlas hold, read once, and what it says: who needs least, the front that
// nobody beats, the best of each family, ranks with their spread.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/explore_field.hpp"
#include "experiments/compare/shelf.hpp"
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

}  // namespace daemark
