// Choice of a pivot order for SparseLu: Gaussian elimination on lists, pivots by Markowitz count
// with a threshold [Duff, Erisman, Reid, Direct Methods for Sparse Matrices, 2nd ed., ch. 10].
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// The arithmetic that differs between the scalars of SparseLu.
template <class F>
struct LuField;

template <>
struct LuField<double> {
  static constexpr bool exact = false;
  static double magnitude(double a) { return std::fabs(a); }
  static double product(double a, double b) { return a * b; }
  static double reciprocal(double a) { return 1 / a; }
};

/// Written out, since operator* of std::complex spends most of its time on checks for NaN.
template <>
struct LuField<std::complex<double>> {
  using F = std::complex<double>;
  static constexpr bool exact = false;
  static double magnitude(const F& a) { return std::fabs(a.real()) + std::fabs(a.imag()); }
  static F product(const F& a, const F& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  static F reciprocal(const F& a) {  // scaled: |a|² may overflow where 1/a does not
    const double scale = 1 / magnitude(a);
    const double re = a.real() * scale, im = a.imag() * scale;
    const double factor = scale / (re * re + im * im);
    return {re * factor, -im * factor};
  }
};

/// Magnitudes are 0 or 1: every nonzero is as good as any other.
template <>
struct LuField<rational> {
  static constexpr bool exact = true;
  static double magnitude(const rational& a) { return a.is_zero() ? 0 : 1; }
  static rational product(const rational& a, const rational& b) { return a * b; }
  static rational reciprocal(const rational& a) { return 1 / a; }
};

/// Lists of lines (rows or columns) with equal numbers of entries.
class CountLists {
 public:
  void reset(int n);                ///< n lines, none in a list
  void place(int line, int count);  ///< moves the line there
  void remove(int line);
  int first(int count) const { return head_[count]; }
  int next(int line) const { return next_[line]; }

 private:
  std::vector<int> head_, next_, previous_, count_;  ///< count −1: in no list
};

/// Where the members of a line stand in it, for the few lines that are much longer than the others:
/// looking through those again and again would cost the square of the number of unknowns.
class LongLines {
 public:
  void reset(int n);  ///< n lines, none long
  bool is_long(int line) const { return long_[line]; }
  void add(int line) { long_[line] = true; }
  void put(int line, int member, int place) { places_[key(line, member)] = place; }
  void drop(int line, int member) { places_.erase(key(line, member)); }
  int find(int line, int member) const;  ///< −1: not a member

 private:
  static std::uint64_t key(int line, int member) {
    return static_cast<std::uint64_t>(line) << 32 | static_cast<std::uint32_t>(member);
  }
  std::vector<char> long_;
  std::unordered_map<std::uint64_t, int> places_;
};

/// An object may choose any number of orders. For up to kRoomy unknowns all lists have room for a
/// full matrix after the first run, and later runs allocate nothing but for LongLines.
template <class F>
class MarkowitzOrder {
 public:
  /// False if no entry is left above rounding noise: the matrix is singular, unless overflowed().
  bool run(int n, const std::vector<std::pair<int, int>>& entries, const F* values);
  bool overflowed() const;  ///< an entry that was left is not finite

  std::vector<std::int32_t> pivot_row, pivot_column;  ///< by step
  /// By original row: the steps that eliminate in it, ascending.
  std::vector<std::vector<std::int32_t>> lower;
  /// By step: the original columns of the pivot row, without the pivot.
  std::vector<std::vector<std::int32_t>> upper;

 private:
  struct Entry {
    int column;
    F value;
    double met;  ///< Σ of magnitudes that went into value: what cancellation leaves is noise
  };
  struct Pivot {
    int row = -1, column = -1;
    double cost = 0, ratio = 0;
  };

  static constexpr int kRoomy = 256;

  void start(int n, const std::vector<std::pair<int, int>>& entries, const F* values);
  Pivot search();
  void weigh(int row, const Entry& entry, Pivot& best);
  const Entry& at(int row, int column) const { return rows_[row][place_in_row(row, column)]; }
  int place_in_row(int row, int column) const;
  double largest(int row);
  void eliminate(int step, const Pivot& pivot);
  void update_row(int row, const Pivot& pivot, const F& reciprocal);
  void subtract(int row, Entry& entry, const F& product);
  void append(int row, const Entry& entry);
  void drop_from_row(int row, int column, int place);
  void drop_from_column(int column, int row);
  bool much_longer(std::size_t count) const;
  void mark_if_long(int row, int column);

  int n_ = 0;
  std::size_t left_ = 0;     ///< lines not yet eliminated
  std::size_t entries_ = 0;  ///< in them
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<int>> columns_;
  LongLines long_rows_, long_columns_;
  CountLists row_counts_, column_counts_;
  std::vector<double> largest_;  ///< −1: to be found anew
  std::vector<int> place_;       ///< place of a column in the row under work, −1: absent
};

extern template class MarkowitzOrder<double>;
extern template class MarkowitzOrder<std::complex<double>>;
extern template class MarkowitzOrder<rational>;

}  // namespace daemark
