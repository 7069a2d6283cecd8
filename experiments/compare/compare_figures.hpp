// The figures of `daemark compare`: one a field, and the performance profiles.
#pragma once

#include <vector>

#include "analysis/report/figure.hpp"
#include "experiments/compare/compare_lines.hpp"

namespace daemark {

/// Accuracy, energy error and violations over work, and the orders between neighbouring steps, of
/// the new methods and the six best others. Without panels where no run ended.
FigureSpec compare_figure(const CompareField& field, const std::vector<CompareLine>& lines);

/// A panel a formulation.
FigureSpec profile_figure(const std::vector<Profile>& profiles);

}  // namespace daemark
