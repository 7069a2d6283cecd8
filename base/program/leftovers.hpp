// Files and folders that must not outlive the program, also where it ends in the middle of its
// work.
#pragma once

#include <filesystem>
#include <list>
#include <mutex>

namespace daemark {

/// While it lives, remove_leftovers() removes `path` with all that is below it.
class Leftover {
 public:
  explicit Leftover(std::filesystem::path path);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  /// While it is held nothing is removed: for a draft that becomes a file.
  static std::unique_lock<std::mutex> hold();

 private:
  std::list<std::filesystem::path>::iterator at_;
};

/// Before the end of the program: who would make, or keep, a leftover after it waits for that end.
void remove_leftovers();

}  // namespace daemark
