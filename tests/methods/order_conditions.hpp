// Order of a Runge–Kutta tableau from the rooted-tree conditions Σ b_i Φ_i(t) = 1/γ(t), at 130
// digits (Hairer, Nørsett & Wanner I, II.2). For tests: the exact certificate is made elsewhere.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark::testing_support {

/// A rooted tree by the sorted numbers of its children in one list of trees of rising order.
struct RootedTrees {
  std::vector<std::vector<int>> children;
  std::vector<int> order;

  explicit RootedTrees(int highest) {
    for (int n = 1; n <= highest; ++n) {
      std::set<std::vector<int>> found;
      std::vector<int> chosen;
      choose(n - 1, 0, chosen, found);
      for (const std::vector<int>& tree : found) {
        children.push_back(tree);
        order.push_back(n);
      }
    }
  }

 private:
  /// Every ascending choice of trees, from number `first` on, with `nodes` nodes in all.
  void choose(int nodes, std::size_t first, std::vector<int>& chosen,
              std::set<std::vector<int>>& found) const {
    if (nodes == 0) {
      found.insert(chosen);
      return;
    }
    for (std::size_t t = first; t < children.size() && order[t] <= nodes; ++t) {
      chosen.push_back(static_cast<int>(t));
      choose(nodes - order[t], t, chosen, found);
      chosen.pop_back();
    }
  }
};

/// The order of (A, b), at most `highest`.
inline int order_of(const std::vector<std::vector<wide>>& A, const std::vector<wide>& b,
                    int highest) {
  const wide close("1e-110");
  const RootedTrees trees(highest);
  const int s = static_cast<int>(b.size());
  std::vector<std::vector<wide>> weight;      // Φ_i(t)
  std::vector<std::vector<wide>> after_edge;  // Σ_j a_ij Φ_j(t)
  std::vector<int> density;                   // γ(t)
  for (std::size_t t = 0; t < trees.children.size(); ++t) {
    weight.emplace_back(s, wide(1));
    after_edge.emplace_back(s, wide(0));
    density.push_back(trees.order[t]);
    for (int child : trees.children[t]) {
      density[t] *= density[child];
      for (int i = 0; i < s; ++i) weight[t][i] *= after_edge[child][i];
    }
    wide defect = -wide(1) / density[t];
    for (int i = 0; i < s; ++i) {
      defect += b[i] * weight[t][i];
      for (int j = 0; j < s; ++j) after_edge[t][i] += A[i][j] * weight[t][j];
    }
    if (abs(defect) > close) return trees.order[t] - 1;
  }
  return highest;
}

}  // namespace daemark::testing_support
