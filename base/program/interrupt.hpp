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
/// has `patience` to end in good order; then a thread of the guard calls the OnInterrupt, removes
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

/// During its lifetime, what to print if the program ends in the middle of the work. It is called
/// from another thread while the working thread is still busy; the destructor waits for a call
/// under way, after which the program has ended.
class OnInterrupt {
 public:
  /// Returns what is kept, for say_interrupted().
  using Say = std::function<std::string()>;
  explicit OnInterrupt(Say say);
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt&) = delete;
  OnInterrupt& operator=(const OnInterrupt&) = delete;

 private:
  Say say_;
  OnInterrupt* outer_;
  friend class InterruptGuard;
};

/// Watches the work of the thread that makes it, from another thread: stops its token on an
/// interrupt and when its processor time is up.
class Watch {
 public:
  /// `limit`: processor time from now [s], 0: none. Work that cannot be asked to stop (one call of
  /// a library may take minutes and looks at no token) has a little more; then `say_overdue`, where
  /// it is given, says what is to be said, from the other thread, and the program ends with
  /// status 1.
  /// `stop`: where it is given and becomes true, the work is stopped as by an interrupt.
  explicit Watch(double limit, std::function<void()> say_overdue = {},
                 const std::atomic<bool>* stop = nullptr);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// Why the work ended early; `none` where it did not.
  StopCause ended_by() const { return token_.noticed() ? token_.cause() : StopCause::none; }

 private:
  void look();

  double limit_;
  std::function<void()> say_overdue_;
  const std::atomic<bool>* stop_;
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
