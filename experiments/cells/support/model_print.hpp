// Numbers that tell a model from another: sums over its forces, masses, constraints and outputs at
// a few points. A stored curve is valid for the model it was computed with, whichever way its
// source has been rewritten since; a digest of the source would call it stale at every edit.
#pragma once

#include <string>
#include <vector>

namespace daemark {

/// Of the problem's call, at times from its start to `t_end` [s].
std::vector<double> model_print(const std::string& problem, double t_end);

/// Whether two prints are of one model: equal to rounding.
bool same_model(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace daemark
