// An enclosure of the motion of a mechanism: balls that are proved to contain the exact solution of
// the stated equations. ENCLOSURES.md has the theorem.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/enclosure/ball_function.hpp"
#include "analysis/enclosure/motion_disc.hpp"
#include "base/graph/derivative.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

// The constraints on states, Φ = 0 and Φ̇ = 0 (for velocity-level constraints Φ̇ = 0 alone), and
// their derivatives by (q, v), over balls.

class ConstraintSet {
 public:
  /// Of these rows.
  ConstraintSet(MechanicalSystem<real50>& system, const std::vector<int>& rows);

  int size() const { return size_; }
  /// `state`: q, then v.
  void evaluate(const RealBall& t, const std::vector<RealBall>& state);
  const RealBall& value(int row) const { return function_.output(0, row); }
  /// Row-major, size() × 2n.
  std::vector<RealBall> jacobian() const;

 private:
  struct Recorded {
    Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows);
    graph::Graph graph;
    std::vector<std::vector<Var>> groups;  ///< values, entries of the Jacobian matrix
    std::vector<std::pair<int, int>> places;
  };
  ConstraintSet(int coordinates, Recorded&& recorded);

  int n_, size_, time_;
  std::vector<std::pair<int, int>> places_;
  BallFunction function_;
};

struct EnclosedState {
  rational t;
  std::vector<RealBall> q, v, lambda;
};

class EnclosedMotion {
 public:
  /// From the stated start at t0; constraints must be independent; `digits`: of the local errors.
  /// Throws EnclosureFailure.
  EnclosedMotion(MechanicalSystem<real50>& system, const std::vector<int>& rows, const rational& t0,
                 const std::vector<wide>& q0, const std::vector<wide>& v0, int digits);

  /// One verified step, not beyond `end`. Throws EnclosureFailure; the motion cannot go on then.
  void step(const rational& end);
  const rational& time() const { return t_; }
  EnclosedState state();
  /// The largest radius relative to how far its component moves on the last disc of time.
  double width() const;

  /// The current state as JSON; a motion made from the same arguments can continue from it.
  nlohmann::json saved() const;
  void restore(const nlohmann::json& from);

  int steps() const { return steps_; }
  int order() const { return order_; }
  long bits() const { return bits_; }

 private:
  using Doubles = std::vector<double>;
  double likely_length() const;
  /// A proved step, and the columns of T after it, with U w as one more.
  rational proved_length(const rational& end, DiscMatrix& moved);
  bool is_narrow(const DiscMatrix& moved, const Doubles& unit) const;
  Doubles units() const;
  DiscMatrix columns() const;
  std::vector<RealBall> moved_centre(const rational& length);
  void choose_basis(const Eigen::MatrixXd& moved);
  void propagate(const DiscMatrix& moved, const Doubles& rest);
  Doubles error() const;
  std::vector<RealBall> box() const;
  void contract_normal(bool prove);

  int n_, multipliers_;
  int size_, rows_, free_;  ///< 2n components of a state, constraints on them, their difference
  int order_;
  long bits_;
  rational t_;
  int steps_ = 0;
  MotionSeries<RealBall> thin_;       ///< from the centre
  MotionSeries<ComplexDisc> starts_;  ///< from all states of the box
  MotionDisc disc_, starts_disc_;
  double share_;  ///< of the convergence radius, as it seems: what the last step took
  Doubles reach_, unit_;
  ConstraintSet constraints_;
  std::vector<RealBall> centre_;  ///< exact; the solution is centre + T z + U w
  Doubles tangent_, normal_;      ///< T, U: column-major, size_ entries each
  Doubles z_, w_;                 ///< bounds of |z|, |w|
};

}  // namespace daemark
