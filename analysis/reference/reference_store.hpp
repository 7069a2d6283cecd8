// Reference states on disk, and how far two motions agree.
#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/reference/reference_file.hpp"
#include "base/numbers/scalar.hpp"

namespace daemark {

/// In the coordinates results are compared in.
struct Motion {
  std::vector<real50> q, v, lambda;
};

/// Significant digits on which all components agree, at most `most`; 0 where a route failed. With
/// motions computed to `accuracy`, components below its fourth root of the largest of their kind
/// are measured against that, and below its square root (a coordinate that stays 0) against the
/// largest.
int agreement(const Motion& a, const Motion& b, double accuracy, int most);

// Reference states on disk: those of the experiments under results/references/ (committed), all
// others under results/.local/references/ (this machine's own).

/// Digits every state is computed for, so that one computation serves every request for fewer and
/// what is stored does not depend on which came first. A request for more digits gets another
/// state, which is not published.
inline constexpr int standard_digits = 45;

/// A state computed anew differs from the stored one: one of them is wrong.
class Contradiction : public std::runtime_error {
 public:
  explicit Contradiction(const std::string& message) : std::runtime_error(message) {}
};

class ReferenceStore {
 public:
  /// Reads both files. States of another version of the model and damaged ones count as missing;
  /// refused() names them. `problem`: canonical call.
  explicit ReferenceStore(const std::string& problem);

  /// The state computed for `digits`, or the standard one for up to standard_digits; committed
  /// states come before local ones. Null: not stored.
  const StoredState* find(const rational& t, int digits) const;

  /// Throws Contradiction, with the numbers, where a stored state of the same model and time
  /// differs in digits that both claim.
  void compare(const rational& t, const ReferenceState& state) const;
  /// Likewise.
  void add(const rational& t, const ReferenceState& state);

  /// Writes what was added to the local file and keeps what other processes wrote there meanwhile.
  /// Throws BadInput where it cannot be written.
  void save();
  /// Writes the known standard states at `times` to the committed file, in place of those of
  /// another model; states of this model that it holds are kept. Throws Contradiction, BadInput.
  void publish(const std::set<rational>& times);

  std::set<rational> published() const;        ///< times in the committed file, of any model
  bool is_published(const rational& t) const;  ///< of this model, in the file as it is
  const std::vector<std::string>& refused() const { return refused_; }

 private:
  void read();
  void require_same(const StoredState& a, const StoredState& b) const;

  std::string problem_, model_;
  StoredStates committed_, local_;  ///< of this model
  StoredStates old_;                ///< committed, of other models
  StoredStates added_;
  std::vector<std::string> refused_;
};

/// The problems of the files under results/references/, by file name; a file that does not say, or
/// is not named after what it says, is left out.
std::vector<std::string> published_problems();

}  // namespace daemark
