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

/// While it lives, the first SIGINT or SIGTERM sets the flag, stops the token of the thread that
/// made the guard and says so on standard error; a second one ends the program at once with status
/// 2 (what was written is whole). Within another guard it only shows that one's flag. One thread
/// makes guards.
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

/// Looks after the work of the thread that makes it, from a thread of its own: a token for it that
/// is stopped on an interrupt and when its processor time is up, and a line on standard error from
/// time to time, so that nobody takes it for dead.
class Watch {
 public:
  /// `limit`: processor time from now [s], 0: none. `what`: what is said to be running; empty:
  /// nothing is said.
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
  std::atomic<double> part_ = -1;          ///< of the work that is done; negative: nobody said
  std::optional<ProgressScope> progress_;  ///< hears it
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace daemark
