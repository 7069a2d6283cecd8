// A name for what a method computes with: whoever keeps what was derived from the coefficients of a
// method sees by it whether they are still the same.
#pragma once

#include <string>

namespace daemark {

class Method;

/// Digest of the canonical call and of the coefficients, at 100 digits or exact as they are held.
/// Of a method without coefficients (a solver of others) the call alone counts.
std::string coefficient_print(const std::string& canonical, const Method& method);

}  // namespace daemark
