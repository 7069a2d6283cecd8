// All roots of one step on a linear constrained system: those of the oscillator, and those in the
// direction that the constraint holds fixed, which a scalar analysis does not show.
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
  /// Those of them that the method does not have without the constraint.
  std::vector<std::vector<std::complex<double>>> constraint;
  std::vector<double> radius;  ///< per x: largest modulus of `constraint`, 0 where it is empty
};

/// By Amplification on the constrained system. Throws BadInput, NumericalFailure.
ConstrainedRoots constrained_roots(const ConstrainedRootsRequest& request);

}  // namespace daemark
