// Ctrl-C and SIGTERM: the first one asks the work to stop, the second one ends the program.
#pragma once

#include <atomic>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/program/progress.hpp"
#include "base/program/stop.hpp"

namespace daemark {

/// During its lifetime the first SIGINT or SIGTERM sets the flag, stops the token of the thread
/// that made the guard and prints that on standard error; a second one ends the program at once
/// with status 2 (files already written are whole). A guard within another guard only shows the
/// flag of the outer one. Only one thread may make guards.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  std::atomic<bool>& flag();

 private:
  StopToken token_;
  std::optional<StopScope> scope_;  ///< in the outermost one
};

/// That a clock of processor time shows [s].
double processor_seconds(clockid_t clock);

/// Watches the work of the thread that makes it, from another thread: stops its token on an
/// interrupt and when its processor time is up, and prints a line on standard error from time to
/// time, so that the user sees that the work goes on.
class Watch {
 public:
  /// `limit`: processor time from now [s], 0: none. `what`: the name of the work in those lines;
  /// empty: none are printed.
  explicit Watch(double limit, std::string what = "");
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void look();

  std::string what_;
  double limit_;
  clockid_t clock_;
  double begin_;
  StopToken token_;
  StopScope scope_;
  std::atomic<double> part_ = -1;          ///< of the work that is done; negative: not known
  std::optional<ProgressScope> progress_;  ///< receives the progress of the work
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace daemark
