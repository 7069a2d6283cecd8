#include "experiments/terminal/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>

#include "base/program/write_file.hpp"

namespace daemark {
namespace {

constexpr double above = 1.25;  // of what the late rate gives
constexpr double minute = 60, hour = 3600;

struct Unit {
  const char* name;
  double seconds, step;  ///< told in multiples of `step` of it
};

/// In which `high` is a number of at most two digits that mean something.
Unit unit_for(double high) {
  if (high <= 10) return {"s", 1, 1};
  if (high <= 1.5 * minute) return {"s", 1, 5};
  if (high <= 10 * minute) return {"min", minute, 0.5};
  if (high <= 1.5 * hour) return {"min", minute, high <= hour / 2 ? 1.0 : 5.0};
  return {"h", hour, high <= 10 * hour ? 0.5 : 1.0};
}

}  // namespace

double TimeSpan::middle() const { return std::sqrt(low * high); }

std::string text_of(const TimeSpan& span) {
  if (!(span.high >= 1)) return "a moment";
  const Unit unit = unit_for(span.high);
  const auto told = [&](double seconds) {
    return unit.step * std::ceil(seconds / unit.seconds / unit.step - 1e-9);
  };
  const double low = std::max(told(span.low), unit.step), high = std::max(told(span.high), low);
  if (high - low < unit.step / 2) return fmt::format("about {:g} {}", low, unit.name);
  return fmt::format("{:g} to {:g} {}", low, high, unit.name);
}

std::optional<TimeSpan> left_at_rate(double seconds, double part) {
  if (!(part > 0) || !(seconds > 0)) return std::nullopt;
  const double left = seconds * (1 - std::min(part, 1.0)) / part;
  return TimeSpan{left, above * left};
}

void TimeLeft::hear(double now, double part) {
  constexpr double kept = 1.0 / 64;  // of the time
  if (!first_) {
    first_ = Sample{now, part};
    heard_.push_back(*first_);
  }
  if (part <= heard_.back().part) return;
  if (heard_.size() >= 2 && now - heard_[heard_.size() - 2].time < kept * (now - first_->time))
    heard_.pop_back();
  heard_.push_back({now, part});
  const double late = now - (now - first_->time) / 3;
  while (heard_.size() > 2 && heard_[1].time <= late) heard_.pop_front();
}

std::optional<TimeSpan> TimeLeft::at(double now) const {
  if (!first_ || heard_.back().part <= first_->part || now <= first_->time) return std::nullopt;
  const double part = std::min(heard_.back().part, 1.0);
  const auto rate = [&](const Sample& then) { return (part - then.part) / (now - then.time); };
  const double whole = rate(*first_),
               late = part > heard_.front().part ? rate(heard_.front()) : whole;
  return TimeSpan{(1 - part) / std::max(whole, late), above * (1 - part) / late};
}

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
  thread_ = std::thread([this] { show(); });
}

StatusLine::~StatusLine() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  done_.notify_one();
  thread_.join();
}

/// On a terminal the line is overwritten; elsewhere each minute has a line of its own.
void StatusLine::show() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  constexpr std::chrono::milliseconds pause(200);
  constexpr double minute = 60;          // [s]
  double quiet = terminal ? 1 : minute;  // [s]
  const Clock::time_point begin = Clock::now();
  bool written = false;
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, pause, [this] { return over_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const std::string text = text_(seconds);
    if (seconds < quiet) continue;
    if (!terminal) {
      write_all(STDERR_FILENO, text + "\n");
      quiet += minute;
      continue;
    }
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

std::string ProgressText::at(double now, const std::string& what, double part) {
  if (part >= 0) {
    if (part < part_) left_ = {};
    part_ = part;
    left_.hear(now, part);
  }
  const auto left = left_.at(now);
  return status_text(what, part, now, left ? text_of(*left) : "");
}

ProgressLine::ProgressLine(std::ostream& err, const std::string& what)
    : part_(progress_begun()),
      what_(what),
      text_(progress_begun()),
      scope_([this](const char* said, double part) {
        said_.store(said, std::memory_order_relaxed);
        part_.store(part, std::memory_order_relaxed);
      }) {
  if (&err == &std::cerr) line_.emplace([this](double seconds) { return text(seconds); });
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::name(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
}

std::string ProgressLine::text(double seconds) {
  const std::lock_guard lock(mutex_);
  const char* const said = said_.load(std::memory_order_relaxed);
  std::string what = what_;
  if (said != nullptr) what += (what.empty() ? "" : ", ") + std::string(said);
  const double part = part_.load(std::memory_order_relaxed);
  return text_.at(seconds, what.empty() ? "at work" : what, said == nullptr ? -1 : part);
}

}  // namespace daemark
