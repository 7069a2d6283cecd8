// How far a long command is and how long it will take, as its loops tell it.
#pragma once

#include <atomic>
#include <iosfwd>
#include <mutex>
#include <string>

#include "base/program/progress.hpp"
#include "experiments/terminal/status_line.hpp"
#include "experiments/terminal/time_left.hpp"

namespace daemark {

/// The text of the line, without a clock. Work whose part falls back is another one.
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

/// Hears the progress of this thread and shows it on standard error (StatusLine).
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
