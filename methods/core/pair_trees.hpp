// The trees of methods with two sets of coefficients (nystrom, partitioned, additive).
//
// Partitioned methods, q' = f(q, v), v' = g(q, v): trees with two colours, q and p; additive ones,
// y' = f + g, have the same, called f and g (Hairer, Nørsett & Wanner, Solving ODEs I, II.15).
//
// Nyström methods, q'' = f(t, q, q'): SN-trees (II.14), in which a position has one branch at most,
// a velocity. A velocity below a position is written as one vertex that counts twice:
//   f  an acceleration as velocities take it, with h a';  F  as positions take it, with h² a;
//   c  a position alone, c_i h v₀.
// Without a' an acceleration has no branch f.
#pragma once

#include "methods/core/tableau.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {

/// What decides about trees.
struct PairShape {
  MethodKind kind;
  int stages;
  bool second_matrix = true;  ///< false: Nyström without a'
  PairShape(MethodKind kind, int stages) : kind(kind), stages(stages) {}
  explicit PairShape(const Coefficients& pair)
      : kind(pair.kind),
        stages(pair.stages()),
        second_matrix(kind != MethodKind::nystrom || pair.has("A_velocity")) {}
  bool nystrom() const { return kind == MethodKind::nystrom; }
};

/// The vertices of its trees. Roots of the first two types have conditions: with the weights of
/// `first` and `second`, for Nyström of `second` (f) and `first` (F).
std::vector<VertexType> vertex_types(const PairShape& shape);

/// What it makes of trees, from what A of `first` and `second` do, and the nodes.
template <class V>
TreeActions<V> actions_of(const PairShape& shape, V one,
                          std::function<V(const V&, const V&)> product,
                          std::function<V(const V&)> first, std::function<V(const V&)> second,
                          V c) {
  if (!shape.nystrom()) return {std::move(one), std::move(product), {first, second}};
  return {std::move(one), std::move(product), {second, first, [c](const V&) { return c; }}};
}

/// The lists of `first` and `second`, ordered as roots are.
template <class List>
std::vector<List> by_root(const PairShape& shape, List first, List second) {
  if (!shape.nystrom()) return {std::move(first), std::move(second)};
  return {std::move(second), std::move(first), List()};
}

}  // namespace daemark::exact
