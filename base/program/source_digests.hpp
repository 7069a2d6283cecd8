// The sources this program was built from: their digests and what includes what, for the keys of
// finished cells.
#pragma once

#include <string>
#include <vector>

namespace daemark {

struct SourceFile {
  std::string path;                   ///< relative to the source root
  std::string digest;                 ///< first 16 hexadecimal digits of the file's SHA-256
  std::vector<std::string> includes;  ///< its includes of our own files, in order
  bool own_first = false;  ///< its very first include is one of them: the header it implements
  bool registers = false;  ///< a generated registry calls it: nothing else leads to it
};

/// Sorted by path: every .hpp, .cpp, .h, .c under base/, problems/, methods/, analysis/ and
/// experiments/ and every .json of the first four, as they were at build time. Generated with
/// every build.
const std::vector<SourceFile>& source_files();

}  // namespace daemark
