#include "experiments/terminal/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <ostream>

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double quiet = 1, between = 0.2;  // [s]

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& err)
    : ProgressLine(err, ::isatty(STDERR_FILENO) == 1, quiet) {}

ProgressLine::ProgressLine(std::ostream& err, bool shown, double quiet_seconds)
    : err_(err),
      shown_(shown),
      quiet_(quiet_seconds),
      next_(quiet_seconds),
      start_(Clock::now()),
      phase_start_(start_),
      scope_([this](const char* what, double part) {
        if (shown_) hear(what, part);
      }) {}

ProgressLine::~ProgressLine() {
  if (written_) err_ << "\r\033[K" << std::flush;
}

void ProgressLine::hear(const std::string& what, double part) {
  if (what != phase_ || part < part_) phase_ = what, phase_start_ = Clock::now();
  part_ = part;
  const double now = seconds_since(start_);
  if (now < next_) return;
  next_ = now + (quiet_ > 0 ? between : 0);
  written_ = true;
  std::string text = fmt::format("\r\033[K{}: {:.0f} %, {:.0f} s", what, 100 * part, now);
  if (part > 0)
    text += fmt::format(", about {:.0f} s left", seconds_since(phase_start_) * (1 - part) / part);
  err_ << text << std::flush;
}

}  // namespace daemark
