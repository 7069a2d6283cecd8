// The states a mechanism may have: Φ = 0 and Φ̇ = 0 (of rows of velocities the row alone) and their
// derivatives by (q, v), over balls.
#pragma once

#include <vector>

#include "analysis/enclosure/ball_function.hpp"
#include "base/graph/derivative.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

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

}  // namespace daemark
