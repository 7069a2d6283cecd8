#include "base/text/printable.hpp"

#include <fmt/format.h>

namespace daemark {

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    if (out.size() >= limit) return out + "...";
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  return "\"" + printable(text, limit) + "\"";
}

std::string csv_quoted(std::string_view field) {
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace daemark
