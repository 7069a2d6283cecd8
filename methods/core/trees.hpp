// Rooted trees by order, with density and symmetry (Butcher; Hairer, Nørsett & Wanner, Solving ODEs
// I, II.2), and what a method makes of them: one enumeration for every kind of equation.
//
// Vertices have types (colours), where a method treats parts of an equation differently. A family
// of trees declares its types, which branches a vertex may have, and what a vertex adds to the
// order: negative where an equation is differentiated. methods/core/tree_families.hpp has them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

/// A kind of vertex. The order of a tree is the sum of the weights of its vertices. Its density is
/// the product over all vertices, with the order p of the tree above each, of
/// p (p - 1) ... (p - weight + 1), for weights below 0 of 1/((p + 1) ... (p - weight)).
struct VertexType {
  std::string leaf = "t";   ///< text without branches
  std::string close = "]";  ///< text behind the branches,
  std::string open = "[";   ///< and before them
  int weight = 1;
  bool leaf_only = false;   ///< it has no branches
  unsigned branches = ~0u;  ///< bit k: may have branches of type k
  unsigned single = 0;      ///< bit k: at most one of type k
};

struct Tree {
  int order = 1;
  int type = 0;
  std::vector<int> children;  ///< places in RootedTrees::all(), ascending; repeated if equal
  rational density;           ///< gamma(t): the order condition is Phi(t) = 1/gamma(t)
  rational symmetry;          ///< sigma(t)
  std::string text;           ///< t, [t], [t,t], [[t]], ...
  unsigned marks = 1;         ///< what the rule that admitted it says of it
};

class RootedTrees;

/// The branches of a tree in the making.
struct Branches {
  const RootedTrees& trees;
  const std::vector<int>& places;  ///< ascending
  int count() const { return static_cast<int>(places.size()); }
  int count(int type) const;
  const Tree& at(int i) const;
  /// The one branch there is, if that is of the type.
  const Tree* only(int type) const;
};

/// One part of a round: in round n the trees of order n + shift with this root.
struct Growth {
  int type = 0;
  int shift = 0;
  int most_branches = 1 << 30;
  /// Marks of the tree, 0 where it is no tree of the family; empty: all are.
  std::function<unsigned(const Branches&)> admits = {};
};

struct TreeFamily {
  std::vector<VertexType> types;
  std::vector<Growth> rounds;
  /// Without further rules: all types in every round.
  TreeFamily(std::vector<VertexType> types = {VertexType{}});
  TreeFamily(std::vector<VertexType> types, std::vector<Growth> rounds)
      : types(std::move(types)), rounds(std::move(rounds)) {}
};

class RootedTrees {
 public:
  explicit RootedTrees(int rounds, TreeFamily family = {});
  const std::vector<Tree>& all() const { return trees_; }  ///< by round, branches first
  int begin(int round) const { return first_[static_cast<std::size_t>(round)]; }
  int end(int round) const { return first_[static_cast<std::size_t>(round) + 1]; }

  void grow();         ///< one more round
  void bar(int tree);  ///< later trees do not have it as a branch
  bool is_barred(int tree) const { return barred_[static_cast<std::size_t>(tree)]; }

 private:
  void extend(Tree& tree, const Growth& rule, int rest, int largest);
  void finish(Tree tree, const Growth& rule);
  TreeFamily family_;
  std::vector<Tree> trees_;
  std::vector<bool> barred_;
  std::vector<int> without_order_;  ///< trees of order 0
  std::vector<int> first_;          ///< first_[q]: place of the first tree of round q
};

/// Butcher's trees up to an order, made once. Tables agree where both have a tree.
const RootedTrees& trees_to(int order);

/// The highest order whose trees anything tries: 53,271 up to there.
inline constexpr int deepest_trees = 14;

/// What a method makes of trees, as functions V of its stages.
template <class V>
struct TreeActions {
  using Operator = std::function<V(const V&)>;
  V one;                                         ///< of a leaf
  std::function<V(const V&, const V&)> product;  ///< of two branches of a vertex
  std::vector<Operator> operators;               ///< by what is on the edge to a branch
  /// Which of them: by the types of vertex and branch, and whether it is the only branch; below 0:
  /// none. Empty: by the type of the branch.
  std::function<int(int, int, bool)> on_edge = {};
  std::vector<Operator> at_vertex = {};  ///< applied to the product, by type; empty: none
};

/// A matrix on an edge.
template <class T>
typename TreeActions<std::vector<T>>::Operator on_stages(const std::vector<std::vector<T>>& m) {
  return [&m](const std::vector<T>& x) {
    std::vector<T> out(m.size(), T(0));
    for (std::size_t i = 0; i < m.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j)
        if (!(m[i][j] == T(0))) out[i] += m[i][j] * x[j];
    return out;
  };
}
template <class T>
std::vector<T> stage_by_stage(const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> out = x;
  for (std::size_t i = 0; i < x.size(); ++i) out[i] *= y[i];
  return out;
}
template <class T>
T weight_of(const std::vector<T>& weights, const std::vector<T>& stages) {
  T sum(0);
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * stages[i];
  return sum;
}

/// Operators of two kinds: on an edge with others at its vertex, and on one that is alone.
inline int by_branches(int, int, bool only) { return only ? 1 : 0; }

/// The stage functions of trees.
template <class V>
class TreeWalk {
 public:
  TreeWalk(const RootedTrees& trees, TreeActions<V> actions)
      : trees_(trees), actions_(std::move(actions)), images_(trees.all().size()) {}

  /// Φ of a tree without weights.
  V stage(int index) {
    const Tree& tree = trees_.all()[static_cast<std::size_t>(index)];
    const bool only = tree.children.size() == 1;
    std::optional<V> u;
    for (const int child : tree.children) {
      const V& branch = image(tree.type, child, only);
      u = u ? actions_.product(*u, branch) : branch;
    }
    if (!u) u = actions_.one;
    const auto type = static_cast<std::size_t>(tree.type);
    const bool turned = type < actions_.at_vertex.size() && actions_.at_vertex[type];
    return turned ? actions_.at_vertex[type](*u) : std::move(*u);
  }
  const RootedTrees& trees() const { return trees_; }

 private:
  /// What a branch multiplies with, made once for each operator.
  const V& image(int vertex, int child, bool only) {
    const int type = trees_.all()[static_cast<std::size_t>(child)].type;
    const int at = actions_.on_edge ? actions_.on_edge(vertex, type, only) : type;
    auto& known = images_[static_cast<std::size_t>(child)];
    known.resize(actions_.operators.size() + 1);
    std::optional<V>& out = known[static_cast<std::size_t>(at + 1)];
    if (!out) {
      V u = stage(child);
      out = at < 0 ? std::move(u) : actions_.operators[static_cast<std::size_t>(at)](u);
    }
    return *out;
  }

  const RootedTrees& trees_;
  TreeActions<V> actions_;
  std::vector<std::vector<std::optional<V>>> images_;
};

}  // namespace daemark::exact
