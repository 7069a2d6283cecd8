// Progress of long work: long loops report how far they are to a listener of their thread. Work
// that is done once for many, as a reference for all cells that ask for it, is timed separately.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

namespace daemark {

/// During its lifetime it receives the reports of this thread's loops; the listener before it does
/// not.
class ProgressScope {
 public:
  using Hear = std::function<void(const char* what, double part)>;
  explicit ProgressScope(Hear hear);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

 private:
  Hear hear_;
  const ProgressScope* outer_;
  friend void tell_progress(const char* what, double part);
};

/// Reports that `part` of `what` is done, 0 to 1, negative where it is not known. `what` lives as
/// long as the program. Without a listener it costs one load.
void tell_progress(const char* what, double part);

/// The part of the work outside at which that of this thread begins.
double progress_begun();

/// During its lifetime reports are taken as the part from..to of the work outside.
class ProgressShare {
 public:
  ProgressShare(double from, double to);
  ~ProgressShare();
  ProgressShare(const ProgressShare&) = delete;
  ProgressShare& operator=(const ProgressShare&) = delete;

 private:
  double outer_from_, outer_to_;
};

/// During its lifetime reports count as those of a whole, not of a part of the work outside.
class ProgressWhole {
 public:
  ProgressWhole();
  ~ProgressWhole();
  ProgressWhole(const ProgressWhole&) = delete;
  ProgressWhole& operator=(const ProgressWhole&) = delete;

 private:
  double outer_from_, outer_to_;
};

/// Several pieces of work in sequence, of these sizes.
class ProgressParts {
 public:
  explicit ProgressParts(std::vector<double> sizes);
  /// The share of the next piece, for the lifetime of the result.
  ProgressShare next();

 private:
  std::vector<double> sizes_;
  double all_ = 0, done_ = 0;
  std::size_t at_ = 0;
};

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
