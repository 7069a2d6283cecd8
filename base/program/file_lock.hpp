// One at a time: whoever writes many files that belong together holds a lock on one of them.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace daemark {

/// Held while it lives; the system frees it when the process ends, however that ends.
class FileLock {
 public:
  /// Waits until no other thread or process holds `file`, which is made and says who does. Before
  /// it waits `waiting` is told what the holder left there. `as`: what this one is called. Throws
  /// CannotWrite where the file cannot be made.
  explicit FileLock(const std::filesystem::path& file, const std::string& as = "",
                    const std::function<void(const std::string& holder)>& waiting = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool take(const std::filesystem::path& file);
  int descriptor_ = -1;
};

/// The lock of a folder of results, which runs of the program hold while they write there what
/// belongs together. Says on `err` whom it waits for.
FileLock lock_results(const std::filesystem::path& results, const std::string& as,
                      std::ostream& err);

/// Removes what writers that have been killed left in `folder` and below: drafts of files
/// (write_file.hpp) of processes that are no more.
void remove_dead_drafts(const std::filesystem::path& folder);

}  // namespace daemark
