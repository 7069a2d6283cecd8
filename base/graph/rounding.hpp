// What the arithmetic of double can lose in a code at one point: a running error analysis.
#pragma once

#include <vector>

#include "base/graph/code.hpp"

namespace daemark::graph {

/// A value in 130 digits, and by how much that of double differs from it at most.
struct Rounded {
  wide value;
  double error = 0;
};

/// The outputs of all groups in one list, at inputs that are doubles. Each operation adds the
/// rounding of its result to what its arguments' errors make of it; elementary functions may be off
/// by 4 units in the last place. The code has a slot for each node (compile() without reuse).
/// Errors are infinite or NaN where they reach the edge of a function's domain.
std::vector<Rounded> rounded_values(const Code& code, const std::vector<double>& inputs);

}  // namespace daemark::graph
