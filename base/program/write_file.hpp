// Whole files. Results are written only when their bytes change, so that a re-run leaves them
// untouched. Whatever is written appears whole or not at all, and a failure names its cause.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/bad_input.hpp"

namespace daemark {

/// Bytes gathered before they are written.
inline constexpr std::size_t write_block = 1 << 16;

/// What was computed cannot be kept: BadInput, since the user can mend it.
class CannotWrite : public BadInput {
 public:
  using BadInput::BadInput;
};

/// `file` itself. Throws CannotWrite if its folder does not exist: for a file a user named that is
/// a slip, not a wish.
const std::string& in_a_folder(const std::string& file);

/// A file in the making, beside its place under a name that no other process or thread uses.
/// Devices and pipes are written to as they are.
class FileDraft {
 public:
  /// Creates the folder of `file`. Throws CannotWrite if nothing can be written there.
  explicit FileDraft(const std::filesystem::path& file);
  /// What was not committed is gone again.
  ~FileDraft();
  FileDraft(const FileDraft&) = delete;
  FileDraft& operator=(const FileDraft&) = delete;

  /// Throws CannotWrite if it cannot be written, a full disk for example.
  void write(std::string_view text);
  /// Puts all that was written in the place of `file`. Throws CannotWrite.
  void commit();
  /// Bytes that are free where it is written; no bound for devices.
  double room() const;

 private:
  void flush();
  [[noreturn]] void fail(int cause) const;

  std::filesystem::path file_, draft_;  ///< draft_: empty for devices
  std::string buffer_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// Puts `text` into `file`, creating its folder; the file appears whole or not at all.
/// Returns false if it already held these bytes. Throws CannotWrite if it cannot be written.
bool write_if_changed(const std::filesystem::path& file, std::string_view text);

/// Keeps the first failure of several writings, so that what was computed is shown before it ends
/// the command.
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
  /// Throws CannotWrite if there was one.
  void raise() const {
    if (first_) throw CannotWrite(*first_);
  }

 private:
  std::optional<std::string> first_;
};

/// Whole content; absent if it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

/// Everything, through interruptions by signals. Returns the errno of what stopped it, or 0.
int write_all(int descriptor, std::string_view text);

/// `cannot write FILE: CAUSE` with the system's word for an errno.
std::string cannot_write(const std::string& file, int cause);

}  // namespace daemark
