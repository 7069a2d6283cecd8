// The index-1 matrix [M Gᵀ; w G 0] where constraints depend on each other: accelerations in the
// null space of G and beside it, multipliers of least norm. Dense, in double.
#pragma once

#include "base/linear/pattern.hpp"
#include "base/linear/rank_revealing_qr.hpp"

namespace daemark {

class RedundantSolve {
 public:
  /// Patterns of M (n × n) and G (m × n), which must outlive this object; `rank` of G.
  RedundantSolve(const Pattern& mass, const Pattern& gradient, int rank);

  /// Values in the patterns' order, w the weight of the rows of G. False where G has a smaller rank
  /// or M is not positive definite in its null space.
  bool factor(const double* mass, const double* gradient, double weight);
  /// x = (a, λ) of right sides (n, m).
  void solve(double* x);

 private:
  void subtract_mass(const double* a, double* from) const;

  const Pattern &mass_pattern_, &gradient_pattern_;
  int n_, m_;
  double weight_ = 1;
  RankRevealingQr qr_;
  std::vector<double> mass_, cholesky_, reduced_, a_, tangential_, rows_;
};

}  // namespace daemark
