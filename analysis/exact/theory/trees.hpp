// Rooted trees, generated order by order, with density and symmetry (Butcher; Hairer, Nørsett &
// Wanner, Solving ODEs I, II.2).
#pragma once

#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

struct Tree {
  int order = 1;
  std::vector<int> children;  ///< indices into RootedTrees::all(), ascending; repeated if equal
  rational density;           ///< gamma(t): the order condition is Phi(t) = 1/gamma(t)
  rational symmetry;          ///< sigma(t)
  std::string text;           ///< t, [t], [t,t], [[t]], ...
};

class RootedTrees {
 public:
  explicit RootedTrees(int max_order);
  const std::vector<Tree>& all() const { return trees_; }  ///< by order, deterministic
  int begin(int order) const { return first_[static_cast<std::size_t>(order)]; }
  int end(int order) const { return first_[static_cast<std::size_t>(order) + 1]; }

 private:
  void extend(int order, int rest, int largest, std::vector<int>& children);
  std::vector<Tree> trees_;
  std::vector<int> first_;  ///< first_[q]: index of the first tree of order q
};

/// The trees up to an order, made once. Tables agree where both have a tree.
const RootedTrees& trees_to(int order);

/// The highest order whose trees anything tries: 53,271 up to there.
inline constexpr int deepest_trees = 14;

}  // namespace daemark::exact
