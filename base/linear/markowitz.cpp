#include "base/linear/markowitz.hpp"

#include <algorithm>

#include "base/program/stop.hpp"

namespace daemark {

namespace {

constexpr double kThreshold = 0.1;  ///< of the row's largest entry
/// An entry this far below what was added up in it is taken for a zero.
constexpr double kNoise = 64 * std::numeric_limits<double>::epsilon();
/// Lines looked at for one pivot once an acceptable one is known.
constexpr int kLines = 16;
/// A line is long beyond this many entries and this many times the mean.
constexpr std::size_t kLongLine = 64, kTimesMean = 8;

}  // namespace

void CountLists::reset(int n) {
  head_.assign(n + 1, -1);
  for (std::vector<int>* list : {&next_, &previous_, &count_}) list->assign(n, -1);
}

void CountLists::place(int line, int count) {
  if (count_[line] == count) return;
  remove(line);
  count_[line] = count;
  next_[line] = head_[count];
  previous_[line] = -1;
  if (head_[count] >= 0) previous_[head_[count]] = line;
  head_[count] = line;
}

void CountLists::remove(int line) {
  if (count_[line] < 0) return;
  if (previous_[line] >= 0) {
    next_[previous_[line]] = next_[line];
  } else {
    head_[count_[line]] = next_[line];
  }
  if (next_[line] >= 0) previous_[next_[line]] = previous_[line];
  count_[line] = -1;
}

void LongLines::reset(int n) {
  long_.assign(n, false);
  places_.clear();
}

int LongLines::find(int line, int member) const {
  const auto found = places_.find(key(line, member));
  return found == places_.end() ? -1 : found->second;
}

template <class F>
bool MarkowitzOrder<F>::much_longer(std::size_t count) const {
  return count > kLongLine && count * left_ > kTimesMean * entries_;
}

template <class F>
void MarkowitzOrder<F>::start(int n, const std::vector<std::pair<int, int>>& entries,
                              const F* values) {
  n_ = n;
  const auto empty = [n](auto& lists) {
    lists.resize(n);
    for (auto& list : lists) {
      list.clear();
      if (n <= kRoomy) list.reserve(n);
    }
  };
  empty(rows_), empty(columns_), empty(lower), empty(upper);
  row_counts_.reset(n), column_counts_.reset(n);
  long_rows_.reset(n), long_columns_.reset(n);
  largest_.assign(n, -1.0);
  place_.assign(n, -1);
  left_ = n, entries_ = entries.size();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [row, column] = entries[e];
    rows_[row].push_back({column, values[e], LuField<F>::magnitude(values[e])});
    columns_[column].push_back(row);
  }
  for (int line = 0; line < n; ++line) mark_if_long(line, line);
  for (int line = n - 1; line >= 0; --line) {  // so that lists begin with the lowest number
    row_counts_.place(line, static_cast<int>(rows_[line].size()));
    column_counts_.place(line, static_cast<int>(columns_[line].size()));
  }
  pivot_row.clear(), pivot_column.clear();
  pivot_row.reserve(n), pivot_column.reserve(n);
}

template <class F>
bool MarkowitzOrder<F>::run(int n, const std::vector<std::pair<int, int>>& entries,
                            const F* values) {
  start(n, entries, values);
  for (int step = 0; step < n_; ++step) {
    if (LuField<F>::exact || (step & 63) == 63) checkpoint();
    const Pivot pivot = search();
    if (pivot.row < 0) return false;
    eliminate(step, pivot);
  }
  return true;
}

template <class F>
bool MarkowitzOrder<F>::overflowed() const {
  for (const auto& row : rows_) {
    for (const Entry& entry : row) {
      if (!std::isfinite(entry.met)) return true;
    }
  }
  return false;
}

template <class F>
typename MarkowitzOrder<F>::Pivot MarkowitzOrder<F>::search() {
  Pivot best;
  int lines = 0;
  const auto enough = [&](int count) {
    // Lines of `count` entries and more cost at least (count − 1)².
    return best.row >= 0 && (lines >= kLines || best.cost < (count - 1.0) * (count - 1.0));
  };
  for (int count = 1; count <= n_; ++count) {
    for (int c = column_counts_.first(count), next = 0; c >= 0; c = next) {
      if (enough(count)) return best;
      next = column_counts_.next(c);
      const bool first = best.row < 0;
      for (const int row : columns_[c]) weigh(row, at(row, c), best);
      // Without a pivot now it has none until its entries or the largest of its rows change.
      if (first && best.row < 0 && n_ > kRoomy) column_counts_.remove(c);
      ++lines;
    }
    for (int r = row_counts_.first(count); r >= 0; r = row_counts_.next(r)) {
      if (enough(count)) return best;
      for (const Entry& entry : rows_[r]) weigh(r, entry, best);
      ++lines;
    }
  }
  return best;
}

/// Takes the entry if it is the best so far: lowest count, then largest relative to its row.
template <class F>
void MarkowitzOrder<F>::weigh(int row, const Entry& entry, Pivot& best) {
  const double cost = (static_cast<double>(rows_[row].size()) - 1) *
                      (static_cast<double>(columns_[entry.column].size()) - 1);
  if (best.row >= 0 && cost > best.cost) return;
  const double size = LuField<F>::magnitude(entry.value);
  if (!(size > kNoise * entry.met) || size < kThreshold * largest(row)) return;
  const double ratio = size / largest(row);
  if (best.row < 0 || cost < best.cost || ratio > best.ratio) {
    best = {row, entry.column, cost, ratio};
  }
}

template <class F>
int MarkowitzOrder<F>::place_in_row(int row, int column) const {
  if (long_rows_.is_long(row)) return long_rows_.find(row, column);
  const auto& entries = rows_[row];
  return static_cast<int>(std::find_if(entries.begin(), entries.end(),
                                       [column](const Entry& e) { return e.column == column; }) -
                          entries.begin());
}

template <class F>
double MarkowitzOrder<F>::largest(int row) {
  if (largest_[row] < 0) {
    double found = 0;
    for (const Entry& e : rows_[row]) found = std::max(found, LuField<F>::magnitude(e.value));
    largest_[row] = found;
  }
  return largest_[row];
}

template <class F>
void MarkowitzOrder<F>::eliminate(int step, const Pivot& pivot) {
  pivot_row.push_back(pivot.row);
  pivot_column.push_back(pivot.column);
  row_counts_.remove(pivot.row);
  column_counts_.remove(pivot.column);
  const F reciprocal = LuField<F>::reciprocal(at(pivot.row, pivot.column).value);
  for (const Entry& e : rows_[pivot.row]) {
    drop_from_column(e.column, pivot.row);
    if (e.column != pivot.column) upper[step].push_back(e.column);
    if (long_rows_.is_long(pivot.row)) long_rows_.drop(pivot.row, e.column);
  }
  for (const int row : columns_[pivot.column]) {
    lower[row].push_back(step);
    update_row(row, pivot, reciprocal);
    row_counts_.place(row, static_cast<int>(rows_[row].size()));
    if (long_columns_.is_long(pivot.column)) long_columns_.drop(pivot.column, row);
  }
  for (const int column : upper[step]) {
    column_counts_.place(column, static_cast<int>(columns_[column].size()));
  }
  entries_ -= rows_[pivot.row].size();
  --left_;
  rows_[pivot.row].clear();
  columns_[pivot.column].clear();
}

template <class F>
void MarkowitzOrder<F>::update_row(int row, const Pivot& pivot, const F& reciprocal) {
  auto& target = rows_[row];
  const double largest = largest_[row];
  const bool looked_up = long_rows_.is_long(row);
  if (!looked_up)
    for (std::size_t p = 0; p < target.size(); ++p) place_[target[p].column] = static_cast<int>(p);
  const auto place_of = [&](int column) {
    return looked_up ? long_rows_.find(row, column) : place_[column];
  };
  const int gone = place_of(pivot.column);
  const F factor = LuField<F>::product(target[gone].value, reciprocal);
  const std::size_t before = target.size();
  for (const Entry& source : rows_[pivot.row]) {
    if (source.column == pivot.column) continue;
    const F product = LuField<F>::product(factor, source.value);
    const int place = place_of(source.column);
    if (place < 0) {
      append(row, {source.column, -product, LuField<F>::magnitude(product)});
    } else {
      subtract(row, target[place], product);
    }
  }
  if (!looked_up)
    for (std::size_t p = 0; p < before; ++p) place_[target[p].column] = -1;
  drop_from_row(row, pivot.column, gone);
  if (largest_[row] >= largest || n_ <= kRoomy) return;
  for (const Entry& e : target)  // columns that search() has put aside among them
    column_counts_.place(e.column, static_cast<int>(columns_[e.column].size()));
}

/// entry −= product.
template <class F>
void MarkowitzOrder<F>::subtract(int row, Entry& entry, const F& product) {
  if (LuField<F>::magnitude(entry.value) == largest_[row]) largest_[row] = -1;
  entry.value -= product;
  entry.met += LuField<F>::magnitude(product);
  if (largest_[row] >= 0)
    largest_[row] = std::max(largest_[row], LuField<F>::magnitude(entry.value));
}

template <class F>
void MarkowitzOrder<F>::append(int row, const Entry& entry) {
  auto& entries = rows_[row];
  auto& rows = columns_[entry.column];
  entries.push_back(entry);
  rows.push_back(row);
  ++entries_;
  if (largest_[row] >= 0)
    largest_[row] = std::max(largest_[row], LuField<F>::magnitude(entry.value));
  if (long_rows_.is_long(row))
    long_rows_.put(row, entry.column, static_cast<int>(entries.size()) - 1);
  if (long_columns_.is_long(entry.column))
    long_columns_.put(entry.column, row, static_cast<int>(rows.size()) - 1);
  mark_if_long(row, entry.column);
}

template <class F>
void MarkowitzOrder<F>::mark_if_long(int row, int column) {
  const auto mark = [this](LongLines& lines, int line, const auto& members, auto member) {
    if (lines.is_long(line) || !much_longer(members.size())) return;
    lines.add(line);
    for (std::size_t p = 0; p < members.size(); ++p)
      lines.put(line, member(members[p]), static_cast<int>(p));
  };
  mark(long_rows_, row, rows_[row], [](const Entry& e) { return e.column; });
  mark(long_columns_, column, columns_[column], [](int r) { return r; });
}

template <class F>
void MarkowitzOrder<F>::drop_from_row(int row, int column, int place) {
  auto& entries = rows_[row];
  if (LuField<F>::magnitude(entries[place].value) == largest_[row]) largest_[row] = -1;
  entries[place] = std::move(entries.back());
  entries.pop_back();
  --entries_;
  if (!long_rows_.is_long(row)) return;
  long_rows_.drop(row, column);
  if (place < static_cast<int>(entries.size())) long_rows_.put(row, entries[place].column, place);
}

template <class F>
void MarkowitzOrder<F>::drop_from_column(int column, int row) {
  auto& rows = columns_[column];
  const int place = long_columns_.is_long(column)
                        ? long_columns_.find(column, row)
                        : static_cast<int>(std::find(rows.begin(), rows.end(), row) - rows.begin());
  rows[place] = rows.back();
  rows.pop_back();
  if (!long_columns_.is_long(column)) return;
  long_columns_.drop(column, row);
  if (place < static_cast<int>(rows.size())) long_columns_.put(column, rows[place], place);
}

template class MarkowitzOrder<double>;
template class MarkowitzOrder<std::complex<double>>;
template class MarkowitzOrder<rational>;

}  // namespace daemark
