// Digests of the sources this program was built from, for the keys of finished cells.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace daemark {

/// {path relative to the source root, first 16 hexadecimal digits of the file's SHA-256}, sorted by
/// path: every .hpp, .cpp, .h, .c under base/, problems/, methods/, analysis/ and experiments/
/// and every .json of the first four, as they were at build time. Generated with every build.
const std::vector<std::pair<std::string, std::string>>& source_digests();

}  // namespace daemark
