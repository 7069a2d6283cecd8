#include "base/text/printable.hpp"

#include <cstdio>

namespace daemark {

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    if (out.size() >= limit) return out + "...";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      out += escaped;
    }
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  return "\"" + printable(text, limit) + "\"";
}

}  // namespace daemark
