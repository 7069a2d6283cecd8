// Reference states of which it is proved that they contain the exact solution (ENCLOSURES.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/enclosure/enclosed_model.hpp"

namespace daemark {

struct ProvedState : ShownState {
  std::string t;
  int digits = 0;  ///< significant digits of every component, counted as by agreement()
  int steps = 0, order = 0, digits_lost = 0;
  long bits = 0;
};

struct ProvedMotion {
  std::vector<ProvedState> states;  ///< at as many of the times as can be reached and shown
  std::vector<rational> steps;      ///< lengths of those that lead to the last state
  std::string failure;              ///< why there are no more states; empty: they are all
  bool too_wide = false;            ///< more working digits would reach further
};

/// From the stated start to ascending times, with working digits as many as the digits asked for
/// and those that are lost on the way take; fewer digits are proved where that fails. A failure has
/// the last time reached. Throws EnclosureFailure for a time before the start, and where the
/// problem has no proof, for the reason.
ProvedMotion proved_motion(const Problem& problem, const std::vector<Expression>& times, int digits,
                           int most_steps = 200000);
/// At all these times; a failure is thrown.
std::vector<ProvedState> proved_states(const Problem& problem, const std::vector<Expression>& times,
                                       int digits, int most_steps = 200000);

/// Whether each number of so many digits, with its rounding, meets its ball; λ where it is proved.
bool contains(const ProvedState& state, const std::vector<real50>& q, const std::vector<real50>& v,
              const std::vector<real50>& lambda, int digits);

/// Middle to so many digits, and the radius that still encloses: "0.123", "4.5e-31".
std::pair<std::string, std::string> ball_texts(const RealBall& x, int digits);

// A proof that was interrupted, kept under results/.local/proofs: the next call for the same times
// and digits goes on from its last step.

class UnfinishedProof {
 public:
  /// `call`: what is proved, with times and digits.
  UnfinishedProof(const Problem& problem, nlohmann::json call);

  int attempt = 1, working_digits = 0;
  ProvedMotion found;
  std::vector<rational> steps;

  /// Whether one is kept, which fills the members above.
  bool load();
  void restore(EnclosedMotion& motion) const { motion.restore(motion_); }
  void save(const EnclosedMotion& motion) const;
  void remove() const;

 private:
  std::filesystem::path file_;  ///< empty: of a problem that a file declares
  nlohmann::json call_, motion_;
};

}  // namespace daemark
