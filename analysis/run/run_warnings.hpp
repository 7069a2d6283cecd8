// Warnings of a run besides its status: constraints that are not satisfied, energy
// that drifts, singular positions. Taken at output points, in double.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "methods/core/stepper.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S>
class RunWarnings {
 public:
  /// A row may have this share of Σ_j |G_ij| s_j; s_j: the largest coordinate of the same unit
  /// so far, of angles 1 rad: joints that gape by a hundredth of the mechanism's size.
  static constexpr double most_violation = 1e-2;
  /// E − E0 without drives and dampers may have this share of the largest kinetic energy plus the
  /// range of the potential energy.
  static constexpr double most_drift = 5e-2;
  /// The smallest singular value of G, its rows of length 1, in relation to the largest it has in
  /// the run: a minimum below this share that the output points do not resolve.
  static constexpr double least_rank_margin = 5e-2;
  /// Mechanisms with more entries of G than this are not searched for singular positions.
  static constexpr int most_entries = 2500;

  explicit RunWarnings(MechanicalSystem<S>& mechanism);
  /// The initial state first, then every output point in order.
  void observe(const State<S>& state);
  /// One sentence each, with the threshold.
  std::vector<std::string> texts() const;

 private:
  struct Worst {
    double t = 0, share = 0;
  };
  void observe_energy(const MotionPoint<S>& point);
  void observe_violation(double t);
  void observe_rank(double t);

  MechanicalSystem<S>& mechanism_;
  std::map<std::string, double> size_of_;  ///< by unit
  std::vector<double> sizes_;              ///< s_j
  std::vector<S> gradient_, violation_;
  std::vector<double> of_gradient_;
  bool first_ = true;
  double initial_ = 0, drift_ = 0, kinetic_ = 0, lowest_ = 0, highest_ = 0;  ///< [J]
  Worst violated_;
  double times_[2] = {0, 0}, margins_[2] = {0, 0}, largest_ = 0;  ///< of the last two points
  int points_ = 0;
  std::vector<Worst> singular_;  ///< minima; their shares are values until texts()
};

}  // namespace daemark
