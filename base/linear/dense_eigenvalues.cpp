#include "base/linear/dense_eigenvalues.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace daemark {

using Eigen::MatrixXd;

template <class S>
std::optional<std::vector<std::complex<S>>> eigenvalues(const DenseMatrix<S>& A) {
  using std::sqrt;
  std::vector<std::complex<S>> values;
  if (A.rows() == 0) return values;
  const Eigen::RealSchur<DenseMatrix<S>> schur(A, false);
  if (schur.info() != Eigen::Success) return std::nullopt;
  const DenseMatrix<S>& t = schur.matrixT();
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

template std::optional<std::vector<std::complex<double>>> eigenvalues(const DenseMatrix<double>&);
template std::optional<std::vector<std::complex<long double>>> eigenvalues(
    const DenseMatrix<long double>&);

std::optional<std::vector<std::complex<double>>> eigenvalues(const Eigen::MatrixXcd& A) {
  const Eigen::ComplexSchur<Eigen::MatrixXcd> schur(A, false);
  if (schur.info() != Eigen::Success) return std::nullopt;
  const Eigen::VectorXcd values = schur.matrixT().diagonal();
  return std::vector<std::complex<double>>(values.begin(), values.end());
}

std::optional<Eigen::VectorXd> pencil_eigenvalues(const MatrixXd& M, const MatrixXd& K) {
  const Eigen::LLT<MatrixXd> factors(M);
  if (factors.info() != Eigen::Success) return std::nullopt;
  // L⁻¹ K L⁻ᵀ with M = L Lᵀ has the same eigenvalues.
  MatrixXd A = factors.matrixL().solve(K);
  A = factors.matrixL().solve(MatrixXd(A.transpose()));
  return Eigen::SelfAdjointEigenSolver<MatrixXd>((A + A.transpose()) / 2, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

double largest_eigenvalue(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::FullPivLU<MatrixXd> lu(A);
  if (!lu.isInvertible()) return std::numeric_limits<double>::infinity();
  const auto values = eigenvalues<double>(lu.solve(B));
  if (!values) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0;
  for (const std::complex<double>& value : *values) largest = std::max(largest, std::abs(value));
  return largest;
}

namespace {

std::vector<std::complex<double>> by_rows(const Eigen::MatrixXcd& matrix) {
  std::vector<std::complex<double>> entries;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) entries.push_back(matrix(i, j));
  return entries;
}

}  // namespace

Eigenvectors eigenvectors(const std::vector<std::vector<double>>& A) {
  const auto n = static_cast<Eigen::Index>(A.size());
  Eigen::MatrixXd dense(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) dense(i, j) = A[i][j];
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(dense);
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  const Eigen::MatrixXcd inverse = vectors.inverse();
  Eigenvectors result{{}, by_rows(vectors), by_rows(inverse), 0};
  for (Eigen::Index i = 0; i < n; ++i) result.values.push_back(solver.eigenvalues()[i]);
  result.condition = inverse.allFinite() ? vectors.norm() * inverse.norm()
                                         : std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace daemark
