// Measures of a run, taken at output points: the one place that defines them.
//
//   energy_error_max            max |E − E0 − work − ∫P dt|, absolute [J]
//   position_violation_max      max ‖Φ‖
//   velocity_violation_max      max ‖G v + Φ_t‖
//   acceleration_violation_max  max ‖G v̇ + γ‖: largest entries, or Euclidean norms on request
//   energy_error_final, *_final the same at the end
//   work_doubt_max              of driven mechanisms, how far ∫P dt may be off [J]: smaller energy
//                               errors may be those of the quadrature (WorkIntegral::doubt())
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/run/run.hpp"
#include "analysis/run/watched_run.hpp"
#include "analysis/run/work_integral.hpp"
#include "methods/core/stepper.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {

template <class S>
class Measures {
 public:
  explicit Measures(MechanicalSystem<S>& mechanism, ViolationNorm norm = ViolationNorm::largest);
  /// Called with the initial state first, then every output point in order.
  void observe(const State<S>& state);
  /// Whether step() is of use; without it steps are taken to end at output points.
  bool needs_steps() const { return work_.has_value(); }
  /// The end of an accepted step, before the output points in it are observed.
  void step(const State<S>& end) { work_->step(end); }
  void append_to(History& history, const State<S>& state) const;  ///< of the last observed state
  /// Of the last observed state; valid until the next call.
  OutputSample sample(const State<S>& state);
  void write(std::map<std::string, double>& measures) const;

 private:
  MotionPoint<S> motion(const State<S>& state) const { return motion_point(n_, state.point()); }
  S energy(const State<S>& state) const;

  MechanicalSystem<S>& mechanism_;
  ViolationNorm norm_;
  int n_, m_;
  S initial_energy_{};
  bool first_ = true;
  std::optional<WorkIntegral<S>> work_;  ///< of drives and dampers, where there are some
  std::vector<S> levels_[3], outputs_;
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
