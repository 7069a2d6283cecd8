#include "base/program/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>

#include "base/program/write_file.hpp"

namespace daemark {
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
