// Standard output that reports its failures: output that could not be written must not look
// complete.
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
