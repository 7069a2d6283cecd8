#include "base/linear/eigenvectors.hpp"

#include <Eigen/Dense>
#include <limits>

#include "base/linear/real_schur.hpp"

namespace daemark {
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
