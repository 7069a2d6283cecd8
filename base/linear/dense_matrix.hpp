// Eigen's decompositions of dense matrices in double, compiled once (dense_matrix.cpp): their
// templates cost 10 s and more in every file that instantiates them.
#pragma once

#include <Eigen/Core>
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
/// Largest modulus of the eigenvalues of A⁻¹ B; infinite for a singular A, NaN where the iteration
/// fails.
double largest_eigenvalue(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace daemark
