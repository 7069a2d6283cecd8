// A folder for temporary files.
#pragma once

#include <filesystem>
#include <optional>

#include "base/program/leftovers.hpp"

namespace daemark {

/// Below TMPDIR, or /tmp without it; removed with its files at the end, also of a program that
/// is interrupted.
class ScratchFolder {
 public:
  /// Throws BadInput if it cannot be created.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<Leftover> leftover_;
};

}  // namespace daemark
