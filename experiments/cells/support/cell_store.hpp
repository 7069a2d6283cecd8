// Finished cells on disk, one file each, so that an interrupted run loses none of them. The key of
// a cell is a digest of what identifies it and of the sources it uses.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

/// {path, digest} of the sources a cell's result depends on: its kind's, its problem's and its
/// methods', with all they use (base/program/digest.hpp); tableaus by their content. Throws
/// BadInput for unknown problems and methods.
std::map<std::string, std::string> sources_used(const Cell& cell);

/// One digest of all of them and of the stored reference states the cell uses. Computing such a
/// state changes the digest: a finished cell is kept under its digest after the run.
std::string sources_digest(const Cell& cell);

/// Times [s] of the reference states the cell needs and that would have to be computed. Throws
/// BadInput for unknown problems.
std::vector<std::string> missing_references(const Cell& cell);

}  // namespace daemark
