// Coefficients as text: fractions where they are recognised.
#pragma once

#include <string>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// "1/3" where a fraction with a denominator below 10^12 agrees to 100 digits, else `digits`
/// digits.
std::string coefficient_text(const wide& value, int digits);

}  // namespace daemark
