// Limits of memory.
#pragma once

#include <string>

namespace daemark {

/// Throws BadInput "WHAT needs N GB of memory, ..." for more than that; `accepted` says what to do.
void require_memory(double bytes, const std::string& what, const std::string& accepted);

}  // namespace daemark
