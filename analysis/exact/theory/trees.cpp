#include "analysis/exact/theory/trees.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace daemark::exact {

RootedTrees::RootedTrees(int max_order) : first_{0, 0} {
  trees_.push_back({1, {}, 1, 1, "t"});
  for (int order = 2; order <= max_order; ++order) {
    first_.push_back(static_cast<int>(trees_.size()));
    std::vector<int> children;
    extend(order, order - 1, static_cast<int>(trees_.size()) - 1, children);
  }
  first_.push_back(static_cast<int>(trees_.size()));
}

// All multisets of earlier trees with `rest` nodes, chosen in descending index.
void RootedTrees::extend(int order, int rest, int largest, std::vector<int>& children) {
  if (rest == 0) {
    Tree tree;
    tree.order = order;
    tree.children.assign(children.rbegin(), children.rend());
    tree.density = order;
    tree.symmetry = 1;
    int repeats = 0;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      const Tree& child = trees_[static_cast<std::size_t>(tree.children[i])];
      tree.density *= child.density;
      repeats = i > 0 && tree.children[i] == tree.children[i - 1] ? repeats + 1 : 1;
      tree.symmetry *= child.symmetry * repeats;
      tree.text += (i == 0 ? "[" : ",") + child.text;
    }
    tree.text += "]";
    trees_.push_back(std::move(tree));
    return;
  }
  for (int i = largest; i >= 0; --i) {
    const int size = trees_[static_cast<std::size_t>(i)].order;
    if (size > rest) continue;
    children.push_back(i);
    extend(order, rest - size, i, children);
    children.pop_back();
  }
}

const RootedTrees& trees_to(int order) {
  static std::mutex mutex;
  static std::map<int, RootedTrees> made;
  const std::lock_guard lock(mutex);
  return made.try_emplace(order, order).first->second;
}

}  // namespace daemark::exact
