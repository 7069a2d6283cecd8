// Warnings of a run in addition to its status: violated constraints, energy drift, singular
// positions. Checked at output points, in double.
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
  /// Largest violation of row i relative to Σ_j |G_ij| s_j, with s_j the largest coordinate of the
  /// same unit so far, 1 rad for angles: a gap of a hundredth of the mechanism's size.
  static constexpr double most_violation = 1e-2;
  /// Largest |E − E0|, without drives and dampers, relative to the largest kinetic energy plus the
  /// range of the potential energy.
  static constexpr double most_drift = 5e-2;
  /// A warning is given if the smallest singular value of G (rows of length 1) has a minimum below
  /// this part of its maximum in the run, and output points do not resolve that minimum.
  static constexpr double least_rank_margin = 5e-2;
  /// Mechanisms with more entries of G are not searched for singular positions.
  static constexpr int most_entries = 2500;

  explicit RunWarnings(MechanicalSystem<S>& mechanism);
  /// The initial state first, then every output point in order.
  void observe(const State<S>& state);
  /// The warnings, one sentence each, with the threshold.
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
