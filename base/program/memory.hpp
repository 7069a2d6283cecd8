// Limits of memory.
#pragma once

#include <string>

namespace daemark {

/// Bytes of data this process may hold: most of the memory of the machine, or of the limit set for
/// the process.
double memory_for_data();

/// Throws BadInput "WHAT needs N GB of memory, ..." for more than that; `accepted` says what to do.
void require_memory(double bytes, const std::string& what, const std::string& accepted);

}  // namespace daemark
