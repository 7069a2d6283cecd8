// What the free nodes of mssth minimise.
#pragma once

#include "analysis/certcheck/interval.hpp"
#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

struct NodeProblem {
  int n;
  bool published;
  Interval gamma, c3, c5;  ///< c_3 and c_5 for n = 5
};

/// The error has exactly one stationary point in the box of the free nodes, and it is a minimum.
bool holds_one_minimum(const NodeProblem& problem, const IntervalRow& box);

}  // namespace daemark::certcheck
