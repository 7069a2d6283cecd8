// Counts the work of the sparse factorisations of one thread during the lifetime of a tally: the
// same on every machine, for comparisons of cost without a clock.
#pragma once

#include <cstdint>

namespace daemark {

class LuTally {
 public:
  LuTally() : outer_(current()) { current() = this; }
  ~LuTally() { current() = outer_; }
  LuTally(const LuTally&) = delete;
  LuTally& operator=(const LuTally&) = delete;

  std::int64_t factorizations = 0, solves = 0;
  std::int64_t pairs = 0;  ///< multiply-subtract pairs of both

  /// The innermost tally of this thread, or null.
  static LuTally*& current() {
    thread_local LuTally* tally = nullptr;
    return tally;
  }

 private:
  LuTally* outer_;
};

}  // namespace daemark
