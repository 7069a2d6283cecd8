// Measures of a run, taken at step ends: the one place that defines them.
//
//   energy_error_max            max |E − E0 − work − ∫P dt|, absolute [J]
//   position_violation_max      max ‖Φ‖
//   velocity_violation_max      max ‖G v + Φ_t‖
//   acceleration_violation_max  max ‖G v̇ + γ‖: largest entries, or Euclidean norms on request
//   energy_error_final, *_final the same at the end
//   work_doubt_max              of driven mechanisms, how far ∫P dt may be off [J]: smaller energy
//                               errors may be those of the quadrature. A fifteenth of the
//                               difference of Simpson's rule on each step and on pairs of steps; on
//                               charts the difference of the cubic through the last four step ends
//                               and the parabola through three
#pragma once

#include <map>
#include <memory>
#include <string>

#include "analysis/run/run.hpp"
#include "analysis/run/watched_run.hpp"
#include "methods/core/stepper.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

template <class S>
class Measures {
 public:
  explicit Measures(MechanicalSystem<S>& mechanism, ViolationNorm norm = ViolationNorm::largest);
  /// Called with the initial state first, then every step end in order.
  void observe(const State<S>& state);
  void append_to(History& history, const State<S>& state) const;  ///< of the last observed state
  /// Of the last observed state; valid until the next call.
  OutputSample sample(const State<S>& state);
  void write(std::map<std::string, double>& measures) const;

 private:
  MotionPoint<S> motion(const State<S>& state) const { return motion_point(n_, state.point()); }
  S energy(const State<S>& state) const;
  void add_power(const State<S>& state);
  void add_power_with_middle(const State<S>& state);
  void add_power_of_step_ends();
  void compare_with_pairs();

  MechanicalSystem<S>& mechanism_;
  ViolationNorm norm_;
  int n_, m_;
  S initial_energy_{}, power_integral_{};
  bool first_ = true;
  State<S> previous_;                            ///< kept where power is integrated within steps
  std::unique_ptr<IndexOneSolve<S>> index_one_;  ///< likewise; multipliers within a step
  std::vector<S> power_t_, power_;               ///< at the last step ends, at most four
  S coarser_integral_{};                         ///< of the coarser rule
  long steps_ = 0;                               ///< whose power was integrated
  double work_doubt_ = 0;
  std::vector<S> levels_[3], middle_q_, middle_v_, outputs_;
  std::vector<double> shown_outputs_;
  double kinetic_ = 0, potential_ = 0;
  double last_[4] = {0, 0, 0, 0}, max_[4] = {0, 0, 0, 0};
};

/// Positions and velocities as results show them: n entries each, n_ref on charts.
template <class S>
std::pair<std::vector<S>, std::vector<S>> shown_motion(const MechanicalSystem<S>& mechanism,
                                                       const MotionPoint<S>& point);

/// The quantities the problem names, by id.
template <class S>
std::map<std::string, double> output_values(MechanicalSystem<S>& mechanism,
                                            const MotionPoint<S>& point);

}  // namespace daemark
