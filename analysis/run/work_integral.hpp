// ∫P dt, the work of drives and dampers, over the steps that an integrator makes.
//
// Positions and velocities inside a step are Hermite's quintic through q, v and the accelerations
// that belong to them at both ends; the power is that of the multipliers that belong to q and v
// (the index-1 solve). Lobatto's rule with four points on the step and on its halves, extrapolated.
// On charts, where two step ends have different origins and a solve may cost as much as a Newton
// iteration, the power at the last four step ends is integrated: fourth order.
#pragma once

#include <memory>
#include <vector>

#include "methods/core/stepper.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

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

}  // namespace daemark
