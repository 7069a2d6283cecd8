#include "methods/core/trees.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace daemark::exact {

TreeFamily::TreeFamily(std::vector<VertexType> types) : types(std::move(types)) {
  for (std::size_t k = 0; k < this->types.size(); ++k) {
    Growth rule;
    rule.type = static_cast<int>(k);
    rounds.push_back(rule);
  }
}

int Branches::count(int type) const {
  return static_cast<int>(std::count_if(places.begin(), places.end(), [&](int i) {
    return trees.all()[static_cast<std::size_t>(i)].type == type;
  }));
}
const Tree& Branches::at(int i) const {
  return trees.all()[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])];
}
const Tree* Branches::only(int type) const {
  return count() == 1 && at(0).type == type ? &at(0) : nullptr;
}

RootedTrees::RootedTrees(int rounds, TreeFamily family) : family_(std::move(family)), first_{0, 0} {
  for (int n = 0; n < rounds; ++n) grow();
}

void RootedTrees::grow() {
  const int round = static_cast<int>(first_.size()) - 1;
  for (const Growth& rule : family_.rounds) {
    Tree tree;
    tree.order = round + rule.shift;
    tree.type = rule.type;
    const int rest = tree.order - family_.types[static_cast<std::size_t>(rule.type)].weight;
    if (rest >= 0) extend(tree, rule, rest, static_cast<int>(trees_.size()) - 1);
  }
  first_.push_back(static_cast<int>(trees_.size()));
}

void RootedTrees::bar(int tree) { barred_[static_cast<std::size_t>(tree)] = true; }

// All multisets of earlier trees of total order `rest`, chosen in descending place.
void RootedTrees::extend(Tree& tree, const Growth& rule, int rest, int largest) {
  if (rest == 0) finish(tree, rule);
  const VertexType& root = family_.types[static_cast<std::size_t>(tree.type)];
  if (root.leaf_only || static_cast<int>(tree.children.size()) == rule.most_branches) return;
  const auto attach = [&](int i) {
    const Tree& child = trees_[static_cast<std::size_t>(i)];
    const unsigned type = 1u << child.type;
    if (child.order > rest || !(root.branches & type) || is_barred(i)) return;
    if (root.single & type && Branches{*this, tree.children}.count(child.type) > 0) return;
    tree.children.push_back(i);
    extend(tree, rule, rest - child.order, i);
    tree.children.pop_back();
  };
  if (rest > 0 && rule.most_branches == 1) {  // in the order of the branches
    for (int i = 0; i <= largest; ++i) attach(i);
    return;
  }
  if (rest > 0) {
    for (int i = largest; i >= 0; --i) attach(i);
    return;
  }
  for (std::size_t k = without_order_.size(); k-- > 0;)
    if (without_order_[k] <= largest) attach(without_order_[k]);
}

void RootedTrees::finish(Tree tree, const Growth& rule) {
  const VertexType& root = family_.types[static_cast<std::size_t>(tree.type)];
  std::reverse(tree.children.begin(), tree.children.end());
  if (rule.admits) tree.marks = rule.admits({*this, tree.children});
  if (tree.marks == 0) return;
  tree.density = tree.symmetry = 1;
  for (int k = 0; k < root.weight; ++k) tree.density *= tree.order - k;
  for (int k = root.weight; k < 0; ++k) tree.density /= tree.order - k;
  int repeats = 0;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const Tree& child = trees_[static_cast<std::size_t>(tree.children[i])];
    tree.density *= child.density;
    repeats = i > 0 && tree.children[i] == tree.children[i - 1] ? repeats + 1 : 1;
    tree.symmetry *= child.symmetry * repeats;
    tree.text += (i == 0 ? root.open : ",") + child.text;
  }
  tree.text += tree.children.empty() ? root.leaf : root.close;
  if (tree.order == 0) without_order_.push_back(static_cast<int>(trees_.size()));
  barred_.push_back(false);
  trees_.push_back(std::move(tree));
}

const RootedTrees& trees_to(int order) {
  static std::mutex mutex;
  static std::map<int, RootedTrees> made;
  const std::lock_guard lock(mutex);
  return made.try_emplace(order, order).first->second;
}

}  // namespace daemark::exact
