// Work that can be stopped from outside, because its time is up or on the wish of the user: the
// caller sets a token for the thread, and long loops look at it once in each pass.
#pragma once

#include <atomic>

namespace daemark {

enum class StopCause { none, interrupted, timed_out };

/// Thrown by checkpoint(). Not a std::exception, so that handlers of failures of the work let it
/// pass.
struct Stopped {
  StopCause cause;
};

/// For one piece of work; stop() may be called from any thread.
class StopToken {
 public:
  void stop(StopCause cause) {
    StopCause running = StopCause::none;
    cause_.compare_exchange_strong(running, cause);
  }
  StopCause cause() const { return cause_.load(std::memory_order_relaxed); }
  /// Whether the work has noticed the stop and ended early.
  bool noticed() const { return noticed_.load(std::memory_order_relaxed); }
  void notice() { noticed_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<StopCause> cause_{StopCause::none};
  std::atomic<bool> noticed_{false};
};

/// Makes the token that of this thread for the lifetime of the object.
class StopScope {
 public:
  explicit StopScope(StopToken& token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopToken* outer_;
};

/// Throws Stopped if the token of the thread is stopped. Costs one load; without a token it does
/// nothing.
void checkpoint();

}  // namespace daemark
