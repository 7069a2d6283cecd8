// `converge --inside`: errors of the values inside steps, over step sizes.
#pragma once

#include <iosfwd>

#include "experiments/cli/common_options.hpp"

namespace daemark {

/// Prints the errors in the middle of the last step and slopes between neighbouring steps. Returns
/// the exit status; throws BadInput, also for methods without values there.
int inside_study(const IntegrationOptions& options, std::ostream& out, std::ostream& err);

}  // namespace daemark
