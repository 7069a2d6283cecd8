// Text broken into lines of readable length.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// The number of characters in UTF-8 text.
std::size_t text_width(std::string_view text);

/// Broken at blanks into lines of at most `most` characters; words longer than that stand alone.
/// At least one line.
std::vector<std::string> wrapped_lines(const std::string& text, std::size_t most);

/// The same as one text without a final line end; every line is indented by `indent` blanks, which
/// count.
std::string wrapped(const std::string& text, std::size_t most = 100, std::size_t indent = 0);

}  // namespace daemark
