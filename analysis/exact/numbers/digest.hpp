// SHA-256 of a text, in hexadecimal: what a certificate carries of its method's coefficients.
#pragma once

#include <string>

namespace daemark::exact {

std::string sha256(const std::string& text);

}  // namespace daemark::exact
