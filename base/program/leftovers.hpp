// Files and folders that must not outlive the program, also where it ends in the middle of its
// work.
#pragma once

#include <filesystem>
#include <list>
#include <mutex>
#include <utility>

namespace daemark {

/// While it lives, remove_leftovers() removes `path` with all that is below it, in the process that
/// made it.
class Leftover {
 public:
  /// With the process that made each: a copy of it (fork) leaves what is the other's.
  using Paths = std::list<std::pair<std::filesystem::path, int>>;
  explicit Leftover(std::filesystem::path path);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  /// While it is held nothing is removed: for a draft that becomes a file.
  static std::unique_lock<std::mutex> hold();

 private:
  Paths::iterator at_;
};

/// Before the end of the program: who would make, or keep, a leftover after it waits for that end.
void remove_leftovers();

}  // namespace daemark
