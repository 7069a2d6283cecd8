// Progress of long work: whoever waits for it listens, long loops tell how far they are.
#pragma once

#include <functional>

namespace daemark {

/// While it lives, it hears what the loops of this thread tell; the one before it does not.
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

/// `part` of `what` is done, 0 to 1. Costs a load where nobody listens.
void tell_progress(const char* what, double part);

/// While it lives, what is told is the part from..to of the work outside.
class ProgressShare {
 public:
  ProgressShare(double from, double to);
  ~ProgressShare();
  ProgressShare(const ProgressShare&) = delete;
  ProgressShare& operator=(const ProgressShare&) = delete;

 private:
  double outer_from_, outer_to_;
};

}  // namespace daemark
