// Eigenvalues and eigenvectors of a small dense matrix.
#pragma once

#include <complex>
#include <vector>

namespace daemark {

/// A = V diag(values) V⁻¹, n × n row by row. Complex eigenvalues stand next to their conjugates.
struct Eigenvectors {
  std::vector<std::complex<double>> values, vectors, inverse;
  double condition = 0;  ///< ‖V‖ ‖V⁻¹‖ in the Frobenius norm; infinite if V is singular
};
Eigenvectors eigenvectors(const std::vector<std::vector<double>>& A);

}  // namespace daemark
