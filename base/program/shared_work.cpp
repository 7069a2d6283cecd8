#include "base/program/shared_work.hpp"

#include <chrono>

namespace daemark {
namespace {

thread_local SharedClock* clock_of_thread = nullptr;

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
  if (clock_ != nullptr) clock_->since_ = now();
}

SharedWork::~SharedWork() {
  if (clock_ == nullptr) return;
  const double spent = now() - clock_->since_;
  clock_->since_ = -1;
  clock_->spent_ = clock_->spent_ + spent;
}

}  // namespace daemark
