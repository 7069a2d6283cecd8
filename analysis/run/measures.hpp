// Measures of a run: energy, violations of the constraints, errors against a reference.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/core/stepper.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

// ∫P dt, the work of drives and dampers, over the steps that an integrator makes.
//
// Positions and velocities inside a step are Hermite's quintic through q, v and the accelerations
// that belong to them at both ends; the power is that of the multipliers that belong to q and v
// (the index-1 solve). Lobatto's rule with four points on the step and on its halves, extrapolated.
// On charts, where two step ends have different origins and a solve may cost as much as a Newton
// iteration, the power at the last four step ends is integrated: fourth order.
template <class S>
class WorkIntegral {
 public:
  explicit WorkIntegral(MechanicalSystem<S>& mechanism);
  void start(const State<S>& initial);
  /// The end of an accepted step that begins where the last one ended.
  void step(const State<S>& end);
  /// ∫P dt up to a state in the last step, at or after the last one asked for; any other state
  /// counts as the end of a step.
  const S& up_to(const State<S>& at);
  /// How far it may have been off so far [J]: the error of the halves, as their difference from the
  /// whole steps tells it; on charts the difference from the parabola through three step ends.
  double doubt() const { return doubt_; }

 private:
  /// q, v and what belongs to them.
  struct Node {
    S t{}, power{};
    std::vector<S> q, v, a, lambda;
  };
  MotionPoint<S> point(const Node& node) const {
    return {node.t, node.q.data(), node.v.data(), node.a.data(), node.lambda.data(), nullptr};
  }
  Node end_of(const State<S>& state);
  /// On the quintic; the power is not its own yet.
  Node between(const Node& from, const Node& to, const S& t) const;
  Node middle_of(const Node& from, const Node& to);
  /// `a`, `lambda` and `power`; keeps the given ones where the matrix is singular.
  void complete(Node& node);
  S lobatto(const Node& from, const Node& to, const S& a, const S& b);
  void add_step(const S& a, const S& b);
  void add_ends(const S& a, const S& b);
  void advance(const S& t);

  MechanicalSystem<S>& mechanism_;
  bool on_chart_;
  std::unique_ptr<IndexOneSolve<S>> index_one_;
  Node from_, middle_, to_;       ///< of the last step
  std::vector<S> ends_, powers_;  ///< of the last step ends, at most four
  S done_{}, integral_{};         ///< up to the time done_
  S coarser_{}, off_{};
  double doubt_ = 0;
};

// Measures of a run, taken at output points: the one place that defines them.
//
//   energy_error_max            max |E − E0 − work − ∫P dt|, absolute [J]
//   position_violation_max      max ‖Φ‖
//   velocity_violation_max      max ‖G v + Φ_t‖
//   acceleration_violation_max  max ‖G v̇ + γ‖: largest entries, or Euclidean norms on request
//   energy_error_final, *_final the same at the end
//   work_doubt_max              of driven mechanisms, how far ∫P dt may be off [J]: smaller energy
//                               errors may be those of the quadrature (WorkIntegral::doubt())

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

// Errors of a state against the reference at its time.

/// 2-norms "error_q", "error_v" in the reference's coordinates, "error_lambda" where both have the
/// same multipliers, and the distance in each coordinate, "error_q_0", …
template <class S>
std::map<std::string, double> errors_against(const ReferenceState& reference,
                                             const BoundSystem<S>& model, const State<S>& state);

}  // namespace daemark
