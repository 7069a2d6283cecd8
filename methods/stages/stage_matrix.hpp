// The linear algebra of coupled stages in Newton's method: Jacobian values in, corrections out.
// StageMatrix is the general one; for a system of special structure Target::algebra gives another
// one.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

template <class F>
class StageAlgebra {
 public:
  virtual ~StageAlgebra() = default;
  /// hB and h²B̄, r × r row-major, and the scale of each row of a stage.
  virtual void set_step(const std::vector<F>& hB, const std::vector<F>& h2_position,
                        const std::vector<F>& row_scale) = 0;
  F* jacobian_y() { return jacobian_y_.data(); }
  F* jacobian_rate() { return jacobian_rate_.data(); }
  /// Takes the Jacobian values of stage i from the two arrays above.
  virtual void add_stage(int i) = 0;
  virtual bool factor() = 0;
  virtual LuStatus status() const = 0;
  /// Why the last factor() failed, in one sentence.
  virtual const char* why() const {
    return status() == LuStatus::not_finite ? "a value in the Newton matrix is not finite"
                                            : "the Newton matrix is singular to working precision";
  }
  /// x (stage-major, r × unknowns) := K⁻¹ x.
  virtual void solve(F* x) = 0;

 protected:
  std::vector<F> jacobian_y_, jacobian_rate_;
};

class StageAlgebraMaker {
 public:
  virtual ~StageAlgebraMaker() = default;
  /// For r stages; `coupling` as in StageMatrix.
  virtual std::unique_ptr<StageAlgebra<double>> make(const ImplicitSystem<double>& system,
                                                     StageLayoutPtr layout, int r,
                                                     const std::vector<char>& coupling) const = 0;
};

// The matrix of r coupled stages: block (i, j) = δ_ij (∂r/∂ẏ + ∂r/∂y_alg) + hB_ij ∂r/∂y_diff +
// h²B̄_ij ∂r/∂y_int, B̄ = B² unless positions have coefficients of their own, with ∂r at stage i.
// Positions are found once; assembly adds values in place.

template <class F>
class StageMatrix final : public StageAlgebra<F> {
 public:
  /// `coupling`: which blocks exist besides the diagonal ones (B_ij or B̄_ij ≠ 0), row-major r ×
  /// r.
  StageMatrix(const ImplicitSystem<F>& system, StageLayoutPtr layout, int r,
              const std::vector<char>& coupling);

  void set_step(const std::vector<F>& hB, const std::vector<F>& h2_position,
                const std::vector<F>& row_scale) override;
  void add_stage(int i) override;
  bool factor() override { return lu_.factor(values_.data()); }
  LuStatus status() const override { return lu_.status(); }
  void solve(F* x) override { lu_.solve(x); }

 private:
  StageLayoutPtr shared_;
  const BlockLayout& layout_;
  int r_;
  std::vector<int> block_begin_;  ///< r × r: where a block's values start, or −1
  std::vector<F> hB_, h2_position_, row_scale_;
  using StageAlgebra<F>::jacobian_y_, StageAlgebra<F>::jacobian_rate_;
  std::vector<F> first_, second_, own_, values_;
  SparseLu<F> lu_;
};

// Simplified Newton for coupled stages: with one Jacobian for all stages the stage matrix
// K = I⊗(J_ẏ + J_alg) + hB⊗J_diff + h²B²⊗J_int is block-diagonal in the eigenvectors of B
// (Butcher 1976; Hairer & Wanner II, IV.8): r systems of one stage's size, complex ones in pairs.

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
