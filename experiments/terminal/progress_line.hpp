// One line that is written over: how far a long command is and how long it will take.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "base/program/progress.hpp"

namespace daemark {

/// Hears the progress of this thread and shows it on `err`, from the second second on and only
/// where standard error is a terminal: a line that is written over spoils a log.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& err);
  ProgressLine(std::ostream& err, bool shown, double quiet_seconds);
  ~ProgressLine();

 private:
  void hear(const std::string& what, double part);

  std::ostream& err_;
  bool shown_, written_ = false;
  double quiet_, next_ = 0;  ///< [s] since the start
  double part_ = 0;          ///< of the phase in work
  std::string phase_;
  std::chrono::steady_clock::time_point start_, phase_start_;
  ProgressScope scope_;
};

}  // namespace daemark
