// User text inside error messages: one line, printable, of bounded length; and inside CSV.
#pragma once

#include <string>
#include <string_view>

namespace daemark {

/// `text` with every byte outside printable ASCII written as \xNN, cut to `limit` characters.
std::string printable(std::string_view text, std::size_t limit = 60);

/// printable(text) between double quotes.
std::string in_quotes(std::string_view text, std::size_t limit = 60);

/// A field of CSV in quotes, whether it needs them or not.
std::string csv_quoted(std::string_view field);

}  // namespace daemark
