// Sparse LU for many matrices with one pattern: the first matrix fixes pivot order and fill, later
// ones are only refactored, row by row, without allocation.
//
// If values change so much that pivots become small, a new order is chosen in the memory of the
// first choice.
//
// With row order P and column order Q, P A Q = L U, where U has a unit diagonal. Row i of L holds
// the multipliers before division, row i of U is divided by the pivot. Pivots are chosen by
// Markowitz count [Markowitz 1957; Duff, Erisman, Reid, Direct Methods for Sparse Matrices, 2nd
// ed., ch. 7 and 10] among entries of at least 0.1 of the largest in their row, a test that does
// not depend on the unit of a row.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/linear/markowitz.hpp"
#include "base/numbers/scalar.hpp"

namespace daemark {

enum class LuStatus { not_factored, ok, singular, not_finite };

/// "not_factored", "ok", "singular", "not_finite".
const char* lu_status_name(LuStatus status);

/// F: double, std::complex<double>, or rational (exact: any nonzero pivot is accepted). One object
/// serves one thread: solve() uses scratch members.
template <class F>
class SparseLu {
 public:
  /// (row, column) of the entries of an n×n matrix, 0-based, n >= 1, in the order in which factor()
  /// takes the values. Throws std::invalid_argument for n < 1, an index out of range, a position
  /// given twice. A structurally singular pattern is reported by factor().
  void set_pattern(int n, std::vector<std::pair<int, int>> entries);

  /// `values`: one per entry of set_pattern, in its order. The first call chooses the pivot order;
  /// later ones keep it unless a pivot has become small: below 1e-3 of the mean entry of its row of
  /// U, or below 1e-3 of its first ratio to its row of L. They then choose anew, without allocation
  /// for up to 256 unknowns unless the fill more than doubles. False if
  /// the matrix is singular to working precision or an entry, or an intermediate, is not finite:
  /// status() says which. The next call starts afresh.
  bool factor(const F* values);

  /// x := A⁻¹ x for x of length size(). Throws std::logic_error unless status() is ok.
  void solve(F* x) const;

  LuStatus status() const { return status_; }
  int size() const { return n_; }
  int nonzeros() const;  ///< of L and U, diagonals once; 0 before the first factor()
  int analyses() const { return analyses_; }  ///< how often a pivot order was chosen
  std::int64_t operations() const;            ///< multiply-subtract pairs in one refactorisation

 private:
  using Index = std::int32_t;
  /// One multiply-subtract: places in factors_.
  struct Product {
    Index lower, upper;
  };
  /// Sums of magnitudes in one row; sums keep NaN and infinity, maxima would lose NaN.
  struct RowCheck {
    double lower = 0;
    double upper = 0;  ///< before division, without the pivot
  };
  /// A pivot must exceed limits.upper·check.upper + limits.lower·check.lower.
  struct Limits {
    double upper = 0, lower = 0;
  };

  LuStatus analyse(const F* values);
  void lay_out();
  void sort_input();
  void find_blocks();
  void list_products();
  void make_room();
  /// True if every pivot passes its test.
  bool refactor(const F* values);
  bool refactor_by_products(const F* values);
  bool refactor_by_blocks(const F* values);
  static bool acceptable(const Limits& limits, const F& pivot, const F& reciprocal,
                         const RowCheck& check);
  void set_limits();

  int n_ = 0;
  int analyses_ = 0;
  LuStatus status_ = LuStatus::not_factored;
  std::vector<std::pair<int, int>> entries_;

  MarkowitzOrder<F> order_;
  // Scratch of lay_out(): elimination steps of rows and columns; input entries by the step of their
  // row, input_begin_[i] the first of row i; where a column is.
  std::vector<Index> row_step_, column_step_, input_begin_, input_, place_;
  std::vector<Index> pivot_row_, pivot_column_;  ///< by elimination step
  // Row i of the factors is [begin_[i], begin_[i + 1]): L by ascending columns, at diagonal_[i] the
  // reciprocal of the pivot, U by descending columns (solve() then meets the newest unknown last).
  // Columns are elimination steps.
  std::vector<Index> begin_, diagonal_, column_;
  std::vector<Index> source_;  ///< entry that goes there, −1: fill
  std::vector<F> factors_;
  std::vector<Limits> limits_;

  /// Entries first, first + 1, … of a row of L, `rows` of them, at consecutive columns whose rows
  /// of U share what is to the right of the last.
  struct Block {
    Index first, rows;
  };
  std::vector<Block> blocks_;  ///< of row i: block_begin_[i] .. block_begin_[i + 1]
  std::vector<Index> block_begin_;

  // Elimination by lists: products_[product_begin_[p]...] are subtracted from the input at p. Kept
  // while they are few and blocks are small; longer ones would cost more memory traffic than they
  // save.
  bool by_products_ = false;
  std::vector<Index> product_begin_;
  std::vector<Product> products_;

  mutable std::vector<F> work_;  ///< a dense row in factor(), the right-hand side in solve()
};

extern template class SparseLu<double>;
extern template class SparseLu<std::complex<double>>;
extern template class SparseLu<rational>;

}  // namespace daemark
