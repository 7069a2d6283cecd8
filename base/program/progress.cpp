#include "base/program/progress.hpp"

#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

namespace daemark {
namespace {

thread_local const ProgressScope* listener = nullptr;
thread_local double share_from = 0, share_to = 1;

}  // namespace

ProgressScope::ProgressScope(Hear hear) : hear_(std::move(hear)), outer_(listener) {
  listener = this;
}
ProgressScope::~ProgressScope() { listener = outer_; }

void tell_progress(const char* what, double part) {
  if (listener == nullptr) return;
  listener->hear_(what, part < 0 ? part : share_from + (share_to - share_from) * part);
}

double progress_begun() { return share_from; }

ProgressShare::ProgressShare(double from, double to)
    : outer_from_(share_from), outer_to_(share_to) {
  const double width = outer_to_ - outer_from_;
  share_from = outer_from_ + width * from;
  share_to = outer_from_ + width * to;
}
ProgressShare::~ProgressShare() {
  share_from = outer_from_;
  share_to = outer_to_;
}

ProgressWhole::ProgressWhole() : outer_from_(share_from), outer_to_(share_to) {
  share_from = 0, share_to = 1;
}
ProgressWhole::~ProgressWhole() { share_from = outer_from_, share_to = outer_to_; }

ProgressParts::ProgressParts(std::vector<double> sizes) : sizes_(std::move(sizes)) {
  all_ = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
}

ProgressShare ProgressParts::next() {
  const double from = all_ > 0 ? done_ / all_ : 0;
  if (at_ < sizes_.size()) done_ += sizes_[at_++];
  return {from, all_ > 0 ? done_ / all_ : 1};
}

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
