// A folder for files that nobody needs afterwards.
#pragma once

#include <filesystem>

namespace daemark {

/// Below TMPDIR (/tmp without it); goes away with its files.
class ScratchFolder {
 public:
  /// Throws BadInput where none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace daemark
