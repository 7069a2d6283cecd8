#include "base/program/leftovers.hpp"

#include <unistd.h>

#include <system_error>
#include <utility>

namespace daemark {
namespace {

struct Known {
  std::mutex mutex;
  Leftover::Paths paths;
};

/// Never destroyed: threads may still work while the program ends.
Known& known() {
  static Known& all = *new Known;
  return all;
}

}  // namespace

Leftover::Leftover(std::filesystem::path path) {
  const std::lock_guard lock(known().mutex);
  at_ = known().paths.insert(known().paths.end(), {std::move(path), getpid()});
}

Leftover::~Leftover() {
  const std::lock_guard lock(known().mutex);
  known().paths.erase(at_);
}

std::unique_lock<std::mutex> Leftover::hold() { return std::unique_lock(known().mutex); }

void remove_leftovers() {
  known().mutex.lock();  // for good
  std::error_code ignored;
  for (const auto& [path, process] : known().paths)
    if (process == getpid()) std::filesystem::remove_all(path, ignored);
}

}  // namespace daemark
