// Reference states as balls that are proved to contain the exact solution (ENCLOSURES.md).
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

/// From the stated start to ascending times. The working precision covers the requested digits and
/// those lost on the way; if that fails, fewer digits are proved. A failure contains the last time
/// reached. Throws EnclosureFailure, with the reason, for a time before the start and for problems
/// without a proof.
ProvedMotion proved_motion(const Problem& problem, const std::vector<Expression>& times, int digits,
                           int most_steps = 200000);
/// The same at all times; throws on failure.
std::vector<ProvedState> proved_states(const Problem& problem, const std::vector<Expression>& times,
                                       int digits, int most_steps = 200000);

/// Whether each number, within its rounding to so many digits, meets its ball; λ if proved.
bool contains(const ProvedState& state, const std::vector<real50>& q, const std::vector<real50>& v,
              const std::vector<real50>& lambda, int digits);

/// The middle rounded to so many digits, and a radius that still encloses: "0.123", "4.5e-31".
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

  /// Whether one is stored; fills the members above.
  bool load();
  void restore(EnclosedMotion& motion) const { motion.restore(motion_); }
  void save(const EnclosedMotion& motion) const;
  void remove() const;

 private:
  std::filesystem::path file_;  ///< empty: of a problem that a file declares
  nlohmann::json call_, motion_;
};

}  // namespace daemark
