#include "base/program/write_file.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>

#include "base/text/bad_input.hpp"
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

double FileDraft::room() const {
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

}  // namespace daemark
