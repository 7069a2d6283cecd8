// Eigenvalues and eigenvectors of dense matrices, compiled once (dense_matrix.hpp says why).
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

namespace daemark {

template <class S>
using DenseMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// All eigenvalues of a square real matrix in double or long double, conjugates next to each other;
/// empty if the iteration fails.
template <class S>
std::optional<std::vector<std::complex<S>>> eigenvalues(const DenseMatrix<S>& A);

/// The same for a complex matrix.
std::optional<std::vector<std::complex<double>>> eigenvalues(const Eigen::MatrixXcd& A);

/// Eigenvalues of M⁻¹ K for symmetric K and positive definite M, ascending; empty if M is not
/// positive definite.
std::optional<Eigen::VectorXd> pencil_eigenvalues(const Eigen::MatrixXd& M,
                                                  const Eigen::MatrixXd& K);

/// Largest modulus of the eigenvalues of A⁻¹ B; infinite for a singular A, NaN if the iteration
/// fails.
double largest_eigenvalue(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A = V diag(values) V⁻¹, n × n row by row. Conjugate eigenvalues are next to each other.
struct Eigenvectors {
  std::vector<std::complex<double>> values, vectors, inverse;
  double condition = 0;  ///< ‖V‖ ‖V⁻¹‖ in the Frobenius norm; infinite if V is singular
};
Eigenvectors eigenvectors(const std::vector<std::vector<double>>& A);

}  // namespace daemark
