// Eigen's products and decompositions of dense matrices in double, compiled once: their templates
// cost 10 s and more in every file that instantiates them. Eigenvalues: dense_eigenvalues.hpp.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "base/linear/pattern.hpp"

namespace daemark {

/// The matrix of a pattern; values of a position that occurs twice are added.
Eigen::MatrixXd dense_matrix(const Pattern& pattern, const std::vector<double>& values);

/// Columns: an orthonormal basis of null(A) by the pivoted QR factors of Aᵀ.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A);
/// x of least norm among those that minimise |A x − b|; b may have several columns.
Eigen::MatrixXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
/// x with A x = b and at most rank(A) nonzero entries, by pivoted QR.
Eigen::MatrixXd basic_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
/// x that minimises |Aᵀ x − b|.
Eigen::VectorXd least_squares_transposed(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// Descending.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
/// A⁻¹ b for a regular A.
Eigen::VectorXd regular_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// A B and Aᵀ B: each use of Eigen's product in a file of its own would compile its kernels again.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ b for a positive definite A; empty if A is not positive definite.
std::optional<Eigen::MatrixXd> positive_solution(const Eigen::MatrixXd& A,
                                                 const Eigen::MatrixXd& b);

}  // namespace daemark
