#include "analysis/linear/eigenvalues.hpp"

#include <Eigen/Dense>

#include "base/linear/real_schur.hpp"

namespace daemark {
namespace {

template <class S>
using Matrix = DenseMatrix<S>;

/// Restricts the matrix to its range until it is regular there: nonzero eigenvalues stay.
template <class S>
Matrix<S> without_nilpotent_part(Matrix<S> m) {
  const S negligible = 300 * std::numeric_limits<S>::epsilon();
  while (m.rows() > 0) {
    Eigen::ColPivHouseholderQR<Matrix<S>> qr(m);
    qr.setThreshold(negligible);
    const auto rank = qr.rank();
    if (rank == m.rows()) break;
    const Matrix<S> range = Matrix<S>(qr.householderQ()).leftCols(rank);
    m = (range.transpose() * m * range).eval();
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
  using std::sqrt;
  const int n = static_cast<int>(rows.size());
  Matrix<S> m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = rows[i][j];
  balance(m);
  m = without_nilpotent_part<S>(std::move(m));
  std::vector<std::complex<S>> values;
  if (m.rows() == 0) return values;
  const RealSchur<S> schur(m, false);
  if (schur.info() != Eigen::Success) throw NumericalFailure("the eigenvalues do not converge");
  const Matrix<S>& t = schur.matrixT();
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    if (i + 1 == t.rows() || t(i + 1, i) == 0) {
      values.emplace_back(t(i, i), S(0));
      continue;
    }
    const S middle = (t(i, i) + t(i + 1, i + 1)) / 2, half = (t(i, i) - t(i + 1, i + 1)) / 2;
    const S square = half * half + t(i, i + 1) * t(i + 1, i);
    if (square < 0) {
      const S imaginary = sqrt(S(-square));
      values.emplace_back(middle, imaginary);
      values.emplace_back(middle, S(-imaginary));
    } else {
      const S root = sqrt(square);
      values.emplace_back(S(middle + root), S(0));
      values.emplace_back(S(middle - root), S(0));
    }
    ++i;
  }
  return values;
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
