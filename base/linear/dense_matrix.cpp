#include "base/linear/dense_matrix.hpp"

#include <Eigen/Dense>

namespace daemark {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense_matrix(const Pattern& pattern, const std::vector<double>& values) {
  MatrixXd out = MatrixXd::Zero(pattern.rows, pattern.cols);
  for (int k = 0; k < pattern.size(); ++k)
    out(pattern.entries[k].first, pattern.entries[k].second) += values[k];
  return out;
}

MatrixXd null_space(const MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A.transpose());
  return MatrixXd(qr.householderQ()).rightCols(A.cols() - qr.rank());
}

MatrixXd least_norm_solution(const MatrixXd& A, const MatrixXd& b) {
  return Eigen::CompleteOrthogonalDecomposition<MatrixXd>(A).solve(b);
}

MatrixXd basic_solution(const MatrixXd& A, const MatrixXd& b) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).solve(b);
}

VectorXd least_squares_transposed(const MatrixXd& A, const VectorXd& b) {
  return A.transpose().colPivHouseholderQr().solve(b);
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
}

VectorXd regular_solution(const MatrixXd& A, const VectorXd& b) {
  return A.partialPivLu().solve(b);
}

MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A * B; }

MatrixXd transposed_product(const MatrixXd& A, const MatrixXd& B) { return A.transpose() * B; }

std::optional<MatrixXd> positive_solution(const MatrixXd& A, const MatrixXd& b) {
  const Eigen::LLT<MatrixXd> factors(A);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return MatrixXd(factors.solve(b));
}

}  // namespace daemark
