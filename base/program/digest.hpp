// SHA-256 (FIPS 180-4) of texts: names for content, the same as CMake and sha256sum give.
#pragma once

#include <string>
#include <string_view>

namespace daemark {

/// 64 hexadecimal digits.
std::string digest(std::string_view text);

}  // namespace daemark
