#include "base/program/progress.hpp"

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
  if (listener != nullptr) listener->hear_(what, share_from + (share_to - share_from) * part);
}

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

}  // namespace daemark
