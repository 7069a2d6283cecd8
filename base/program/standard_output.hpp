// Standard output whose failures are seen: what cannot be written must not look done.
#pragma once

#include <functional>
#include <ostream>
#include <streambuf>
#include <string>

namespace daemark {

/// A buffer on a file descriptor that keeps the cause of its first failure.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  /// errno of the first write that failed, 0 if none did. Complete after a flush.
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

/// Runs `program(out)` with an `out` that is standard output, and returns its status, or 2 with a
/// line on standard error that says why if not all could be written. A reader that went away
/// (EPIPE) is told nothing. Standard descriptors that are closed are kept from becoming files.
int with_standard_output(const char* name, const std::function<int(std::ostream&)>& program);

}  // namespace daemark
