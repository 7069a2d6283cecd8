// Reference states between runs: those of the experiments under results/references/ (committed),
// whatever else was asked for under results/.local/references/ (of one machine).
#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/reference/reference_file.hpp"

namespace daemark {

/// Digits every state is computed for, a property of the store: one computation serves all who ask
/// for fewer, and what is stored does not depend on who asked first. Who asks for more gets a state
/// of its own beside it, which is not published.
inline constexpr int standard_digits = 45;

/// A state computed anew is not the one that is stored: one of them is wrong.
class Contradiction : public std::runtime_error {
 public:
  explicit Contradiction(const std::string& message) : std::runtime_error(message) {}
};

class ReferenceStore {
 public:
  /// Reads both files. States of another version of the model, and what is damaged, count as
  /// missing: refused() names them. `problem`: canonical call.
  explicit ReferenceStore(const std::string& problem);

  /// The one computed for as many digits, up to standard_digits the standard one; committed before
  /// local. Null: not stored.
  const StoredState* find(const rational& t, int digits) const;

  /// Throws Contradiction, with the numbers, where a state of the same model and time that is
  /// stored differs in digits both claim.
  void add(const rational& t, const ReferenceState& state);

  /// What was added, to the local file, beside what others put there in between. Throws BadInput
  /// where it cannot be written.
  void save();
  /// The standard states at `times`, as far as known, to the committed file, in place of those of
  /// another model; states of this model that stand there stay. Throws Contradiction, BadInput.
  void publish(const std::set<rational>& times);

  std::set<rational> published() const;        ///< times in the committed file, of any model
  bool is_published(const rational& t) const;  ///< as it stands, of this model
  const std::vector<std::string>& refused() const { return refused_; }

 private:
  void read();
  void require_same(const StoredState& a, const StoredState& b) const;

  std::string problem_, model_;
  StoredStates committed_, local_;  ///< of this model
  StoredStates old_;                ///< committed, of others
  StoredStates added_;
  std::vector<std::string> refused_;
};

/// The problems of the files under results/references/, by file name; a file that does not say, or
/// is not named after what it says, is left out.
std::vector<std::string> published_problems();

}  // namespace daemark
