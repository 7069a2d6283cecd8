// Finished cells on disk, one file each, so that an interrupted run loses none of them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "experiments/cells/cell.hpp"

namespace daemark {

/// SHA-1 of a text, 40 hexadecimal digits: a name for content, no protection against forgery.
std::string digest(const std::string& text);

/// {path, digest} of the sources a cell's result depends on: its method's, its problem's, the core.
using SourcesOf = std::function<std::map<std::string, std::string>(const Cell&)>;

/// Digest of the canonical cell and of its sources.
std::string cell_key(const Cell& cell, const SourcesOf& sources);

class CellCache {
 public:
  explicit CellCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Absent if there is no such file, or it is damaged (wrong key, wrong checksum, not JSON).
  std::optional<CellResult> load(const std::string& key) const;
  /// Whether a file for it exists; its content is not looked at.
  bool has(const std::string& key) const;
  /// Written beside and renamed: the file is whole or absent.
  void store(const std::string& key, const Cell& cell, const CellResult& result) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file(const std::string& key) const;
  std::filesystem::path folder_;
};

/// Whole content; absent if it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace daemark
