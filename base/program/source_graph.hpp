// The sources that a part of the program uses, found from includes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/program/source_digests.hpp"

namespace daemark {

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
