// Simplified Newton for coupled stages: with one Jacobian for all stages the stage matrix
// K = I⊗(J_ẏ + J_alg) + hB⊗J_diff + h²B²⊗J_int is block-diagonal in the eigenvectors of B
// (Butcher 1976; Hairer & Wanner II, IV.8): r systems of one stage's size, complex ones in pairs.
#pragma once

#include <complex>
#include <vector>

#include "methods/stages/stage_matrix.hpp"

namespace daemark {

class TransformedBlocks {
 public:
  TransformedBlocks(const ImplicitSystem<double>& system, StageLayoutPtr layout,
                    const std::vector<std::vector<double>>& B);

  /// False if B is (nearly) defective: the eigenvectors would amplify round-off.
  bool usable() const { return usable_; }

  double* jacobian_y() { return jacobian_y_.data(); }
  double* jacobian_rate() { return jacobian_rate_.data(); }
  /// Factors all blocks for the Jacobian values in the two arrays. False if one is singular.
  bool factor(double h, const std::vector<double>& row_scale);
  /// x (stage-major, r × unknowns) := K⁻¹ x.
  void solve(double* x);
  int factorizations() const { return static_cast<int>(blocks_.size()); }
  bool finite() const { return finite_; }

 private:
  using Complex = std::complex<double>;
  struct Block {
    Complex eigenvalue;
    bool real = false;
    std::vector<double> to_block_re, to_block_im;  ///< row of T⁻¹
    SparseLu<double> real_lu;
    SparseLu<Complex> complex_lu;
  };

  StageLayoutPtr shared_;
  const BlockLayout& layout_;
  int r_, unknowns_;
  bool usable_ = true, finite_ = true;
  std::vector<Block> blocks_;
  std::vector<double> jacobian_y_, jacobian_rate_, first_, second_, own_, real_values_;
  std::vector<Complex> complex_values_, complex_x_;
  /// r × r: columns of T, real and −imaginary parts (doubled for pairs), against the rows of
  /// parts_.
  std::vector<double> to_stages_;
  std::vector<double> parts_, zeros_;
};

}  // namespace daemark
