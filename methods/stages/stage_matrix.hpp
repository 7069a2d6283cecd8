// The matrix of r coupled stages: block (i, j) = δ_ij (∂r/∂ẏ + ∂r/∂y_alg) + hB_ij ∂r/∂y_diff +
// h²B̄_ij ∂r/∂y_int, B̄ = B² unless positions have coefficients of their own, with ∂r at stage i.
// Positions are found once; assembly adds values in place.
#pragma once

#include <vector>

#include "methods/stages/stage_algebra.hpp"

namespace daemark {

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

}  // namespace daemark
