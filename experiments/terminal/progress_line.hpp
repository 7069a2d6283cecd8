// The line on a terminal that says how far a long command is and how long it will still take.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/program/progress.hpp"

namespace daemark {

/// An estimated time, between two bounds [s].
struct TimeSpan {
  double low = 0, high = 0;

  double middle() const;  ///< geometric mean
  TimeSpan operator+(const TimeSpan& other) const { return {low + other.low, high + other.high}; }
  TimeSpan operator*(double factor) const { return {low * factor, high * factor}; }
};

/// "2 to 4 min", "about 40 s", "a moment"; never less than `low`.
std::string text_of(const TimeSpan& span);

/// Estimated time remaining of work that reports the fraction done, 0 to 1. Two rates are used,
/// that since the start and that of the last third of the time: where steps become more expensive,
/// the second is lower, and both fall while nothing is reported. The bounds are what the faster
/// rate gives, and a quarter more than the later one gives.
class TimeLeft {
 public:
  /// `part` of the work is done at the time `now` [s]; calls are in the order of time, the first
  /// one is at the start.
  void hear(double now, double part);
  /// None before a part is done.
  std::optional<TimeSpan> at(double now) const;

 private:
  struct Sample {
    double time, part;
  };
  std::optional<Sample> first_;
  std::deque<Sample> heard_;  ///< thinned, from the last third of the time
};

/// What is left of work that took `seconds` for its `part`; none where that is 0.
std::optional<TimeSpan> left_at_rate(double seconds, double part);

/// A line on standard error: on a terminal overwritten from the first second on, fitted to its width
/// and cleared at the end; elsewhere a new one each minute. A separate thread shows it, so that the
/// time in it also advances while the work reports nothing.
class StatusLine {
 public:
  /// Called from the thread, some times a second; `seconds` since the start.
  using Text = std::function<std::string(double seconds)>;
  explicit StatusLine(Text text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

 private:
  void show();

  Text text_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;
};

/// `text` cut to so many columns: the name before the first ": " is shortened first.
std::string fitted(const std::string& text, std::size_t columns);

/// "what: 40 %, 12 s, 15 to 20 s left"; `part` < 0 where it is not known.
std::string status_text(const std::string& what, double part, double seconds,
                        const std::string& left);

/// The text of the line, without a clock. A fraction that decreases belongs to new work.
class ProgressText {
 public:
  /// `begun`: the part that was done before.
  explicit ProgressText(double begun = 0) : part_(begun) { left_.hear(0, begun); }
  /// `now` [s] since the start of the line.
  std::string at(double now, const std::string& what, double part);
  std::optional<TimeSpan> left(double now) const { return left_.at(now); }

 private:
  double part_;
  TimeLeft left_;  ///< of the work told last
};

/// Shows the progress that this thread reports on standard error (StatusLine).
class ProgressLine {
 public:
  /// `what`: of the work, before it tells. Nothing is shown where `err` is not standard error.
  explicit ProgressLine(std::ostream& err, const std::string& what = "");
  ~ProgressLine();

  /// What is worked on, from now on.
  void name(const std::string& what);

 private:
  std::string text(double seconds);

  std::atomic<const char*> said_{nullptr};  ///< by the loop in work
  std::atomic<double> part_;
  std::mutex mutex_;
  std::string what_;
  ProgressText text_;
  ProgressScope scope_;
  std::optional<StatusLine> line_;
};

}  // namespace daemark
