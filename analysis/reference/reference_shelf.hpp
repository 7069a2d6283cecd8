// Reference states of one problem, shared by the cells of a run: each is computed once.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/reference/reference_store.hpp"
#include "base/numbers/expression.hpp"

namespace daemark {

using Times = std::map<rational, Expression>;

class ReferenceShelf {
 public:
  /// The state at a time with about so many digits; throws NoReference.
  using Compute = std::function<ReferenceState(const Expression& t, int digits)>;

  /// With what is stored of the problem (a canonical call).
  ReferenceShelf(const std::string& problem, Compute compute);

  /// The states at `wanted`, ascending, with `digits` or as many as can be had. No lock is held
  /// while a state is computed: a thread that asks for one in work waits for that one only.
  /// `recompute`: compute and compare with the store; `keep`: store what is computed. Throws
  /// NoReference, Contradiction.
  std::vector<ReferenceState> get(const Times& wanted, int digits, bool recompute, bool keep);

  /// Throws Contradiction where what is stored differs.
  void compare(const rational& t, const ReferenceState& state);

  /// Identifies the standard state at t; "" where none is known.
  std::string digest_of(const rational& t);
  void publish(const std::set<rational>& times);
  bool is_published(const rational& t);
  std::vector<ReferenceNote> take_notes();

 private:
  void work_on(const rational& key, const Expression& t, int digits, bool keep,
               std::unique_lock<std::mutex>& lock);

  Compute compute_;
  std::mutex mutex_;
  std::condition_variable changed_;
  ReferenceStore store_;
  std::set<rational> in_work_;
  std::vector<ReferenceNote> notes_;
  std::optional<std::pair<rational, std::string>> failure_;  ///< from which time on, and why
};

}  // namespace daemark
