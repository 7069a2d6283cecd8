// What a collocation method brings to a step with a simplified Newton iteration: its matrix, the
// eigenvectors that part the stages, and the polynomial through the stages.
//
//   A = T diag(α) T⁻¹: one real eigenvalue α for an odd number of stages, the others in pairs.
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

  /// All nodes distinct and above 0. Throws std::logic_error where A has no real eigenvalue.
  explicit CollocationFormula(const WideTableau& tableau);

  int stages;
  std::vector<double> A, inverse, inverse2;  ///< A, A⁻¹, A⁻², row-major
  std::vector<double> at_zero;  ///< ℓ_j(0): the polynomial of the stages at the start
  double real_eigenvalue = 0;
  std::vector<Part> parts;
  /// stages × stages: columns of T, real and −imaginary parts (doubled for pairs), against the
  /// parts' solutions, real and imaginary below each other.
  std::vector<double> to_stages;
};

/// The polynomial of degree s through values at 0, c_1, …, c_s.
template <class S>
class StagePolynomial {
 public:
  explicit StagePolynomial(const std::vector<wide>& nodes);

  int points() const { return static_cast<int>(nodes_.size()); }
  /// Weights of its value at θ, in units of the step.
  void value(const S& theta, S* weights) const;
  /// Weights of ∫ and ∫∫ from 0 to θ.
  void integrals(const S& theta, S* once, S* twice) const;

 private:
  std::vector<S> nodes_, scale_;  ///< with 0 in front; 1/Π_{k≠j} (x_j − x_k)
  std::vector<S> monomials_;      ///< [j·points + k]: coefficient of θ^k in ℓ_j
};

}  // namespace daemark
