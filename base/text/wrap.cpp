#include "base/text/wrap.hpp"

#include <algorithm>
#include <sstream>

namespace daemark {

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> wrapped_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (text_width(line) + 1 + text_width(word) <= most)
      line += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string wrapped(const std::string& text, std::size_t most, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out;
  for (const std::string& line : wrapped_lines(text, most > indent ? most - indent : 1))
    out.append(out.empty() ? "" : "\n").append(margin).append(line);
  return out;
}

}  // namespace daemark
