#include "base/program/shared_work.hpp"

#include <chrono>
#include <optional>

#include "base/program/progress.hpp"

namespace daemark {
namespace {

thread_local SharedClock* clock_of_thread = nullptr;
/// Of the work that has the clock: how far it is is no part of the cell.
thread_local std::optional<ProgressWhole> own_progress;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double SharedClock::seconds() const {
  const double since = since_.load();
  return spent_.load() + (since < 0 ? 0 : now() - since);
}

SharedClockScope::SharedClockScope(SharedClock& clock) { clock_of_thread = &clock; }
SharedClockScope::~SharedClockScope() { clock_of_thread = nullptr; }

SharedWork::SharedWork()
    : clock_(clock_of_thread != nullptr && !clock_of_thread->at_work() ? clock_of_thread
                                                                       : nullptr) {
  if (clock_ == nullptr) return;
  clock_->since_ = now();
  own_progress.emplace();
}

SharedWork::~SharedWork() {
  if (clock_ == nullptr) return;
  own_progress.reset();
  const double spent = now() - clock_->since_;
  clock_->since_ = -1;
  clock_->spent_ = clock_->spent_ + spent;
}

}  // namespace daemark
