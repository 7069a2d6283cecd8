// Sparsity patterns: the places of the values of a sparse matrix.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace daemark {

/// Nonzeros of a sparse matrix, (row, column); values travel in this order. A position may occur
/// twice if the owner of the pattern says so; its values are then added.
struct Pattern {
  int rows = 0, cols = 0;
  std::vector<std::pair<int, int>> entries;
  int size() const { return static_cast<int>(entries.size()); }
};

/// Numbers distinct positions in the order of their first use, in constant time each.
class PatternBuilder {
 public:
  /// The number of (row, column), a new one if it was not seen before.
  int add(int row, int column) {
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) << 32 |
                     static_cast<std::uint32_t>(column);
    const auto [at, added] = numbers_.emplace(key, static_cast<int>(entries_.size()));
    if (added) entries_.emplace_back(row, column);
    return at->second;
  }
  int size() const { return static_cast<int>(entries_.size()); }
  const std::vector<std::pair<int, int>>& entries() const { return entries_; }
  Pattern pattern(int rows, int cols) const { return {rows, cols, entries_}; }

 private:
  std::unordered_map<std::uint64_t, int> numbers_;
  std::vector<std::pair<int, int>> entries_;
};

}  // namespace daemark
