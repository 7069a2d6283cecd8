// A motion at one time, and how far two of them agree.
#pragma once

#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// In the coordinates results are compared in.
struct Motion {
  std::vector<real50> q, v, lambda;
};

/// Significant digits on which all components agree, at most `most`; 0 where a route failed. With
/// motions computed to `accuracy`, components below its fourth root of the largest of their kind
/// are measured against that, and below its square root (a coordinate that stays 0) against the
/// largest.
int agreement(const Motion& a, const Motion& b, double accuracy, int most);

}  // namespace daemark
