// daemark analyse --problem: the modes of a mechanism and what methods do to each.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/cli/options.hpp"

namespace daemark {

inline constexpr const char* decay_meaning =
    "decay (AD) 100 a/W and elongation (PE) 100 (w dt/W - 1), z the principal root, a = -ln|z|, "
    "W = sqrt(a^2 + (arg z)^2): a/W is the damping ratio a step adds\n";

struct ModeOptions {
  std::string problem, t, h, figure;
  int count = 0;  ///< 0: all

  /// Throws BadInput where an option was given that only makes sense with a problem.
  void refuse_without_problem() const;
};
void add_mode_options(OptionSet& app, ModeOptions& options);

/// Table or JSON on `out`, the figure into its file; the exit status. Throws BadInput,
/// NumericalFailure.
int print_modes(const ModeOptions& options, const std::string& formulation,
                const std::vector<std::string>& methods, bool json, std::ostream& out,
                std::ostream& err);

}  // namespace daemark
