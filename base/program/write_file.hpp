// Whole files. Results are written only when their bytes change, so that a re-run leaves them
// untouched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace daemark {

/// Puts `text` into `file`, creating its folder; the file appears whole or not at all.
/// Returns false if it already held these bytes. Throws BadInput if it cannot be written.
bool write_if_changed(const std::filesystem::path& file, std::string_view text);

/// Whole content; absent if it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace daemark
