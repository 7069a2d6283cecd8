// The first motion of a mechanism, and what is seen along it: singular positions, conserved
// quantities.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"

namespace daemark {

/// Six coordinates of a body in space or three in the plane, from `first` on.
struct BodyPlace {
  std::string name;
  int first, width;
};
/// By the names of the coordinates; empty where these are others.
std::vector<BodyPlace> body_places(const MechanicalSystem<double>& mechanism);

struct FirstMotion {
  /// A minimum of the smallest singular value of Φ_q, its rows of length 1, as a share of its
  /// largest in the run: told below this.
  static constexpr double singular_below = 1e-2;
  struct Dip {
    double t, share;
  };
  std::optional<BoundRun> run;  ///< none: no method takes it, `why` says so
  std::string duration;         ///< how long, and why so long
  std::string status, why;      ///< as of RunResult
  double t = 0;                 ///< reached [s]
  History history;
  bool searched = false;  ///< for singular positions
  std::vector<Dip> dips;
  std::vector<std::string> conserved;  ///< "energy", "momentum along x", ...
};

/// Ten periods of this frequency [rad/s], at most 10 s; of 0 a second. `seconds`: of processor
/// time.
FirstMotion first_motion(const Problem& problem, double frequency, double seconds);

}  // namespace daemark
