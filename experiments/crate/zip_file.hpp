// Zip archives: written the same bytes for the same content, read with suspicion.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace daemark {

/// Content by path in the archive, '/' between folders.
using ZipContent = std::map<std::string, std::string>;

/// Replaces `file`. Throws CannotWrite.
void write_zip(const std::filesystem::path& file, const ZipContent& content);

/// Throws BadInput, naming file and entry: not there, no archive, damaged, an entry twice, one that
/// would leave its folder (absolute, "..", a link), more than 2 GB in all or 100,000 entries.
ZipContent read_zip(const std::filesystem::path& file);

}  // namespace daemark
