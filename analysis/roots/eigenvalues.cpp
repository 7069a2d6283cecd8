#include "analysis/roots/eigenvalues.hpp"

#include <Eigen/QR>

#include "base/linear/dense_eigenvalues.hpp"

namespace daemark {
namespace {

template <class S>
using Matrix = DenseMatrix<S>;

/// Without Eigen's blocked products, which cost 5 s of compiling a scalar.
template <class S>
Matrix<S> leading_columns_of_q(const Eigen::ColPivHouseholderQR<Matrix<S>>& qr,
                               Eigen::Index count) {
  const Eigen::Index n = qr.rows();
  Matrix<S> q = Matrix<S>::Identity(n, count);
  Eigen::Matrix<S, Eigen::Dynamic, 1> scratch(count);
  for (Eigen::Index k = count - 1; k >= 0; --k)
    q.bottomRows(n - k).applyHouseholderOnTheLeft(qr.matrixQR().col(k).tail(n - k - 1),
                                                  qr.hCoeffs()(k), scratch.data());
  return q;
}

/// Restricts the matrix to its range until it is regular there: nonzero eigenvalues stay.
template <class S>
Matrix<S> without_nilpotent_part(Matrix<S> m) {
  const S negligible = 300 * std::numeric_limits<S>::epsilon();
  while (m.rows() > 0) {
    Eigen::ColPivHouseholderQR<Matrix<S>> qr(m);
    qr.setThreshold(negligible);
    const auto rank = qr.rank();
    if (rank == m.rows()) break;
    const Matrix<S> range = leading_columns_of_q(qr, rank);
    m = range.transpose().lazyProduct(Matrix<S>(m.lazyProduct(range))).eval();
  }
  return m;
}

/// Rows and columns brought to like sizes by powers of 2 (Osborne): memory mixes units.
template <class S>
void balance(Matrix<S>& m) {
  const int n = static_cast<int>(m.rows());
  for (int round = 0; round < 10; ++round) {
    bool changed = false;
    for (int i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        row += std::abs(static_cast<double>(m(i, j)));
        column += std::abs(static_cast<double>(m(j, i)));
      }
      if (row == 0 || column == 0) continue;
      const int exponent = std::ilogb(row / column) / 2;
      if (exponent == 0) continue;
      changed = true;
      m.row(i) *= S(std::ldexp(1.0, -exponent));
      m.col(i) *= S(std::ldexp(1.0, exponent));
    }
    if (!changed) break;
  }
}

}  // namespace

template <class S>
std::vector<std::complex<S>> nonzero_eigenvalues(const std::vector<std::vector<S>>& rows) {
  const int n = static_cast<int>(rows.size());
  Matrix<S> m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = rows[i][j];
  balance(m);
  m = without_nilpotent_part<S>(std::move(m));
  const auto values = eigenvalues<S>(m);
  if (!values) throw NumericalFailure("the eigenvalues do not converge");
  return *values;
}

template <class S>
double largest_modulus(const std::vector<std::complex<S>>& roots) {
  double largest = 0;
  for (const auto& z : roots)
    largest =
        std::max(largest, std::hypot(static_cast<double>(z.real()), static_cast<double>(z.imag())));
  return largest;
}

template std::vector<std::complex<double>> nonzero_eigenvalues(
    const std::vector<std::vector<double>>&);
template std::vector<std::complex<long double>> nonzero_eigenvalues(
    const std::vector<std::vector<long double>>&);
template double largest_modulus(const std::vector<std::complex<double>>&);
template double largest_modulus(const std::vector<std::complex<long double>>&);

}  // namespace daemark
