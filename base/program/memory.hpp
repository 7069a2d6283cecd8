// Limits of memory.
#pragma once

#include <string>

#include "base/text/bad_input.hpp"

namespace daemark {

/// What would run with more memory.
class NoMemory : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Throws NoMemory "WHAT needs N GB of memory, ..." for more than that; `accepted` says what to do.
void require_memory(double bytes, const std::string& what, const std::string& accepted);

}  // namespace daemark
