// Ctrl-C and SIGTERM: the first one asks the work to stop and ends the program a second later, the
// second one ends it at once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/program/stop.hpp"

namespace daemark {

/// During its lifetime the first SIGINT or SIGTERM stops the token of the thread that made the
/// guard. Work that cannot be asked (one call of a library may take minutes and looks at no token)
/// has `patience` to end in good order; then a thread of the guard says the Farewell, removes
/// drafts and scratch folders and ends the program with interrupted_status(). A second signal does
/// so without waiting. Files are whole then, as they appear by a rename. A guard within another
/// does nothing.
class InterruptGuard {
 public:
  static constexpr std::chrono::milliseconds patience{500};
  /// `name` begins the line on standard error that says that the work was interrupted.
  explicit InterruptGuard(std::string name = "daemark");
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  std::atomic<bool>& flag();  ///< that a signal came

 private:
  void wait_for_a_signal();

  std::string name_;
  StopToken token_;
  std::optional<StopScope> scope_;  ///< in the outermost one
  std::thread thread_;
};

/// 130 after SIGINT, 143 after SIGTERM, as shells have it.
int interrupted_status();
/// "NAME: interrupted; KEPT" on standard error, once for a signal; `kept` says what is kept, "" for
/// nothing.
void say_interrupted(const std::string& name, const std::string& kept = "");

/// While it lives, what is said, or shown, where the program ends in the middle of the work: from
/// another thread, while that of the work is still busy. Its destructor waits for one under way,
/// and the program has then ended.
class Farewell {
 public:
  /// Returns what is kept, for say_interrupted().
  using Say = std::function<std::string()>;
  explicit Farewell(Say say);
  ~Farewell();
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;

 private:
  Say say_;
  Farewell* outer_;
  friend class InterruptGuard;
};

/// That a clock of processor time shows [s].
double processor_seconds(clockid_t clock);

/// Watches the work of the thread that makes it, from another thread: stops its token on an
/// interrupt and when its processor time is up.
class Watch {
 public:
  /// `limit`: processor time from now [s], 0: none.
  explicit Watch(double limit);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void look();

  double limit_;
  clockid_t clock_;
  double begin_;
  StopToken token_;
  StopScope scope_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace daemark
