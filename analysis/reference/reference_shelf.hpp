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

  /// The states at `wanted`, ascending, with `digits` or as many as there are to have. No lock is
  /// held while any is computed: who asks for one in work waits for that one only. `recompute`: not
  /// from the store, but compared with it; `keep`: what is computed is stored. Throws NoReference,
  /// Contradiction.
  std::vector<ReferenceState> get(const Times& wanted, int digits, bool recompute, bool keep);

  /// Of the standard state at t, "" where none is known.
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
