// Recorded functions over balls.
#pragma once

#include <vector>

#include "analysis/enclosure/enclosure.hpp"
#include "base/graph/code.hpp"

namespace daemark {

class BallFunction {
 public:
  BallFunction(const graph::Graph& graph, const std::vector<std::vector<Var>>& groups)
      : code_(graph::compile(graph, groups, false)), x_(code_.slots) {}

  RealBall& input(int i) { return x_[i]; }
  /// A branch is taken where its condition has one sign over the ball; else nothing is known.
  void evaluate();
  const RealBall& output(int group, int i) const { return x_[code_.outputs[group][i]]; }

 private:
  graph::Code code_;
  std::vector<RealBall> x_;
};

}  // namespace daemark
