// What coefficients say before anything is proved: their digest, and whether they are consistent.
#pragma once

#include <string>
#include <vector>

#include "methods/core/method.hpp"

namespace daemark {

/// Of the canonical call and of the coefficients, at 100 digits or exact: whoever keeps what was
/// derived from them sees by it whether they are still the same. Of a method without coefficients
/// (a solver of others) the call alone counts.
std::string coefficient_digest(const std::string& canonical, const Method& method);

/// What makes a well-formed method wrong before any claim is looked at, one line each; empty if
/// nothing. Tableaus: row sums ≠ c, Σb ≠ 1, Σb_hat ≠ 1; pairs: the same of each part, of Nyström's
/// positions Σb ≠ 1/2 alone. Multistep: Σα ≠ 0, Σjα ≠ Σβ. Half-explicit: as tableaus, and no row of
/// Â is b. Decided at 100 digits, for declared decimals at 10.
std::vector<std::string> tableau_defects(const Coefficients& method);

}  // namespace daemark
