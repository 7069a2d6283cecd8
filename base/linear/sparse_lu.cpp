#include "base/linear/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "base/linear/lu_tally.hpp"
#include "base/program/stop.hpp"

namespace daemark {

namespace {

/// Elimination by lists up to this many products (8 bytes each), ...
constexpr std::int64_t kMostProducts = 200000;
/// ... and where the blocks are smaller than this, in products each on the mean.
constexpr std::int64_t kSmallBlock = 12;

template <class F>
bool all_finite(const F* values, std::size_t count) {
  if constexpr (!LuField<F>::exact) {
    for (std::size_t e = 0; e < count; ++e) {
      if (!std::isfinite(LuField<F>::magnitude(values[e]))) return false;
    }
  }
  return true;
}

}  // namespace

const char* lu_status_name(LuStatus status) {
  switch (status) {
    case LuStatus::not_factored:
      return "not_factored";
    case LuStatus::ok:
      return "ok";
    case LuStatus::singular:
      return "singular";
    case LuStatus::not_finite:
      return "not_finite";
  }
  return "";
}

template <class F>
void SparseLu<F>::set_pattern(int n, std::vector<std::pair<int, int>> entries) {
  if (n < 1) {
    throw std::invalid_argument("SparseLu: size " + std::to_string(n) + ", accepted: 1 or more");
  }
  const auto text = [](const std::pair<int, int>& e) {
    return "(" + std::to_string(e.first) + ", " + std::to_string(e.second) + ")";
  };
  for (const auto& e : entries) {
    if (e.first < 0 || e.first >= n || e.second < 0 || e.second >= n) {
      throw std::invalid_argument("SparseLu: entry " + text(e) + " outside a matrix of size " +
                                  std::to_string(n));
    }
  }
  auto sorted = entries;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw std::invalid_argument("SparseLu: entry " + text(*twice) + " given twice");
  }
  *this = SparseLu();
  n_ = n;
  entries_ = std::move(entries);
}

template <class F>
bool SparseLu<F>::factor(const F* values) {
  const bool known = status_ == LuStatus::ok;
  status_ = LuStatus::not_factored;  // also where the work is stopped (checkpoint)
  status_ = known && refactor(values) ? LuStatus::ok : analyse(values);
  if (LuTally* const tally = LuTally::current())
    ++tally->factorizations, tally->pairs += operations();
  return status_ == LuStatus::ok;
}

template <class F>
LuStatus SparseLu<F>::analyse(const F* values) {
  if (n_ == 0) throw std::logic_error("SparseLu: factor() before set_pattern()");
  if (!all_finite(values, entries_.size())) return LuStatus::not_finite;
  ++analyses_;
  if (!order_.run(n_, entries_, values))
    return order_.overflowed() ? LuStatus::not_finite : LuStatus::singular;
  pivot_row_ = order_.pivot_row;
  pivot_column_ = order_.pivot_column;
  lay_out();
  if (refactor(values)) {  // with limits still zero
    set_limits();
    return LuStatus::ok;
  }
  return all_finite(factors_.data(), factors_.size()) ? LuStatus::singular : LuStatus::not_finite;
}

/// Pairs (entry, column) row by row: where refactor_by_blocks() finds what a row begins with.
template <class F>
void SparseLu<F>::sort_input() {
  row_step_.resize(n_), column_step_.resize(n_);
  for (int step = 0; step < n_; ++step) {
    row_step_[pivot_row_[step]] = step;
    column_step_[pivot_column_[step]] = step;
  }
  input_begin_.assign(n_ + 1, 0);
  for (const auto& entry : entries_) ++input_begin_[row_step_[entry.first] + 1];
  for (int i = 0; i < n_; ++i) input_begin_[i + 1] += input_begin_[i];
  place_.assign(input_begin_.begin(), input_begin_.end() - 1);
  input_.resize(2 * entries_.size());
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const Index k = place_[row_step_[entries_[e].first]]++;
    input_[2 * k] = static_cast<Index>(e), input_[2 * k + 1] = column_step_[entries_[e].second];
  }
}

template <class F>
void SparseLu<F>::lay_out() {
  sort_input();
  begin_.assign(1, 0);
  diagonal_.clear();
  column_.clear();
  source_.clear();
  place_.assign(n_, -1);  // of an input entry, by column
  for (int i = 0; i < n_; ++i) {
    if ((i & 255) == 255) checkpoint();
    const auto& left = order_.lower[pivot_row_[i]];
    column_.insert(column_.end(), left.begin(), left.end());
    diagonal_.push_back(static_cast<Index>(column_.size()));
    column_.push_back(i);
    for (const Index column : order_.upper[i]) column_.push_back(column_step_[column]);
    std::sort(column_.begin() + diagonal_[i] + 1, column_.end(), std::greater<>());
    begin_.push_back(static_cast<Index>(column_.size()));
    for (Index k = input_begin_[i]; k < input_begin_[i + 1]; ++k)
      place_[input_[2 * k + 1]] = input_[2 * k];
    for (Index p = begin_[i]; p < begin_[i + 1]; ++p) source_.push_back(place_[column_[p]]);
    for (Index k = input_begin_[i]; k < input_begin_[i + 1]; ++k) place_[input_[2 * k + 1]] = -1;
  }
  factors_.assign(column_.size(), F(0));
  limits_.assign(n_, Limits());
  work_.assign(2 * static_cast<std::size_t>(n_), F(0));  // for refactor_by_blocks(), for solve()
  find_blocks();
  by_products_ =
      operations() <= std::min<std::int64_t>(
                          kMostProducts, kSmallBlock * static_cast<std::int64_t>(blocks_.size()));
  list_products();
  if (analyses_ == 1) make_room();
}

/// A run of rows k, k + 1, ... of U, each with the columns of the one before it but its own, is
/// subtracted from a later row in one go.
template <class F>
void SparseLu<F>::find_blocks() {
  const auto continues = [this](Index k) {  // row k the run of row k − 1
    const Index count = begin_[k + 1] - diagonal_[k] - 1;
    const auto before = column_.begin() + diagonal_[k - 1] + 1;
    return begin_[k] - diagonal_[k - 1] - 1 == count + 1 && column_[begin_[k] - 1] == k &&
           std::equal(before, before + count, column_.begin() + diagonal_[k] + 1);
  };
  blocks_.clear();
  block_begin_.assign(1, 0);
  for (Index i = 0; i < n_; ++i) {
    for (Index p = begin_[i]; p < diagonal_[i]; ++p) {
      const bool next = p > begin_[i] && column_[p] == column_[p - 1] + 1 && continues(column_[p]);
      if (next)
        ++blocks_.back().rows;
      else
        blocks_.push_back({p, 1});
    }
    block_begin_.push_back(static_cast<Index>(blocks_.size()));
  }
}

/// Other orders have other fill.
template <class F>
void SparseLu<F>::make_room() {
  const auto twice = [](auto& list) { list.reserve(2 * list.size()); };
  twice(column_), twice(source_), twice(factors_), twice(product_begin_), twice(products_);
  twice(blocks_);
}

/// Counts the products of each entry, then puts them there, row by row.
template <class F>
void SparseLu<F>::list_products() {
  products_.clear();
  product_begin_.clear();
  if (!by_products_) return;
  const auto for_each_product = [this](int i, auto&& take) {
    for (Index p = begin_[i]; p < diagonal_[i]; ++p) {
      const Index k = column_[p];
      for (Index q = diagonal_[k] + 1; q < begin_[k + 1]; ++q) take(place_[column_[q]], p, q);
    }
  };
  product_begin_.assign(column_.size() + 1, 0);
  place_.assign(n_, 0);  // of a column in the row under work
  const auto find_places = [this](int i) {
    for (Index p = begin_[i]; p < begin_[i + 1]; ++p) place_[column_[p]] = p;
  };
  for (int i = 0; i < n_; ++i) {
    find_places(i);
    for_each_product(i, [this](Index at, Index, Index) { ++product_begin_[at + 1]; });
  }
  for (std::size_t p = 0; p < column_.size(); ++p) product_begin_[p + 1] += product_begin_[p];
  products_.resize(product_begin_.back());
  for (int i = 0; i < n_; ++i) {
    find_places(i);
    for_each_product(i, [this](Index at, Index p, Index q) {
      products_[product_begin_[at]++] = {p, q};
    });
  }
  // Each begin has moved to its end, which is the next one's begin.
  std::copy_backward(product_begin_.begin(), product_begin_.end() - 2, product_begin_.end() - 1);
  product_begin_.front() = 0;
}

template <class F>
void SparseLu<F>::solve(F* x) const {
  using Field = LuField<F>;
  if (status_ != LuStatus::ok) {
    throw std::logic_error(std::string("SparseLu: solve() while ") + lu_status_name(status_));
  }
  if (LuTally* const tally = LuTally::current()) ++tally->solves, tally->pairs += nonzeros() - n_;
  F* const y = work_.data() + n_;
  const F* const factors = factors_.data();
  const Index* const column = column_.data();
  const Index* const begin = begin_.data();
  const Index* const diagonal = diagonal_.data();
  for (Index i = 0; i < n_; ++i) {
    F sum = x[pivot_row_[i]];
    for (Index p = begin[i]; p < diagonal[i]; ++p) {
      sum -= Field::product(factors[p], y[column[p]]);
    }
    y[i] = Field::product(sum, factors[diagonal[i]]);
  }
  for (Index i = n_ - 1; i >= 0; --i) {
    F sum = y[i];
    for (Index p = diagonal[i] + 1; p < begin[i + 1]; ++p) {
      sum -= Field::product(factors[p], y[column[p]]);
    }
    y[i] = sum;
    x[pivot_column_[i]] = sum;
  }
}

template <class F>
int SparseLu<F>::nonzeros() const {
  return static_cast<int>(factors_.size());
}

template <class F>
std::int64_t SparseLu<F>::operations() const {
  std::int64_t sum = 0;
  for (int i = 0; i < n_ && !diagonal_.empty(); ++i) {
    for (Index p = begin_[i]; p < diagonal_[i]; ++p) {
      const Index k = column_[p];
      sum += begin_[k + 1] - diagonal_[k] - 1;
    }
  }
  return sum;
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;
template class SparseLu<rational>;

}  // namespace daemark
