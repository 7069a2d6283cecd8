// Elimination over a pattern that is laid out, by lists of products or by blocks of rows; both give
// the same sums in the same order.
#include <algorithm>
#include <cstring>
#include <limits>

#include "base/linear/sparse_lu.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

/// The pivot order is chosen anew when a pivot falls below this relative to the mean entry of its
/// row of U, or below this fraction of its first ratio to its row of L.
constexpr double kSmallPivot = 1e-3;

/// work[column[q]] −= Σ_k lower[k] · upper[begin[k] + q], k ascending, q = 0..count: four entries
/// at a time, whose sums need not wait for each other.
template <class F, class Index>
inline void subtract_rows(F* work, const Index* column, int count, const F* lower, const F* factors,
                          const Index* begin, int rows) {
  using Field = LuField<F>;
  int q = 0;
  if constexpr (std::is_same_v<F, double>) {
    using Pair = double __attribute__((vector_size(16)));
    for (; q + 4 <= count; q += 4) {
      Pair first = {work[column[q]], work[column[q + 1]]},
           second = {work[column[q + 2]], work[column[q + 3]]};
      for (int k = 0; k < rows; ++k) {
        Pair a, b;
        std::memcpy(&a, factors + begin[k] + 1 + q, sizeof a);
        std::memcpy(&b, factors + begin[k] + 3 + q, sizeof b);
        const Pair factor = {lower[k], lower[k]};
        first -= factor * a, second -= factor * b;
      }
      work[column[q]] = first[0], work[column[q + 1]] = first[1];
      work[column[q + 2]] = second[0], work[column[q + 3]] = second[1];
    }
  }
  for (; q < count; ++q) {
    F sum = work[column[q]];
    for (int k = 0; k < rows; ++k) sum -= Field::product(lower[k], factors[begin[k] + 1 + q]);
    work[column[q]] = sum;
  }
}

}  // namespace

template <class F>
bool SparseLu<F>::refactor(const F* values) {
  return by_products_ ? refactor_by_products(values) : refactor_by_blocks(values);
}

template <class F>
inline bool SparseLu<F>::acceptable(const Limits& limits, const F& pivot, const F& reciprocal,
                                    const RowCheck& check) {
  if constexpr (LuField<F>::exact) return true;
  const double size = LuField<F>::magnitude(pivot), inverse = LuField<F>::magnitude(reciprocal);
  return (size > limits.upper * check.upper + limits.lower * check.lower) & (inverse > 0) &
         (inverse <= std::numeric_limits<double>::max());
}

template <class F>
void SparseLu<F>::set_limits() {
  for (int i = 0; i < n_; ++i) {
    const Index count = std::max<Index>(1, begin_[i + 1] - diagonal_[i] - 1);
    double lower = 0;
    for (Index p = begin_[i]; p < diagonal_[i]; ++p) lower += LuField<F>::magnitude(factors_[p]);
    const double inverse_ratio = lower * LuField<F>::magnitude(factors_[diagonal_[i]]);
    limits_[i] = {kSmallPivot / count, kSmallPivot / std::max(1.0, inverse_ratio)};
  }
}

/// Each entry of L and U summed up by itself, in a register.
template <class F>
bool SparseLu<F>::refactor_by_products(const F* values) {
  using Field = LuField<F>;
  // Local copies: the compiler cannot know that the stores leave the members alone.
  F* const factors = factors_.data();
  const Product* const products = products_.data();
  const Index* const product_begin = product_begin_.data();
  const Index* const source = source_.data();
  const Index* const begin = begin_.data();
  const Index* const diagonals = diagonal_.data();
  const Limits* const limits = limits_.data();
  const Index n = n_;
  const auto sum_up = [=](Index p) {
    F sum = source[p] < 0 ? F(0) : values[source[p]];
    for (Index q = product_begin[p]; q < product_begin[p + 1]; ++q) {
      sum -= Field::product(factors[products[q].lower], factors[products[q].upper]);
    }
    return sum;
  };
  bool good = true;
  for (Index i = 0; i < n; ++i) {
    const Index diagonal = diagonals[i];
    RowCheck check;
    for (Index p = begin[i]; p < diagonal; ++p) {
      const F entry = sum_up(p);
      check.lower += Field::magnitude(entry);
      factors[p] = entry;
    }
    const F pivot = sum_up(diagonal);
    if (Field::exact && pivot == F(0)) return false;
    const F reciprocal = Field::reciprocal(pivot);
    factors[diagonal] = reciprocal;
    for (Index p = diagonal + 1; p < begin[i + 1]; ++p) {
      const F entry = sum_up(p);
      check.upper += Field::magnitude(entry);
      factors[p] = Field::product(entry, reciprocal);
    }
    good &= acceptable(limits[i], pivot, reciprocal, check);
  }
  return good;
}

/// In a dense row, which is zero between the rows, with as many rows of U at once as share their
/// columns.
template <class F>
bool SparseLu<F>::refactor_by_blocks(const F* values) {
  using Field = LuField<F>;
  F* const factors = factors_.data();
  F* const work = work_.data();
  const Index* const column = column_.data();
  const Index* const begin = begin_.data();
  const Index* const diagonals = diagonal_.data();
  const Block* const blocks = blocks_.data();
  const Index n = n_;
  bool good = true;
  for (Index i = 0; i < n; ++i) {
    if (Field::exact || (i & 63) == 63) checkpoint();
    for (Index p = input_begin_[i]; p < input_begin_[i + 1]; ++p)
      work[input_[2 * p + 1]] = values[input_[2 * p]];
    RowCheck check;
    for (Index b = block_begin_[i]; b < block_begin_[i + 1]; ++b) {
      const Index rows = blocks[b].rows, k0 = column[blocks[b].first], last = k0 + rows - 1;
      F* const lower = factors + blocks[b].first;
      for (Index c = 0; c < rows; ++c) {
        F entry = work[k0 + c];
        // Columns up to `last` of row k stand at its end, descending.
        for (Index k = 0; k < c; ++k)
          entry -= Field::product(lower[k], factors[begin[k0 + k + 1] + k - c]);
        work[k0 + c] = F(0);
        check.lower += Field::magnitude(entry);
        lower[c] = entry;
      }
      subtract_rows(work, column + diagonals[last] + 1, begin[last + 1] - diagonals[last] - 1,
                    lower, factors, diagonals + k0, rows);
    }
    const Index diagonal = diagonals[i];
    const F pivot = work[i];
    work[i] = F(0);
    if (Field::exact && pivot == F(0)) return false;
    const F reciprocal = Field::reciprocal(pivot);
    factors[diagonal] = reciprocal;
    for (Index p = diagonal + 1; p < begin[i + 1]; ++p) {
      const F entry = work[column[p]];
      work[column[p]] = F(0);
      check.upper += Field::magnitude(entry);
      factors[p] = Field::product(entry, reciprocal);
    }
    good &= acceptable(limits_[i], pivot, reciprocal, check);
  }
  return good;
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;
template class SparseLu<rational>;

}  // namespace daemark
