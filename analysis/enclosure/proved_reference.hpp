// Reference states of which it is proved that they contain the exact solution (ENCLOSURES.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/enclosure/enclosed_motion.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// Balls in the coordinates results are compared in; no multipliers where they are not unique.
struct ProvedState {
  std::string t;
  std::vector<RealBall> q, v, lambda;
  int digits = 0;  ///< significant digits of every component, counted as in agreement.hpp
  int steps = 0, order = 0, digits_lost = 0;
  long bits = 0;
};

/// From the stated start to ascending times, with working digits as many as the digits asked for
/// and those that are lost on the way take. Throws EnclosureFailure with the last time reached, and
/// where the problem has no proof: on charts, laws with branches, forces that depend on
/// multipliers.
std::vector<ProvedState> proved_states(const Problem& problem, const std::vector<Expression>& times,
                                       int digits, int most_steps = 200000);

/// Whether each number lies in its ball, both with the rounding of numbers of so many digits.
bool contains(const ProvedState& state, const std::vector<real50>& q, const std::vector<real50>& v,
              const std::vector<real50>& lambda, int digits);

/// Middle to so many digits, and the radius that still encloses: "0.123", "4.5e-31".
std::pair<std::string, std::string> ball_texts(const RealBall& x, int digits);

}  // namespace daemark
