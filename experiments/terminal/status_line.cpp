#include "experiments/terminal/status_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/program/write_file.hpp"

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : usual;
}

}  // namespace

std::string fitted(const std::string& text, std::size_t columns) {
  constexpr std::size_t least_name = 12;
  const std::string dots = "...";
  if (text.size() <= columns) return text;
  const std::size_t name = std::min(text.find(": "), text.size());
  const std::size_t rest = text.size() - name + dots.size();
  if (rest + least_name > columns) return text.substr(0, columns);
  return text.substr(0, columns - rest) + dots + text.substr(name);
}

StatusLine::StatusLine(Text text) : text_(std::move(text)) {
  if (::isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { show(); });
}

StatusLine::~StatusLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  done_.notify_one();
  thread_.join();
}

void StatusLine::show() {
  constexpr std::chrono::milliseconds pause(200);
  constexpr double quiet = 1;  // [s]
  const Clock::time_point begin = Clock::now();
  bool written = false;
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, pause, [this] { return over_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const std::string text = text_(seconds);
    if (seconds < quiet) continue;
    write_all(STDERR_FILENO, "\r\033[K" + fitted(text, width() - 1));
    written = true;
  }
  if (written) write_all(STDERR_FILENO, "\r\033[K");
}

std::string status_text(const std::string& what, double part, double seconds,
                        const std::string& left) {
  std::string text = what;
  if (part >= 0) text += fmt::format(": {:.0f} %", 100 * part);
  text += fmt::format("{} {:.0f} s", part >= 0 ? "," : ":", seconds);
  if (!left.empty()) text += ", " + left + " left";
  return text;
}

}  // namespace daemark
