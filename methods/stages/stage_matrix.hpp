// The matrix of r coupled stages: block (i, j) = δ_ij (∂r/∂ẏ + ∂r/∂y_alg) + hB_ij ∂r/∂y_diff +
// h²(B²)_ij ∂r/∂y_int, with ∂r at stage i. Positions are found once; assembly adds values in place.
#pragma once

#include <vector>

#include "methods/stages/stage_system.hpp"

namespace daemark {

/// How Jacobian values of one stage spread over the blocks of its row, for one system and scalar F.
struct BlockLayout {
  // Distinct positions within a block; the first `coupled` occur in every block of the row, the
  // others in diagonal blocks only.
  std::vector<std::pair<int, int>> positions;
  int coupled = 0;
  struct Term {
    int value;     ///< index into the Jacobian values
    int position;  ///< index into `positions`
    int row;
  };
  std::vector<Term> first, second;    ///< ∂r/∂y_diff (weight hB), ∂r/∂y_int (weight h²B²)
  std::vector<Term> own_y, own_rate;  ///< ∂r/∂y_alg and ∂r/∂ẏ (weight 1, diagonal blocks)

  template <class S>
  BlockLayout(const ImplicitSystem<S>& system, const ComponentLists& lists);
};

template <class F>
class StageMatrix {
 public:
  /// `coupling`: which blocks exist besides the diagonal ones (B_ij or (B²)_ij ≠ 0), row-major r ×
  /// r.
  StageMatrix(const ImplicitSystem<F>& system, const ComponentLists& lists, int r,
              const std::vector<char>& coupling);

  void set_step(const std::vector<F>& hB, const std::vector<F>& h2B2,
                const std::vector<F>& row_scale);
  F* jacobian_y() { return jacobian_y_.data(); }
  F* jacobian_rate() { return jacobian_rate_.data(); }
  /// Takes the Jacobian values of stage i from the two arrays above.
  void add_stage(int i);
  bool factor() { return lu_.factor(values_.data()); }
  LuStatus status() const { return lu_.status(); }
  void solve(F* x) const { lu_.solve(x); }
  const SparseLu<F>& lu() const { return lu_; }

 private:
  BlockLayout layout_;
  int r_;
  std::vector<int> block_begin_;  ///< r × r: where a block's values start, or −1
  std::vector<F> hB_, h2B2_, row_scale_;
  std::vector<F> jacobian_y_, jacobian_rate_, first_, second_, own_, values_;
  SparseLu<F> lu_;
};

}  // namespace daemark
