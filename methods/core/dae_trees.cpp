#include "methods/core/dae_trees.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace daemark::exact {

// Order by order: trees of y, then those of z of the same order (index 1) or of the one before
// (index 2); there a single branch of z makes a tree of y from the z-trees of that order.
DaeTrees::DaeTrees(Index index, int most) : index_(index) {
  std::vector<int> children;
  const auto grow = [&](bool fat, int order, int branches) {
    extend(fat, order, branches, trees_.size(), children);
  };
  for (int order = 1; order <= most; ++order) {
    if (order == 1) {
      add(false, 1, {});
    } else {
      grow(false, order, order - 1);
    }
    if (index == Index::one && order < most) grow(true, order, order);
    if (index != Index::two) continue;
    const std::size_t before = trees_.size();
    grow(true, order - 1, order);
    for (std::size_t i = before; i < trees_.size() && trees_[i].fat; ++i)
      add(false, order, {static_cast<int>(i)});
  }
}

const DaeTrees& DaeTrees::to(Index index, int most) {
  static std::mutex mutex;
  static std::map<std::pair<Index, int>, DaeTrees> made;
  const std::lock_guard lock(mutex);
  return made.try_emplace({index, most}, index, most).first->second;
}

/// All multisets of earlier trees of total order `rest`, in descending place.
void DaeTrees::extend(bool fat, int order, int rest, std::size_t largest,
                      std::vector<int>& children) {
  if (rest == 0) {
    if (accepts(fat, children)) add(fat, order, {children.rbegin(), children.rend()});
    return;
  }
  for (std::size_t i = std::min(largest + 1, trees_.size()); i-- > 0;) {
    if (trees_[i].order > rest || trees_[i].order < 1) continue;
    children.push_back(static_cast<int>(i));
    extend(fat, order, rest - trees_[i].order, i, children);
    children.pop_back();
  }
}

bool DaeTrees::accepts(bool fat, const std::vector<int>& children) const {
  const auto thick =
      std::count_if(children.begin(), children.end(), [this](int i) { return trees_[i].fat; });
  const DaeTree& first = trees_[children.front()];
  const bool single = children.size() == 1;
  if (index_ == Index::one) return !fat || !single || !first.fat;
  if (!fat) return thick == 0 || (thick == 1 && !single);  // [<...>] is added with its branch
  if (thick > 0) return false;
  const bool pure = first.children.size() == 1 && trees_[first.children[0]].fat;
  return !single || (!pure && first.order > 1);
}

void DaeTrees::add(bool fat, int order, std::vector<int> children) {
  DaeTree tree;
  tree.fat = fat, tree.order = order, tree.children = std::move(children);
  tree.density = fat ? (index_ == Index::one ? rational(1) : rational(1) / (order + 1)) : order;
  int positions = 0, thick = 0;  // branches that may be of q, of z
  bool velocities = true;        // and all others of v
  for (const int i : tree.children) {
    const DaeTree& child = trees_[i];
    tree.density *= child.density;
    tree.text += (tree.text.empty() ? "" : ",") + child.text;
    thick += child.fat;
    positions += !child.fat && child.of_position;
    velocities = velocities && (child.fat || child.of_position || child.of_velocity);
  }
  const int count = static_cast<int>(tree.children.size()), others = count - thick - positions;
  if (fat) {  // G(q) v
    tree.of_position = tree.of_velocity = velocities && others <= 1;
  } else if (count > 0) {
    const DaeTree& first = trees_[tree.children[0]];
    tree.of_position = count == 1 && !first.fat && first.of_velocity;
    tree.of_velocity = velocities && (thick == 0 || others == 0);
  }
  if (fat)
    tree.text = "<" + tree.text + ">";
  else
    tree.text = count == 0 ? "t" : "[" + tree.text + "]";
  if (index_ != Index::two || tree.of_position || tree.of_velocity)
    trees_.push_back(std::move(tree));
}

}  // namespace daemark::exact
