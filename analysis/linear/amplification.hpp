// Amplification matrices, computed with the stepper that integrates mechanisms.
//
// The test equation is q̈ − 2 Re(λ) q̇ + |λ|² q = 0, a mechanism with eigenvalues λ and its conjugate
// (λ = iω: the undamped oscillator). A step from each unit vector of the stepper's memory gives a
// column. The memory may hold redundant numbers (ẏ besides y, a guess of the multipliers).
// Directions on which no later result depends have the eigenvalue 0 and are deflated: left in,
// round-off would turn them into spurious roots.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "analysis/roots/eigenvalues.hpp"
#include "base/numbers/expression.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// The scalar in which the roots of a matrix in S are computed.
template <class S>
using RootScalar = std::conditional_t<std::is_same_v<S, double>, double, long double>;

template <class S>
class Amplification {
 public:
  /// Throws BadInput for a method without a stepper in S or that refuses ordinary equations.
  explicit Amplification(const Method& method);
  /// On a linear constrained system in `formulation`: two oscillators x and y with x − y = 0. The
  /// roots are those of x + y and those that the step adds in the constrained direction.
  Amplification(const Method& method, const Formulation& formulation);
  ~Amplification();

  /// Nonzero eigenvalues of one step with λh = re + i im, (re, im) ≠ 0; conjugate pairs complete.
  /// Throws NumericalFailure where the step fails.
  std::vector<std::complex<RootScalar<S>>> roots(const S& re, const S& im);
  /// The simple root near `z` of the last roots(), to the round-off of S.
  std::complex<S> root_near(std::complex<S> z) const;

 private:
  struct Equation;
  void prepare();
  std::unique_ptr<Equation> equation_;
  const Method* method_;  ///< owned by the caller
  std::unique_ptr<Stepper<S>> stepper_;
  std::vector<S> rest_;       ///< memory at q = q̇ = 0: its flags and counts, elsewhere 0
  std::vector<int> numbers_;  ///< entries of the memory that are not flags
  int start_steps_ = 0;
  std::vector<std::vector<S>> matrix_;  ///< of the last roots()
};

/// θ = ωΔt = 2πnx. Throws BadInput for an x so small or large that a step in real50 shows nothing.
real50 oscillator_step(int n, const Expression& x);

// All roots of one step on a linear constrained system: those of the oscillator, and those in the
// direction that the constraint holds fixed, which a scalar analysis does not show.

struct ConstrainedRootsRequest {
  std::string method, formulation;
  std::vector<Expression> x;  ///< Δt/(nT), each 1e-15 to 1e15
};

struct ConstrainedRoots {
  std::string method, formulation;
  int n = 1;
  std::vector<double> x;
  std::vector<std::vector<std::complex<double>>> roots;  ///< per x, not zero, largest first
  /// Those of them that the method does not have without the constraint.
  std::vector<std::vector<std::complex<double>>> constraint;
  std::vector<double> radius;  ///< per x: largest modulus of `constraint`, 0 where it is empty
};

/// By Amplification on the constrained system. Throws BadInput, NumericalFailure.
ConstrainedRoots constrained_roots(const ConstrainedRootsRequest& request);

}  // namespace daemark
