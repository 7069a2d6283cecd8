// What a collocation method brings to a step with a simplified Newton iteration: its matrix, the
// eigenvectors that part the stages, and the polynomial through the stages.
//
//   A = T diag(α) T⁻¹: one real eigenvalue α for an odd number of stages, the others in pairs.
//
// The estimate compares rates with the polynomial through other rates, at the beginning,
//
//   e = hγ (ẏ_0 − Σ_j ℓ_j(0) Ẏ_j),  c_1 > 0,   e = hγ (Ẏ_1 − Σ_{j>1} ℓ_j(0) Ẏ_j),  c_1 = 0
//   (Lobatto),
//
// of order s + 1 and s. γ is the real eigenvalue; |det A|^(1/s) where there is none, which would be
// an estimate of nothing.
#pragma once

#include <complex>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// Rounded for the linear algebra of corrections, which is in double in every precision.
struct CollocationFormula {
  using Complex = std::complex<double>;
  /// One of a pair of eigenvalues, or the real one: a row of T⁻¹.
  struct Part {
    Complex eigenvalue;
    bool real = false;
    std::vector<double> to_part_re, to_part_im;
  };

  /// All nodes distinct.
  explicit CollocationFormula(const WideTableau& tableau);

  int stages;
  std::vector<double> A, inverse, inverse2;  ///< A, A⁻¹, A⁻², row-major
  double estimate_start = 1;                 ///< of ẏ_0 in the estimate
  std::vector<wide> estimate;                ///< of Ẏ_j; rounded, it would bound the estimate below
  int order = 0, estimate_order = 0;  ///< of the steps on index 1; power of h in the estimate
  bool ends_step = false;             ///< the last stage is the step end
  double gamma = 0;                   ///< γ
  bool has_real = false;              ///< γ is an eigenvalue
  std::vector<Part> parts;
  /// stages × stages: columns of T, real and −imaginary parts (doubled for pairs), against the
  /// parts' solutions, real and imaginary below each other.
  std::vector<double> to_stages;
};

/// The polynomial through values at 0, c_1, …, c_s; where c_1 = 0, that of the first stage has the
/// weight 0.
template <class S>
class StagePolynomial {
 public:
  explicit StagePolynomial(const std::vector<wide>& nodes);

  int points() const { return points_; }
  /// Weights of its value at θ, in units of the step.
  void value(const S& theta, S* weights) const;
  /// Weights of ∫ and ∫∫ from 0 to θ.
  void integrals(const S& theta, S* once, S* twice) const;

 private:
  int points_, skipped_;          ///< skipped_: values behind the first without a node, 0 or 1
  std::vector<S> nodes_, scale_;  ///< distinct; 1/Π_{k≠j} (x_j − x_k)
  std::vector<S> monomials_;      ///< [j·nodes + k]: coefficient of θ^k in ℓ_j
};

}  // namespace daemark
