#include "base/program/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <ostream>
#include <string_view>
#include <thread>
#include <vector>

#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, int cause) {
  throw CannotWrite(cannot_write(file.string(), cause));
}

int opened(const fs::path& file) {
  constexpr int writable_by_all = 0666;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, writable_by_all);
  if (descriptor < 0) refuse(file, errno);
  return descriptor;
}

/// Whether the file still stands where it was opened: a lock on a removed one excludes nobody.
bool is_there(int descriptor, const fs::path& file) {
  struct stat open = {}, named = {};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

std::string self(const std::string& as) {
  char time[32] = {};
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  std::strftime(time, sizeof time, "%F %T", ::localtime_r(&now, &parts));
  return as + ", process " + std::to_string(::getpid()) + ", since " + time;
}

/// The process in ".daemark-PID-N.part"; 0 for other names.
long writer_of(const std::string& name) {
  constexpr std::string_view begin = ".daemark-", end = ".part";
  if (!name.starts_with(begin) || !name.ends_with(end)) return 0;
  return std::strtol(name.c_str() + begin.size(), nullptr, 10);
}

}  // namespace

FileLock::FileLock(const fs::path& file, const std::string& as,
                   const std::function<void(const std::string&)>& waiting) {
  bool told = false;
  while (!take(file)) {
    constexpr std::size_t longest = 200;
    if (waiting && !told) waiting(printable(read_text(file).value_or(""), longest));
    told = true;
    checkpoint();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  // For those who wait; a full disk leaves it empty, and the lock is held all the same.
  const std::string name = self(as);
  if (::ftruncate(descriptor_, 0) == 0 && ::write(descriptor_, name.data(), name.size()) < 0)
    return;
}

/// False, and nothing open, where another holds it.
bool FileLock::take(const fs::path& file) {
  descriptor_ = opened(file);
  const bool held = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  const int cause = errno;
  if (held && is_there(descriptor_, file)) return true;
  ::close(descriptor_);
  if (!held && cause != EWOULDBLOCK && cause != EINTR) refuse(file, cause);
  return false;
}

FileLock::~FileLock() { ::close(descriptor_); }

FileLock lock_results(const fs::path& results, const std::string& as, std::ostream& err) {
  return FileLock(results / ".lock", as, [&](const std::string& holder) {
    err << as << ": waits for another run in " << results.filename().string() << ": "
        << (holder.empty() ? "one that does not say its name" : holder) << std::endl;
  });
}

void remove_dead_drafts(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> dead;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const long writer = writer_of(at->path().filename().string());
    if (writer > 0 && ::kill(static_cast<pid_t>(writer), 0) != 0 && errno == ESRCH)
      dead.push_back(at->path());
  }
  for (const fs::path& draft : dead) fs::remove(draft, error);
}

}  // namespace daemark
