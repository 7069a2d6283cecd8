// The boundary of a stability region as polylines.
#pragma once

#include <vector>

#include "analysis/linear/analyse.hpp"

namespace daemark {

/// A polyline, its pieces apart by NaN.
struct Boundary {
  std::vector<double> x, y;
};

/// Where the modulus on the region's grid is 1: marching squares, linear between grid points.
Boundary level_line(const StabilityRegion& region);

}  // namespace daemark
