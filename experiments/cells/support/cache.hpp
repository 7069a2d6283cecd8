// Finished cells on disk, one file each, so that an interrupted run loses none of them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// Digest of the sources a cell's result depends on.
using SourcesOf = std::function<std::string(const Cell&)>;

/// Digest of the canonical cell and of its sources.
std::string cell_key(const FixedCell& cell, const SourcesOf& sources);

bool has_series(const CellResult& result, const std::set<std::string>& names);

class CellCache {
 public:
  explicit CellCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Absent if there is no such file, it is damaged (wrong key, wrong checksum, not JSON), or it
  /// was stored without all of its series and lacks one of `series` (null: all are wanted).
  std::optional<CellResult> load(const std::string& key,
                                 const std::set<std::string>* series = nullptr) const;
  /// Whether a file for it exists; its content is not looked at.
  bool has(const std::string& key) const;
  /// Writes a temporary file and renames it: the file is whole or absent.
  void store(const std::string& key, const Cell& cell, const CellResult& result,
             bool all_series = true) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace daemark
