// Work that can be stopped from outside, since its time is up or the user wants it: whoever starts
// it sets a token for the thread, long loops look at it once a pass.
#pragma once

#include <atomic>

namespace daemark {

enum class StopCause { none, interrupted, timed_out };

/// Thrown by checkpoint(). Not a std::exception: what catches failures of the work lets it pass.
struct Stopped {
  StopCause cause;
};

/// Of one piece of work; stop() may be called from any thread.
class StopToken {
 public:
  void stop(StopCause cause) {
    StopCause running = StopCause::none;
    cause_.compare_exchange_strong(running, cause);
  }
  StopCause cause() const { return cause_.load(std::memory_order_relaxed); }
  /// Whether the work has seen that it is stopped, and so ended early.
  bool noticed() const { return noticed_.load(std::memory_order_relaxed); }
  void notice() { noticed_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<StopCause> cause_{StopCause::none};
  std::atomic<bool> noticed_{false};
};

/// While it lives, the token is that of this thread.
class StopScope {
 public:
  explicit StopScope(StopToken& token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopToken* outer_;
};

/// Throws Stopped if the thread's token says so. Costs a load; without a token nothing stops.
void checkpoint();

}  // namespace daemark
