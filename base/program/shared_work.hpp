// Work that is done once for many: the first cell that asks for a reference computes it. Its time
// says nothing of how long the next cell will take.
#pragma once

#include <atomic>

namespace daemark {

/// How long a thread was at shared work; others may read it.
class SharedClock {
 public:
  SharedClock() = default;
  SharedClock(const SharedClock&) = delete;
  SharedClock& operator=(const SharedClock&) = delete;

  /// In all [s], with what is going on.
  double seconds() const;
  bool at_work() const { return since_.load() >= 0; }

 private:
  friend class SharedWork;
  std::atomic<double> spent_{0}, since_{-1};  // [s] of the steady clock; negative: not at work
};

/// During its lifetime `clock` is that of this thread.
class SharedClockScope {
 public:
  explicit SharedClockScope(SharedClock& clock);
  ~SharedClockScope();
  SharedClockScope(const SharedClockScope&) = delete;
  SharedClockScope& operator=(const SharedClockScope&) = delete;
};

/// During its lifetime the thread is at shared work. Without a clock it does nothing, nor does one
/// within another.
class SharedWork {
 public:
  SharedWork();
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

 private:
  SharedClock* clock_;
};

}  // namespace daemark
