// SHA-256 (FIPS 180-4) of texts, the same as CMake and sha256sum give; the sources this program was
// built from, with digests and includes, for the keys of finished cells.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// 64 hexadecimal digits.
std::string digest(std::string_view text);

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

/// A file uses what it includes. A header also uses the .cpp and .c files of its folder that
/// implement it. A .cpp or .c file implements the header of its name; without one, the header that
/// it includes first of all; else every header of its folder that it includes. A file that
/// registers itself implements only a header of its own name.
class SourceGraph {
 public:
  explicit SourceGraph(const std::vector<SourceFile>& files);

  /// Digest of a path in the table; "" if it is not there.
  std::string digest_of(const std::string& path) const;

  /// {path, digest} of all files that `roots` use, with the roots themselves. Files in `left_out`
  /// are neither listed nor followed, unless they are roots. Throws std::logic_error for roots that
  /// are not in the table.
  std::map<std::string, std::string> closure(const std::vector<std::string>& roots,
                                             const std::set<std::string>& left_out = {}) const;

 private:
  struct Node {
    std::string digest;
    std::vector<std::string> uses;
  };
  std::map<std::string, Node> nodes_;
};

/// Of this program.
const SourceGraph& source_graph();

}  // namespace daemark
