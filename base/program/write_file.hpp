// Files written as a whole: a file appears complete or not at all, and a failure names its cause.
// Results are written only if their bytes change, so that a re-run leaves them untouched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/program/leftovers.hpp"
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
  double room() const;

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

}  // namespace daemark
