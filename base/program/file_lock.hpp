// Locks on files: a program that writes many files that belong together holds one meanwhile.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace daemark {

/// Held for the lifetime of the object; the system frees it when the process ends, in whatever way.
class FileLock {
 public:
  /// Waits until no other thread or process holds `file`. The file is created if need be and holds
  /// the name of its holder, `as` for this one; `waiting` gets that of the other holder before the
  /// wait. Throws CannotWrite if the file cannot be created.
  explicit FileLock(const std::filesystem::path& file, const std::string& as = "",
                    const std::function<void(const std::string& holder)>& waiting = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool take(const std::filesystem::path& file);
  int descriptor_ = -1;
};

/// The lock of a folder of results, held by a run of the program while it writes files there that
/// belong together. Prints on `err` whom it waits for.
FileLock lock_results(const std::filesystem::path& results, const std::string& as,
                      std::ostream& err);

/// Removes drafts of files (write_file.hpp) in `folder` and below whose processes have ended.
void remove_dead_drafts(const std::filesystem::path& folder);

}  // namespace daemark
