// A folder for temporary files.
#pragma once

#include <filesystem>

namespace daemark {

/// Below TMPDIR, or /tmp without it; removed with its files at the end.
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
};

}  // namespace daemark
