// All roots of one step on a linear constrained system: the oscillator's, and those that the method
// has in the direction a constraint holds, which a scalar analysis does not see.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

struct ConstrainedRootsRequest {
  std::string method, formulation;
  std::vector<Expression> x;  ///< Δt/(nT), each 1e-15 to 1e15
};

struct ConstrainedRoots {
  std::string method, formulation;
  int n = 1;
  std::vector<double> x;
  std::vector<std::vector<std::complex<double>>> roots;  ///< per x, not zero, largest first
  /// Of them those that the method does not have without the constraint.
  std::vector<std::vector<std::complex<double>>> constraint;
  std::vector<double> radius;  ///< per x: largest modulus of `constraint`, 0 where it is empty
};

/// Amplification (constrained) with the method's own stepper. Throws BadInput, NumericalFailure.
ConstrainedRoots constrained_roots(const ConstrainedRootsRequest& request);

}  // namespace daemark
