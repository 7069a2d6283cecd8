#include "base/linear/dense_matrix.hpp"

#include <Eigen/Dense>
#include <limits>

#include "base/linear/real_schur.hpp"

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

VectorXd regular_solution(const MatrixXd& A, const VectorXd& b) {
  return A.partialPivLu().solve(b);
}

double largest_eigenvalue(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::FullPivLU<MatrixXd> lu(A);
  if (!lu.isInvertible()) return std::numeric_limits<double>::infinity();
  const Eigen::EigenSolver<MatrixXd> eigen(lu.solve(B), false);
  if (eigen.info() != Eigen::Success) return std::numeric_limits<double>::quiet_NaN();
  return eigen.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace daemark
