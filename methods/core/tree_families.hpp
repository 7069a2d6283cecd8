// The families of rooted trees, by what they are the series of.
#pragma once

#include "methods/core/tableau.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {

/// What decides about trees of methods with two sets of coefficients (MethodKind: partitioned,
/// additive, nystrom).
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

/// Partitioned methods, q' = f(q, v), v' = g(q, v): trees with two colours, q and p; additive ones,
/// y' = f + g, have the same, called f and g (Hairer, Nørsett & Wanner, Solving ODEs I, II.15).
///
/// Nyström methods, q'' = f(t, q, q'): SN-trees (II.14), in which a position has one branch at
/// most, a velocity. A velocity below a position is written as one vertex that counts twice:
///   f  an acceleration as velocities take it, with h a';  F  as positions take it, with h² a;
///   c  a position alone, c_i h v₀.
/// Without a' an acceleration has no branch f.
///
/// Roots of the first two types have conditions: with the weights of `first` and `second`, for
/// Nyström of `second` (f) and `first` (F).
TreeFamily pair_trees(const PairShape& shape);

/// What a pair makes of trees, from what A of `first` and `second` do, and the nodes.
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

/// Vertices of y ("t") and of z (angle brackets) of y' = f(y, z) with 0 = g.
enum DaeVertex { of_y, of_z };

/// Rosenbrock formulas with any matrix J for the Jacobian (Hairer & Wanner, Solving ODEs II, IV.7):
/// vertices of f ("t") and of J (braces), which have one branch. Trees with J, by their marks, are
/// no part of the solution: the condition of their weight is 0.
TreeFamily w_trees();
enum WVertex { of_f, of_matrix };
enum WMarks : unsigned { without_matrix = 1, with_matrix = 2 };

/// 0 = g(y, z), index 1: a vertex of y counts 1, one of z nothing. A vertex of z has two branches
/// at least, or one of y. [roche1988; hairer1996, VI.4] In round n y of order n, z of order n - 1.
TreeFamily index_one_trees();

/// 0 = g(y), index 2: a vertex of z counts -1 and has branches of y alone, two at least, or one
/// that is neither t nor [<...>]; one of y has one branch of z at most, as f is linear in z.
/// [hairer1989; hairer1996, VII.5] Only those of mechanisms, y = (q, v), q' = v,
/// v' = f(q, v) + B(q) z, g = G(q) v: trees that occur in the series of q or v, by their marks.
/// In round n y of order n, z of order n - 1.
TreeFamily index_two_trees();
enum OccursIn : unsigned { in_position = 1, in_velocity = 2 };

/// Vertices of accelerations as velocities and as positions take them, of v_0 and of multipliers.
enum MechanismVertex { as_velocity, as_position, start_velocity, multiplier };

/// What a formulation imposes.
enum class Imposed {
  positions,   ///< g(q) = 0, index 3
  velocities,  ///< G(q) q' = 0, index 2
  both         ///< with a second multiplier: an equation y' = f(y) + B(y) λ, 0 = g(y) of index 2
};

/// Of mechanisms q'' = f(q, q') + B(q) λ with constraints: Nyström trees f, F and c with vertices
/// of λ in angle brackets. Derived here, by inserting the series into what is imposed:
///   positions   0 = g(Q): a vertex of λ counts -2 and has two branches F and c at least, or one F
///   velocities  0 = G(Q) V: it counts -1 and has one branch f at most, others F and c (without f
///               the velocity is v_0)
///   both        0 = g(Y): it counts -1 and has two branches at least, or one; all of them f, which
///               stand for y
/// A single branch that is an acceleration is neither a leaf nor has λ as its only branch: that is
/// the part for which λ is solved. An acceleration has one branch of λ at most, and of those of
/// mechanisms none of f beside it. In round n f of order n, F of order n + 1, λ of order n - 1.
TreeFamily mechanism_trees(Imposed imposed);

/// The tree is B(q) λ with λ as of several branches: an acceleration along the constraint forces.
bool is_normal(const RootedTrees& trees, const Tree& acceleration);

}  // namespace daemark::exact
