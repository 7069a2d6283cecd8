// What `run`, `score` and `reference` say of a motion itself: that a run goes beyond its horizon,
// and its sensitivities.
#pragma once

#include <string>
#include <vector>

#include "experiments/cli/report.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// A sentence where a double run of steps h (0: not known) of the problem's own start goes on after
/// its first digit is lost by round-off. Empty too where that would take more than a fraction of a
/// second to know: mechanisms of more than 30 coordinates, long motions of many steps.
std::string beyond_horizon(const Problem& problem, double t_end, double h);

/// Adds d(q, v, λ)/dp for each of the parameters, "m2,L1", at each time; least digits on which the
/// routes agree. Throws as sensitivities().
int add_sensitivities(const Problem& problem, const std::string& parameters,
                      const std::vector<Expression>& times, Report& report);

}  // namespace daemark
