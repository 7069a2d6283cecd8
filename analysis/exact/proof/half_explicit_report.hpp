// What `verify` says of half-explicit methods: orders on mechanisms of index 2 by their trees.
#pragma once

#include "analysis/exact/proof/verify.hpp"

namespace daemark::exact {

/// Decided at 130 digits, of decimals to their accuracy: no certificate.
VerifyReport verify_half_explicit(const Coefficients& method);

}  // namespace daemark::exact
