#include "problems/system/redundant_solve.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

RedundantSolve::RedundantSolve(const Pattern& mass, const Pattern& gradient, int rank)
    : mass_pattern_(mass), gradient_pattern_(gradient), n_(gradient.cols), m_(gradient.rows) {
  qr_.resize(n_, m_, rank);
  const int d = qr_.null_dimension();
  mass_.resize(mass.size()), cholesky_.resize(d * d), reduced_.resize(d);
  a_.resize(n_), tangential_.resize(n_), rows_.resize(m_);
}

void RedundantSolve::subtract_mass(const double* a, double* from) const {
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    const auto [row, column] = mass_pattern_.entries[k];
    from[row] -= mass_[k] * a[column];
  }
}

bool RedundantSolve::factor(const double* mass, const double* gradient, double weight) {
  std::copy_n(mass, mass_.size(), mass_.begin());
  weight_ = weight;
  for (int j = 0; j < m_; ++j) std::fill_n(qr_.column(j), n_, 0.0);
  const auto& entries = gradient_pattern_.entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    qr_.column(entries[k].first)[entries[k].second] += gradient[k];
  if (qr_.factor() != RankRevealingQr::Outcome::ok) return false;
  const int d = qr_.null_dimension();
  for (int j = 0; j < d; ++j) {
    std::fill(a_.begin(), a_.end(), 0.0);
    subtract_mass(qr_.null_vector(j), a_.data());
    for (int i = j; i < d; ++i) {
      double sum = 0;
      for (int c = 0; c < n_; ++c) sum -= qr_.null_vector(i)[c] * a_[c];
      for (int k = 0; k < j; ++k) sum -= cholesky_[i * d + k] * cholesky_[j * d + k];
      if (i == j && !(sum > 0)) return false;
      cholesky_[i * d + j] = i == j ? std::sqrt(sum) : sum / cholesky_[j * d + j];
    }
  }
  return true;
}

void RedundantSolve::solve(double* x) {
  const int d = qr_.null_dimension();
  for (int j = 0; j < m_; ++j) rows_[j] = x[n_ + j] / weight_;
  qr_.solve_rows(rows_.data(), a_.data());
  subtract_mass(a_.data(), x);
  for (int j = 0; j < d; ++j) {
    reduced_[j] = 0;
    for (int c = 0; c < n_; ++c) reduced_[j] += qr_.null_vector(j)[c] * x[c];
    for (int k = 0; k < j; ++k) reduced_[j] -= cholesky_[j * d + k] * reduced_[k];
    reduced_[j] /= cholesky_[j * d + j];
  }
  for (int j = d - 1; j >= 0; --j) {
    for (int k = j + 1; k < d; ++k) reduced_[j] -= cholesky_[k * d + j] * reduced_[k];
    reduced_[j] /= cholesky_[j * d + j];
  }
  for (int c = 0; c < n_; ++c) {
    tangential_[c] = 0;
    for (int j = 0; j < d; ++j) tangential_[c] += reduced_[j] * qr_.null_vector(j)[c];
    a_[c] += tangential_[c];
  }
  subtract_mass(tangential_.data(), x);
  qr_.solve_columns(x, rows_.data());
  std::copy(a_.begin(), a_.end(), x);
  std::copy(rows_.begin(), rows_.end(), x + n_);
}

}  // namespace daemark
