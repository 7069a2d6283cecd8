// Gaussian elimination for small dense systems in any arithmetic: wide, exact, jets.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/linear/lu_tally.hpp"
#include "base/program/stop.hpp"

namespace daemark {

/// Multiply-subtract pairs of an elimination with n unknowns, and of a solve with its factors.
constexpr std::int64_t dense_factor_pairs(std::int64_t n) { return n * (n - 1) * (2 * n - 1) / 6; }
constexpr std::int64_t dense_solve_pairs(std::int64_t n) { return n * (n - 1); }

/// Solves a x = b in place of b. `pivot(a, k)` chooses the pivot row of column k among rows k, k +
/// 1, …, or returns a.size() if there is none: the result is then false, and a and b hold nothing
/// useful. `determinant`, if given, is multiplied by the determinant of a.
template <class T, class Pivot>
bool solve_dense(std::vector<std::vector<T>>& a, std::vector<T>& b, Pivot pivot,
                 T* determinant = nullptr) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (k % 16 == 15) checkpoint();
    const std::size_t row = pivot(a, k);
    if (row == n) return false;
    std::swap(a[k], a[row]);
    std::swap(b[k], b[row]);
    if (determinant) *determinant *= row == k ? a[k][k] : -a[k][k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] = b[i] / a[i][i];
  }
  const auto size = static_cast<std::int64_t>(n);
  LuTally::add_pairs(dense_factor_pairs(size) + dense_solve_pairs(size));
  return true;
}

/// The row with the largest `size` of its entry: partial pivoting in floating point.
template <class Size>
auto largest_pivot(Size size) {
  return [size](const auto& a, std::size_t k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < a.size(); ++i)
      if (size(a[i][k]) > size(a[best][k])) best = i;
    return best;
  };
}

/// The first row whose entry is `usable`: exact arithmetic and enclosures.
template <class Usable>
auto first_pivot(Usable usable) {
  return [usable](const auto& a, std::size_t k) {
    std::size_t row = k;
    while (row < a.size() && !usable(a[row][k])) ++row;
    return row;
  };
}

}  // namespace daemark
