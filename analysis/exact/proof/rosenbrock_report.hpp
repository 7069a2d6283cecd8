// What `verify` says of Rosenbrock methods: orders by their own trees, stability of R.
#pragma once

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"

namespace daemark::exact {

/// Exact coefficients are certified where they are those of the increments; decimals are judged to
/// their accuracy. Throws BadInput as verify_tableau.
VerifyReport verify_rosenbrock(const Coefficients& method);

// What `verify` says of half-explicit methods: orders on mechanisms of index 2 by their trees.

/// Decided at 130 digits, of decimals to their accuracy: no certificate.
VerifyReport verify_half_explicit(const Coefficients& method);

}  // namespace daemark::exact
