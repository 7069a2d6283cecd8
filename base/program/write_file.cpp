#include "base/program/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "base/program/stop.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

bool holds(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (std::filesystem::file_size(file, error) != text.size() || error) return false;
  return read_text(file) == text;
}

/// Other processes and threads may write the same file at the same time: the last one wins.
std::filesystem::path draft_of(const std::filesystem::path& file) {
  static std::atomic<unsigned> count{0};
  return file.parent_path() /
         (".daemark-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".part");
}

/// Devices and pipes are written to; a file put in their place would be the end of them.
bool is_device(const std::filesystem::path& file) {
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  return kind == std::filesystem::file_type::character ||
         kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::block;
}

/// What a link leads to, so that the link stays one.
std::filesystem::path linked(const std::filesystem::path& file) {
  std::error_code error;
  const auto target = std::filesystem::is_symlink(file, error)
                          ? std::filesystem::weakly_canonical(file, error)
                          : file;
  return error ? file : target;
}

}  // namespace

const std::string& in_a_folder(const std::string& file) {
  std::error_code error;
  const auto folder = std::filesystem::absolute(file, error).parent_path();
  if (!std::filesystem::is_directory(folder, error)) throw CannotWrite(cannot_write(file, ENOENT));
  return file;
}

std::string cannot_write(const std::string& file, int cause) {
  constexpr std::size_t longest = 300;
  return "cannot write " + printable(file, longest) + ": " + std::generic_category().message(cause);
}

FileDraft::FileDraft(const std::filesystem::path& file) : file_(linked(file)) {
  std::error_code error;
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), error);
  if (error) fail(error.value());
  if (std::filesystem::is_directory(file_, error)) fail(EISDIR);
  constexpr int readable_by_all = 0666;
  if (is_device(file_)) {
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    draft_ = draft_of(file_);
    leftover_.emplace(draft_);
    descriptor_ = ::open(draft_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_all);
  }
  if (descriptor_ < 0) fail(errno);
}

FileDraft::~FileDraft() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!committed_ && !draft_.empty()) ::unlink(draft_.c_str());
}

void FileDraft::fail(int cause) const { throw CannotWrite(cannot_write(file_.string(), cause)); }

void FileDraft::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= write_block) flush();
}

void FileDraft::flush() {
  if (const int cause = write_all(descriptor_, buffer_)) fail(cause);
  buffer_.clear();
}

void FileDraft::commit() {
  flush();
  const int closed = ::close(descriptor_);
  const int cause = errno;
  descriptor_ = -1;
  if (closed != 0) fail(cause);
  const auto whole = Leftover::hold();
  if (!draft_.empty() && ::rename(draft_.c_str(), file_.c_str()) != 0) fail(errno);
  committed_ = true;
}

double FileDraft::free_space() const {
  struct statvfs disk {};
  if (draft_.empty() || ::fstatvfs(descriptor_, &disk) != 0)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void require_writable(const std::filesystem::path& folder) {
  const FileDraft nothing(folder / "writable");
}

bool write_if_changed(const std::filesystem::path& file, std::string_view text) {
  if (holds(file, text)) return false;
  FileDraft draft(file);
  draft.write(text);
  draft.commit();
  return true;
}

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

ScratchFolder::ScratchFolder() {
  const char* chosen = std::getenv("TMPDIR");
  const std::filesystem::path parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  std::string name = (parent / "daemark-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw BadInput(cannot_write("a temporary folder in " + parent.string(), errno) +
                   "; accepted: a TMPDIR that may be written to");
  path_ = name;
  leftover_.emplace(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

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

/// Whether the opened file still exists under its name: a lock on a removed file excludes no one.
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

namespace {

/// With one of 0, 1, 2 closed the next file opened would become standard output.
void hold_standard_descriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDONLY) < 0) return;  // writing to it fails, as it did before
  }
}

}  // namespace

DescriptorBuffer::DescriptorBuffer(int descriptor)
    : descriptor_(descriptor), by_lines_(::isatty(descriptor) == 1) {}

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize size) {
  if (cause_ != 0) return 0;
  const std::string_view added(text, static_cast<std::size_t>(size));
  pending_ += added;
  const bool line = by_lines_ && added.find('\n') != std::string_view::npos;
  if ((line || pending_.size() >= write_block) && sync() != 0) return 0;
  return size;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

int DescriptorBuffer::sync() {
  if (cause_ == 0) cause_ = write_all(descriptor_, pending_);
  pending_.clear();
  return cause_ == 0 ? 0 : -1;
}

int with_standard_output(const char* name, const std::function<int(std::ostream&)>& program) {
  hold_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  DescriptorBuffer buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  std::ostream* const tied = std::cerr.tie(&out);  // what was said before an error comes before it
  const int status = program(out);
  out.flush();
  std::cerr.tie(tied);
  if (buffer.cause() == 0) return status;
  if (buffer.cause() != EPIPE)
    std::cerr << name << ": " << cannot_write("standard output", buffer.cause()) << "\n";
  return 2;
}

}  // namespace daemark
