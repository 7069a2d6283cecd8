// The figures of `daemark compare`: one a problem, and the performance profiles.
#pragma once

#include <vector>

#include "analysis/report/figure.hpp"
#include "experiments/compare/compare_lines.hpp"

namespace daemark {

/// A panel a formulation: error over work, in what the first accuracy is asked of, of the new
/// methods and the six cheapest others. Without panels where no run ended.
FigureSpec compare_figure(const std::vector<const Compared*>& of_a_problem,
                          const Accuracy& accuracy);

/// A panel a formulation.
FigureSpec profile_figure(const std::vector<Profile>& profiles);

}  // namespace daemark
