// `converge --tol`: errors against the reference for a list of tolerances, for methods that choose
// their steps.
#pragma once

#include <iosfwd>
#include <string>

#include "experiments/cli/common_options.hpp"

namespace daemark {

/// Runs the method at each of `tols` (two or more, separated by commas) and prints errors, steps
/// and the slopes of log error over log tolerance: 1 where the error follows the tolerance. Returns
/// the exit status; throws BadInput, also for a method whose steps follow no tolerance.
int tolerance_study(const IntegrationOptions& options, const std::string& tols, unsigned jobs,
                    std::ostream& out, std::ostream& err);

}  // namespace daemark
