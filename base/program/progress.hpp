// Progress of long work: long loops report how far they are to a listener of their thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace daemark {

/// During its lifetime it receives the reports of the loops of this thread, in place of the
/// listener before it.
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

/// During its lifetime reports are taken as those of a whole, whatever part of a work outside it
/// is.
class ProgressWhole {
 public:
  ProgressWhole();
  ~ProgressWhole();
  ProgressWhole(const ProgressWhole&) = delete;
  ProgressWhole& operator=(const ProgressWhole&) = delete;

 private:
  double outer_from_, outer_to_;
};

/// Of works one after the other, of these sizes.
class ProgressParts {
 public:
  explicit ProgressParts(std::vector<double> sizes);
  /// That of the next one, while it lives.
  ProgressShare next();

 private:
  std::vector<double> sizes_;
  double all_ = 0, done_ = 0;
  std::size_t at_ = 0;
};

}  // namespace daemark
