// Rank-revealing QR of Gᵀ (n × m; its columns are the gradients of m constraints) with known rank.
//
// Householder reflections; the next column is that with the largest remainder (Businger & Golub
// 1965). The order is kept from matrix to matrix until a pivot becomes small. Where columns are
// redundant the first `rank` chosen ones represent all. Minimum-norm solutions come from the
// semi-normal equations RᵀR y = r, x = Gᵀy; they serve as corrections, whose relative error κ²ε the
// next iteration removes.
#pragma once

#include <vector>

namespace daemark {

class RankRevealingQr {
 public:
  enum class Outcome { ok, rank_smaller, not_finite };

  /// 0 ≤ rank ≤ min(n, m).
  void resize(int n, int m, int rank);
  int rank() const { return rank_; }
  int null_dimension() const { return n_ - rank_; }

  /// Column j of Gᵀ, n entries, to be filled before factor().
  double* column(int j) { return &columns_[static_cast<std::size_t>(j) * n_]; }
  Outcome factor();
  /// Rank of the matrix last factored with pivots below `relative` of the first counted as zero;
  /// forgets the factors.
  int rank_of(double relative);

  /// Orthonormal, n entries, j < null_dimension().
  const double* null_vector(int j) const { return &null_[static_cast<std::size_t>(j) * n_]; }
  /// x := the minimum-norm solution of G x = r; r has m entries; those of redundant rows are
  /// assumed to follow from the others.
  void solve_rows(const double* r, double* x);
  /// λ := the minimum-norm solution of Gᵀλ = ρ for ρ in the range of Gᵀ, m entries.
  void solve_columns(const double* rho, double* lambda);

 private:
  Outcome reflect(bool choose, int count);
  void form_null_space();
  void form_redundancy();
  double& at(int i, int j) { return work_[static_cast<std::size_t>(j) * n_ + i]; }
  double at(int i, int j) const { return work_[static_cast<std::size_t>(j) * n_ + i]; }
  void invert();
  void solve_normal();  ///< scratch_ := R⁻¹R⁻ᵀ scratch_, rank entries in chosen order

  int n_ = 0, m_ = 0, rank_ = 0;
  bool chosen_ = false;
  std::vector<double> columns_, work_;  ///< n × m by columns; work_ in the chosen order
  std::vector<double> diagonal_, tau_, left_, null_, scratch_, half_;
  std::vector<double> inverse_;  ///< R⁻¹ by columns: products do not wait for each other
  std::vector<int> order_;
  /// Redundant columns: W = R11⁻¹R12 and the Cholesky factor of I + WᵀW.
  std::vector<double> w_, cholesky_, extra_;
};

}  // namespace daemark
