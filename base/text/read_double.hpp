// Numbers written as text, as doubles: the one place that reads them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace daemark {

/// The nearest double of the number at the beginning of `text`, and how many characters it has: 0
/// where none stands there. Any range: subnormal numbers, 0 below them, infinity beyond the largest
/// double; a sign, "inf" and "nan" are read. Independent of the locale.
std::pair<double, std::size_t> leading_double(std::string_view text);

/// Of the whole text; empty where it is not a number.
std::optional<double> read_double(std::string_view text);

/// Of text that this program wrote as a number. Throws std::invalid_argument for other text.
double double_of(std::string_view text);

}  // namespace daemark
