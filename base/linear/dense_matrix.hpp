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
/// x of minimum norm with A x = b, or the nearest to it; b may have several columns.
Eigen::MatrixXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
/// x with A x = b and as few nonzero entries as A's rank, by pivoted QR.
Eigen::MatrixXd basic_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
/// x that leaves the least |Aᵀ x − b|.
Eigen::VectorXd least_squares_transposed(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// A⁻¹ b of a regular A.
Eigen::VectorXd regular_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// A B and Aᵀ B: each use of Eigen's product in a file of its own would compile its kernels again.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ b of a positive definite A; empty where A is not.
std::optional<Eigen::MatrixXd> positive_solution(const Eigen::MatrixXd& A,
                                                 const Eigen::MatrixXd& b);

}  // namespace daemark
