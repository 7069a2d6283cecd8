#include "base/linear/rank_revealing_qr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/program/stop.hpp"

namespace daemark {
namespace {

/// A pivot of this part of its column's length makes the order be chosen anew.
constexpr double small_pivot = 1e-2;
/// Below this part of the first pivot a pivot is round-off of n sums.
constexpr double no_pivot = 1e-12;

double dot(const double* a, const double* b, int count) {
  double even = 0, odd = 0;  // two sums at once
  int i = 0;
  for (; i + 1 < count; i += 2) even += a[i] * b[i], odd += a[i + 1] * b[i + 1];
  if (i < count) even += a[i] * b[i];
  return even + odd;
}

}  // namespace

void RankRevealingQr::resize(int n, int m, int rank) {
  n_ = n, m_ = m, rank_ = rank;
  columns_.assign(static_cast<std::size_t>(n) * m, 0.0);
  work_ = columns_;
  diagonal_.assign(m, 0.0), tau_ = left_ = diagonal_;
  null_.assign(static_cast<std::size_t>(n) * (n - rank), 0.0);
  scratch_.assign(m, 0.0), half_.assign(m, 0.0);
  inverse_.assign(static_cast<std::size_t>(rank) * rank, 0.0);
  order_.resize(m);
  std::iota(order_.begin(), order_.end(), 0);
  const std::size_t redundant = m - rank;
  w_.assign(redundant * rank, 0.0);
  cholesky_.assign(redundant * redundant, 0.0);
  extra_.assign(redundant, 0.0);
  chosen_ = false;
}

/// Reflections for `count` pivots; stops at one that is no pivot.
RankRevealingQr::Outcome RankRevealingQr::reflect(bool choose, int count) {
  for (int j = 0; j < m_; ++j) {
    const double* const from = &columns_[static_cast<std::size_t>(order_[j]) * n_];
    std::copy_n(from, n_, &at(0, j));
    left_[j] = dot(from, from, n_);
  }
  double first = 0;
  for (int k = 0; k < count; ++k) {
    if ((k & 15) == 15) checkpoint();
    if (choose) {
      const auto best = std::max_element(left_.begin() + k, left_.end());
      const int j = static_cast<int>(best - left_.begin());
      if (j != k) {
        std::swap_ranges(&at(0, j), &at(0, j) + n_, &at(0, k));
        std::swap(order_[j], order_[k]);
        std::swap(left_[j], left_[k]);
      }
    }
    double* const column = &at(k, k);
    const int below = n_ - k;
    const double length = std::sqrt(dot(column, column, below));
    if (!std::isfinite(length)) return Outcome::not_finite;
    if (k == 0) first = length;
    const double least = choose ? no_pivot * first : small_pivot * std::sqrt(left_[k]);
    if (!(length > least)) return Outcome::rank_smaller;
    diagonal_[k] = column[0] > 0 ? -length : length;
    column[0] -= diagonal_[k];
    tau_[k] = -1 / (diagonal_[k] * column[0]);
    for (int j = k + 1; j < m_; ++j) {
      double* const other = &at(k, j);
      const double factor = tau_[k] * dot(column, other, below);
      for (int i = 0; i < below; ++i) other[i] -= factor * column[i];
      if (choose) left_[j] = dot(other + 1, other + 1, below - 1);
    }
  }
  return Outcome::ok;
}

RankRevealingQr::Outcome RankRevealingQr::factor() {
  Outcome outcome = chosen_ ? reflect(false, rank_) : Outcome::rank_smaller;
  if (outcome == Outcome::rank_smaller) outcome = reflect(true, rank_);
  chosen_ = outcome == Outcome::ok;
  if (!chosen_) return outcome;
  invert();
  form_null_space();
  if (rank_ < m_) form_redundancy();
  return outcome;
}

int RankRevealingQr::rank_of(double relative) {
  chosen_ = false;
  const int most = std::min(n_, m_);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  if (reflect(true, most) == Outcome::not_finite) return 0;
  int count = 0;
  while (count < most && std::abs(diagonal_[count]) > relative * std::abs(diagonal_[0])) ++count;
  return count;
}

/// Q e_j, j = rank.., by the reflections backwards.
void RankRevealingQr::form_null_space() {
  for (int j = 0; j < null_dimension(); ++j) {
    if ((j & 15) == 15) checkpoint();
    double* const v = &null_[static_cast<std::size_t>(j) * n_];
    std::fill_n(v, n_, 0.0);
    v[rank_ + j] = 1;
    for (int k = rank_ - 1; k >= 0; --k) {
      const double* const column = &at(k, k);
      const double factor = tau_[k] * dot(column, v + k, n_ - k);
      for (int i = 0; i < n_ - k; ++i) v[k + i] -= factor * column[i];
    }
  }
}

void RankRevealingQr::form_redundancy() {
  const int redundant = m_ - rank_;
  for (int j = 0; j < redundant; ++j) {
    if ((j & 15) == 15) checkpoint();
    double* const w = &w_[static_cast<std::size_t>(j) * rank_];
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = at(i, rank_ + j);
      for (int k = i + 1; k < rank_; ++k) sum -= at(i, k) * w[k];
      w[i] = sum / diagonal_[i];
    }
  }
  for (int j = 0; j < redundant; ++j)
    for (int i = j; i < redundant; ++i) {
      double sum = (i == j ? 1.0 : 0.0) + dot(&w_[static_cast<std::size_t>(i) * rank_],
                                              &w_[static_cast<std::size_t>(j) * rank_], rank_);
      for (int k = 0; k < j; ++k)
        sum -= cholesky_[i * redundant + k] * cholesky_[j * redundant + k];
      cholesky_[i * redundant + j] = i == j ? std::sqrt(sum) : sum / cholesky_[j * redundant + j];
    }
}

/// By columns, each from those before it.
void RankRevealingQr::invert() {
  for (int k = 0; k < rank_; ++k) {
    if ((k & 15) == 15) checkpoint();
    double* const column = &inverse_[static_cast<std::size_t>(k) * rank_];
    const double own = 1 / diagonal_[k];
    std::fill_n(column, k, 0.0);
    for (int j = 0; j < k; ++j) {
      const double weight = -own * at(j, k);
      const double* const before = &inverse_[static_cast<std::size_t>(j) * rank_];
      for (int i = 0; i <= j; ++i) column[i] += weight * before[i];
    }
    column[k] = own;
  }
}

void RankRevealingQr::solve_normal() {
  double *const y = scratch_.data(), *const z = half_.data();
  for (int k = 0; k < rank_; ++k)
    z[k] = dot(&inverse_[static_cast<std::size_t>(k) * rank_], y, k + 1);
  std::fill_n(y, rank_, 0.0);
  for (int k = 0; k < rank_; ++k) {
    const double* const column = &inverse_[static_cast<std::size_t>(k) * rank_];
    for (int i = 0; i <= k; ++i) y[i] += column[i] * z[k];
  }
}

void RankRevealingQr::solve_rows(const double* r, double* x) {
  for (int k = 0; k < rank_; ++k) scratch_[k] = r[order_[k]];
  solve_normal();
  std::fill_n(x, n_, 0.0);
  for (int k = 0; k < rank_; ++k) {
    const double* const from = &columns_[static_cast<std::size_t>(order_[k]) * n_];
    const double y = scratch_[k];
    for (int i = 0; i < n_; ++i) x[i] += y * from[i];
  }
}

void RankRevealingQr::solve_columns(const double* rho, double* lambda) {
  for (int k = 0; k < rank_; ++k)
    scratch_[k] = dot(&columns_[static_cast<std::size_t>(order_[k]) * n_], rho, n_);
  solve_normal();
  const int redundant = m_ - rank_;
  for (int j = 0; j < redundant; ++j) {  // t = (I + WᵀW)⁻¹ Wᵀu, λ = (u − W t, t)
    double sum = dot(&w_[static_cast<std::size_t>(j) * rank_], scratch_.data(), rank_);
    for (int k = 0; k < j; ++k) sum -= cholesky_[j * redundant + k] * extra_[k];
    extra_[j] = sum / cholesky_[j * redundant + j];
  }
  for (int j = redundant - 1; j >= 0; --j) {
    for (int k = j + 1; k < redundant; ++k) extra_[j] -= cholesky_[k * redundant + j] * extra_[k];
    extra_[j] /= cholesky_[j * redundant + j];
  }
  for (int j = 0; j < redundant; ++j) {
    const double* const w = &w_[static_cast<std::size_t>(j) * rank_];
    for (int k = 0; k < rank_; ++k) scratch_[k] -= w[k] * extra_[j];
    lambda[order_[rank_ + j]] = extra_[j];
  }
  for (int k = 0; k < rank_; ++k) lambda[order_[k]] = scratch_[k];
}

}  // namespace daemark
