// Order conditions of a tableau at 130 digits.
#pragma once

#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// A condition holds when its residual is at most `unit` times the sum of the absolute values of
/// the terms it is made of (and that of its right side): relative errors of that size in every
/// coefficient leave no more.
class TableauConditions {
 public:
  TableauConditions(const WideTableau& tableau, const wide& unit);

  bool row_sums() const;           ///< Σ_j a_ij = c_i
  int quadrature(int most) const;  ///< B(p): Σ b_i c_i^(k-1) = 1/k for k <= p
  int stages(int most) const;      ///< C(q): Σ_j a_ij c_j^(k-1) = c_i^k / k
  int adjoint(int most) const;     ///< D(r): Σ_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k
  /// Σ b_i Φ_i(t) = 1/γ(t) for all rooted trees up to the order returned, at most `most`.
  int trees(int most) const;

 private:
  using Column = std::vector<wide>;
  bool holds(const wide& left, const wide& right, const wide& terms) const;
  Column powers(int k) const;
  const WideTableau& t_;
  int s_;
  wide unit_;
};

}  // namespace daemark
