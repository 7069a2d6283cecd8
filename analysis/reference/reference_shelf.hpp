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

/// Digits computed at least, so that one computation serves all who ask.
inline constexpr int ask_at_least = 40;

using Times = std::map<rational, Expression>;

class ReferenceShelf {
 public:
  /// States at these times with about so many digits; throws NoReference.
  using Compute = std::function<std::map<rational, ReferenceState>(const Times&, int digits)>;

  /// With what is stored of the problem (a canonical call).
  ReferenceShelf(std::string problem, Compute compute);

  /// Only what is stored is known again.
  void forget();

  /// The states at `wanted`, ascending, with `digits` or as many as there are to have. No lock is
  /// held while any is computed: who asks for one in work waits for that one only. `recompute`: not
  /// from the store; `keep`: what is computed is stored. Throws NoReference.
  std::vector<ReferenceState> get(const Times& wanted, int digits, bool recompute, bool keep);

 private:
  bool is_here(const rational& key, int digits, bool recompute) const;
  void work_on(const Times& missing, int digits, bool keep, std::unique_lock<std::mutex>& lock);

  std::string problem_;
  Compute compute_;
  std::mutex mutex_;
  std::condition_variable changed_;
  ReferenceStore store_;
  std::set<rational> in_work_;
  std::map<rational, int> asked_;  ///< digits asked for where computed in this run
  std::optional<std::pair<rational, std::string>> failure_;  ///< from which time on, and why
};

}  // namespace daemark
