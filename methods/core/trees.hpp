// Rooted trees, generated order by order, with density and symmetry (Butcher; Hairer, Nørsett &
// Wanner, Solving ODEs I, II.2), and what a method makes of them.
//
// Vertices may be of several types, where a method treats parts of an equation differently: the
// trees of partitioned and additive methods (two colours, II.15), those of Nyström methods (II.14)
// and of Rosenbrock methods. One type gives Butcher's trees.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

/// A kind of vertex.
struct VertexType {
  std::string leaf = "t";   ///< text without branches
  std::string close = "]";  ///< text behind the branches, which follow "["
  int weight = 1;           ///< a chain of so many vertices, the branches on the last of them
  bool leaf_only = false;   ///< it has no branches
  unsigned branches = ~0u;  ///< bit k: may have a branch of type k
  bool may_have(int type) const { return !leaf_only && (branches >> type & 1u) != 0; }
};

struct Tree {
  int order = 1;
  int type = 0;
  std::vector<int> children;  ///< indices into RootedTrees::all(), ascending; repeated if equal
  rational density;           ///< gamma(t): the order condition is Phi(t) = 1/gamma(t)
  rational symmetry;          ///< sigma(t)
  std::string text;           ///< t, [t], [t,t], [[t]], ...
};

class RootedTrees {
 public:
  explicit RootedTrees(int max_order, std::vector<VertexType> types = {VertexType{}});
  const std::vector<Tree>& all() const { return trees_; }  ///< by order, deterministic
  int begin(int order) const { return first_[static_cast<std::size_t>(order)]; }
  int end(int order) const { return first_[static_cast<std::size_t>(order) + 1]; }
  int types() const { return static_cast<int>(types_.size()); }

 private:
  void extend(Tree& tree, int rest, int largest);
  void finish(Tree tree);
  std::vector<VertexType> types_;
  std::vector<Tree> trees_;
  std::vector<int> first_;  ///< first_[q]: index of the first tree of order q
};

/// The trees of one type up to an order, made once. Tables agree where both have a tree.
const RootedTrees& trees_to(int order);

/// The highest order whose trees anything tries: 53,271 up to there.
inline constexpr int deepest_trees = 14;

/// What a method makes of trees, as functions V of its stages.
template <class V>
struct TreeActions {
  V one;                                           ///< of a leaf
  std::function<V(const V&, const V&)> product;    ///< of two branches of a vertex
  std::vector<std::function<V(const V&)>> branch;  ///< by type: what a branch multiplies with
  std::vector<std::function<V(const V&)>> only_branch = {};  ///< the same where it is the only one
};

/// The stage functions of trees, order by order.
template <class V>
class TreeWalk {
 public:
  TreeWalk(const RootedTrees& trees, TreeActions<V> actions)
      : trees_(trees), actions_(std::move(actions)) {}

  /// Φ without weights of a tree, all trees of lower orders having been grown.
  V stage(int index) const {
    const std::vector<int>& children = trees_.all()[static_cast<std::size_t>(index)].children;
    if (children.size() == 1 && !actions_.only_branch.empty())
      return only_[static_cast<std::size_t>(children[0])];
    V u = actions_.one;
    for (const int child : children)
      u = actions_.product(u, branches_[static_cast<std::size_t>(child)]);
    return u;
  }
  /// Makes branches of the trees of an order, the next after those that were grown.
  void grow(int order) {
    for (int i = trees_.begin(order); i < trees_.end(order); ++i) {
      const V u = stage(i);
      const auto type = static_cast<std::size_t>(trees_.all()[static_cast<std::size_t>(i)].type);
      branches_.push_back(actions_.branch[type](u));
      if (!actions_.only_branch.empty()) only_.push_back(actions_.only_branch[type](u));
    }
  }
  const RootedTrees& trees() const { return trees_; }

 private:
  const RootedTrees& trees_;
  TreeActions<V> actions_;
  std::vector<V> branches_, only_;
};

}  // namespace daemark::exact
