// Counts the work of the factorisations and solves of one thread during the lifetime of a tally:
// the same on every machine, for comparisons of cost without a clock.
#pragma once

#include <cstdint>

namespace daemark {

class LuTally {
 public:
  LuTally() : outer_(current()) { current() = this; }
  ~LuTally() { current() = outer_; }
  LuTally(const LuTally&) = delete;
  LuTally& operator=(const LuTally&) = delete;

  std::int64_t factorizations = 0, solves = 0;  ///< of SparseLu
  /// Multiply-subtract pairs of both, of dense elimination (solve_dense) and of the linear solvers
  /// of other libraries.
  std::int64_t pairs = 0;

  /// The innermost tally of this thread, or null.
  static LuTally*& current() {
    thread_local LuTally* tally = nullptr;
    return tally;
  }
  /// Adds to that one.
  static void add_pairs(std::int64_t pairs) {
    if (LuTally* const tally = current()) tally->pairs += pairs;
  }

 private:
  LuTally* outer_;
};

}  // namespace daemark
