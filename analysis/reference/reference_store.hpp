// Reference states between runs: those of the experiments under results/references/ (committed),
// whatever else was asked for under results/.local/references/ (of one machine).
#pragma once

#include <map>
#include <set>
#include <string>

#include "analysis/reference/reference.hpp"

namespace daemark {

class ReferenceStore {
 public:
  /// Reads both files; damaged ones, and states of another version of the problem's source, count
  /// as missing. `problem`: canonical call.
  explicit ReferenceStore(const std::string& problem);

  const ReferenceState* find(const rational& t) const;  ///< null: not stored
  void add(const rational& t, const ReferenceState& state) { states_[t] = state; }

  /// Everything known, to the local file. Throws BadInput where it cannot be written.
  void save() const;
  /// The states at `times`, as far as known, to the committed file, beside those already there.
  void publish(const std::set<rational>& times) const;

 private:
  std::string problem_, model_;
  std::map<rational, ReferenceState> states_;
};

}  // namespace daemark
