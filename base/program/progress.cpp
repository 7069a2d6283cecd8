#include "base/program/progress.hpp"

#include <numeric>
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

}  // namespace daemark
