// Text in lines that people can read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// Characters of UTF-8 text: bytes that continue none.
std::size_t text_width(std::string_view text);

/// Broken at blanks into lines of at most `most` characters; words longer than that stand alone.
/// At least one line.
std::vector<std::string> wrapped_lines(const std::string& text, std::size_t most);

/// The same as one text without a line end, every line behind `indent` blanks, which count.
std::string wrapped(const std::string& text, std::size_t most = 100, std::size_t indent = 0);

}  // namespace daemark
