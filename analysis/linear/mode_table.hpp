// The modes of a mechanism linearised about a point of its motion, and how methods treat each of
// them at a step h: decay and elongation of an undamped oscillator with the mode's frequency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/linear/analyse.hpp"
#include "analysis/linear/natural_frequencies.hpp"

namespace daemark {

struct ModeRequest {
  std::string problem;
  bool minimal = false;         ///< the mechanism in independent coordinates
  std::optional<Expression> t;  ///< of the reference motion; absent: where the motion begins
  int count = 0;                ///< modes of lowest frequency; 0: all
  std::vector<std::string> methods;
  std::optional<Expression> h;  ///< given with methods
};

struct ModeTable {
  std::string problem;  ///< canonical
  std::string t;
  std::vector<Mode> modes;  ///< ascending frequency
  double highest = 0;       ///< of all modes [rad/s]
  /// Largest velocity and acceleration at the point. Both are zero at an equilibrium; where they
  /// are not, the modes depend on the choice of coordinates.
  double speed = 0, acceleration = 0;
  std::vector<OscillatorSteps> methods;  ///< one entry per mode each
};

/// Throws BadInput, NoReference, NumericalFailure.
ModeTable mode_table(const ModeRequest& request);

}  // namespace daemark
