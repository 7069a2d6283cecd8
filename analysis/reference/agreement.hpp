// A motion at one time, and how far two of them agree.
#pragma once

#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// In the coordinates results are compared in.
struct Motion {
  std::vector<real50> q, v, lambda;
};

/// Significant digits on which all components agree, at most `most`; 0 where a route failed.
/// Components below the fourth root of the round-off of the largest of their kind (a coordinate
/// that stays 0) are measured against that.
int agreement(const Motion& a, const Motion& b, double roundoff, int most);

}  // namespace daemark
