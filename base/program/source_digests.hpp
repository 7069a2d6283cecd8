// The sources this program was built from, with digests and includes, for the keys of finished
// cells.
#pragma once

#include <string>
#include <vector>

namespace daemark {

struct SourceFile {
  std::string path;                   ///< relative to the source root
  std::string digest;                 ///< first 16 hexadecimal digits of the file's SHA-256
  std::vector<std::string> includes;  ///< its includes of our own files, in order
  bool own_first = false;  ///< its first include of all is one of ours: the header it implements
  bool registers = false;  ///< a generated registry calls it, and no include leads to it
};

/// Sorted by path: every .hpp, .cpp, .h, .c under base/, problems/, methods/, analysis/ and
/// experiments/ and every .json of the first four, as they were at build time. Generated with
/// every build.
const std::vector<SourceFile>& source_files();

}  // namespace daemark
