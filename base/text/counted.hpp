// A number of things as one says it.
#pragma once

#include <fmt/format.h>

#include <string>

namespace daemark {

/// "1 item", "2 items".
template <class Count>
std::string counted(Count count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == Count(1) ? "" : "s");
}

}  // namespace daemark
