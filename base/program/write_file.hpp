// Files written as a whole: a file appears complete or not at all, and a failure names its cause.
// Results are written only if their bytes change, so that a re-run leaves them untouched. Also
// temporary files and folders, locks, and standard output that reports failures.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <list>
#include <mutex>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "base/text/bad_input.hpp"

namespace daemark {

/// Bytes gathered before they are written.
inline constexpr std::size_t write_block = 1 << 16;

/// A file cannot be written. A BadInput, since the user can mend the cause.
class CannotWrite : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Returns `file`. Throws CannotWrite if its folder does not exist: in a name that a user typed
/// that is a slip.
const std::string& in_a_folder(const std::string& file);

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

/// A draft of a file, in the same folder under a name that no other process or thread uses. Devices
/// and pipes are written to directly.
class FileDraft {
 public:
  /// Creates the folder of `file`. Throws CannotWrite if nothing can be written there.
  explicit FileDraft(const std::filesystem::path& file);
  /// Removes the draft if it was not committed.
  ~FileDraft();
  FileDraft(const FileDraft&) = delete;
  FileDraft& operator=(const FileDraft&) = delete;

  /// Throws CannotWrite if it cannot be written, a full disk for example.
  void write(std::string_view text);
  /// Replaces `file` by the draft. Throws CannotWrite.
  void commit();
  /// Free bytes on the disk of the draft; unbounded for devices.
  double free_space() const;

 private:
  void flush();
  [[noreturn]] void fail(int cause) const;

  std::filesystem::path file_, draft_;  ///< draft_: empty for devices
  std::optional<Leftover> leftover_;    ///< the draft
  std::string buffer_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// Puts `text` into `file`, creating its folder; the file appears whole or not at all.
/// Returns false if it already held these bytes. Throws CannotWrite if it cannot be written.
bool write_if_changed(const std::filesystem::path& file, std::string_view text);

/// Before long work whose results go into `folder`, which is made. Throws CannotWrite where nothing
/// can be written there; a disk that fills later is a KeptFailure.
void require_writable(const std::filesystem::path& folder);

/// Keeps the first failure of several writes, so that results are shown before the failure ends the
/// command.
class KeptFailure {
 public:
  template <class Work>
  void guard(Work&& work) {
    try {
      work();
    } catch (const CannotWrite& failure) {
      if (!first_) first_ = failure.what();
    }
  }
  bool failed() const { return first_.has_value(); }
  const std::string& what() const { return *first_; }
  /// Throws the CannotWrite that was kept, if any.
  void raise() const {
    if (first_) throw CannotWrite(*first_);
  }

 private:
  std::optional<std::string> first_;
};

/// The whole content; none if the file cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

/// Writes everything, also when signals interrupt it. Returns the errno of a failure, or 0.
int write_all(int descriptor, std::string_view text);

/// `cannot write FILE: CAUSE` with the system's word for an errno.
std::string cannot_write(const std::string& file, int cause);

/// Below TMPDIR, or /tmp without it; removed with its files at the end, also of a program that
/// is interrupted.
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
  std::optional<Leftover> leftover_;
};

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

/// A buffer on a file descriptor that keeps the cause of its first failure.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  /// errno of the first write that failed, 0 if none did; final after a flush.
  int cause() const { return cause_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int descriptor_, cause_ = 0;
  bool by_lines_;  ///< on a terminal
  std::string pending_;
};

/// Runs `program(out)` on standard output and returns its status, or 2 with the cause in one line
/// on standard error if not all could be written. There is no such line if the reader has gone
/// (EPIPE). Closed standard descriptors are filled, so that no file gets their number.
int with_standard_output(const char* name, const std::function<int(std::ostream&)>& program);

}  // namespace daemark
