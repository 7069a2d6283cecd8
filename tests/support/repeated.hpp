// Long inputs.
#pragma once

#include <string>

namespace daemark {

inline std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

}  // namespace daemark
