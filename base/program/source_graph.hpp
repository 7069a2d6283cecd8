// Which sources a piece of the program uses, from what includes what.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/program/source_digests.hpp"

namespace daemark {

/// A file uses what it includes. A header also uses the .cpp and .c files of its folder that
/// implement it: that of its name; a file without such a header implements the header it includes
/// before anything else, or else every one of the folder that it includes. Files that register
/// themselves implement nothing but a header of their own name.
class SourceGraph {
 public:
  explicit SourceGraph(const std::vector<SourceFile>& files);

  /// Of a path in the table; "" if it is not there.
  std::string digest_of(const std::string& path) const;

  /// {path, digest} of everything `roots` use, themselves too. Nothing leads to or through files in
  /// `left_out`, unless they are roots. Throws std::logic_error for roots that are not in the
  /// table.
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
