#include "methods/core/trees.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace daemark::exact {

RootedTrees::RootedTrees(int max_order, std::vector<VertexType> types)
    : types_(std::move(types)), first_{0, 0} {
  for (int order = 1; order <= max_order; ++order) {
    if (order > 1) first_.push_back(static_cast<int>(trees_.size()));
    const int largest = static_cast<int>(trees_.size()) - 1;
    for (std::size_t type = 0; type < types_.size(); ++type) {
      Tree tree;
      tree.order = order;
      tree.type = static_cast<int>(type);
      if (types_[type].weight <= order) extend(tree, order - types_[type].weight, largest);
    }
  }
  first_.push_back(static_cast<int>(trees_.size()));
}

// All multisets of earlier trees with `rest` vertices, chosen in descending index.
void RootedTrees::extend(Tree& tree, int rest, int largest) {
  if (rest == 0) return finish(tree);
  const VertexType& root = types_[static_cast<std::size_t>(tree.type)];
  for (int i = largest; i >= 0; --i) {
    const Tree& child = trees_[static_cast<std::size_t>(i)];
    const int size = child.order;
    if (size > rest || !root.may_have(child.type)) continue;
    tree.children.push_back(i);
    extend(tree, rest - size, i);
    tree.children.pop_back();
  }
}

void RootedTrees::finish(Tree tree) {
  const VertexType& root = types_[static_cast<std::size_t>(tree.type)];
  std::reverse(tree.children.begin(), tree.children.end());
  tree.density = tree.symmetry = 1;
  for (int k = 0; k < root.weight; ++k) tree.density *= tree.order - k;
  int repeats = 0;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const Tree& child = trees_[static_cast<std::size_t>(tree.children[i])];
    tree.density *= child.density;
    repeats = i > 0 && tree.children[i] == tree.children[i - 1] ? repeats + 1 : 1;
    tree.symmetry *= child.symmetry * repeats;
    tree.text += (i == 0 ? "[" : ",") + child.text;
  }
  tree.text += tree.children.empty() ? root.leaf : root.close;
  trees_.push_back(std::move(tree));
}

const RootedTrees& trees_to(int order) {
  static std::mutex mutex;
  static std::map<int, RootedTrees> made;
  const std::lock_guard lock(mutex);
  return made.try_emplace(order, order).first->second;
}

}  // namespace daemark::exact
