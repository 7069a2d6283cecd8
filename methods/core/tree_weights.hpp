// Elementary weights of methods for differential-algebraic systems, in exact or wide numbers.
#pragma once

#include "methods/core/dae_trees.hpp"

namespace daemark::exact {

template <class T>
using SquareOf = std::vector<std::vector<T>>;

/// Of a lower triangular matrix, column by column.
template <class T>
SquareOf<T> inverse_of_lower(const SquareOf<T>& m) {
  const std::size_t s = m.size();
  SquareOf<T> out(s, std::vector<T>(s, T(0)));
  for (std::size_t j = 0; j < s; ++j) {
    out[j][j] = T(1) / m[j][j];
    for (std::size_t i = j + 1; i < s; ++i) {
      T sum(0);
      for (std::size_t k = j; k < i; ++k) sum += m[i][k] * out[k][j];
      out[i][j] = -(sum / m[i][i]);
    }
  }
  return out;
}

/// What becomes of a stage function on its way down a tree; null: nothing.
template <class T>
struct StageRules {
  /// By the kind of the vertex (y, z), that of the branch, and whether it is the only one.
  const SquareOf<T>* branch[2][2][2] = {};
  const SquareOf<T>* of_z = nullptr;  ///< applied to the product at a vertex of z
  std::vector<T> weights;             ///< b
};

template <class T>
std::vector<T> image_of(const SquareOf<T>* matrix, const std::vector<T>& x) {
  if (!matrix) return x;
  std::vector<T> out(matrix->size(), T(0));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!((*matrix)[i][j] == T(0))) out[i] += (*matrix)[i][j] * x[j];
  return out;
}

/// The stage functions of all trees, in their order.
template <class T>
std::vector<std::vector<T>> stage_functions(const std::vector<DaeTree>& trees,
                                            const StageRules<T>& rules) {
  std::vector<std::vector<T>> out;
  for (const DaeTree& tree : trees) {
    std::vector<T> u(rules.weights.size(), T(1));
    const bool single = tree.children.size() == 1;
    for (const int i : tree.children) {
      const std::vector<T> branch = image_of(rules.branch[tree.fat][trees[i].fat][single], out[i]);
      for (std::size_t k = 0; k < u.size(); ++k) u[k] *= branch[k];
    }
    out.push_back(tree.fat ? image_of(rules.of_z, u) : std::move(u));
  }
  return out;
}

template <class T>
T weight_of(const std::vector<T>& weights, const std::vector<T>& function) {
  T sum(0);
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * function[i];
  return sum;
}

}  // namespace daemark::exact
