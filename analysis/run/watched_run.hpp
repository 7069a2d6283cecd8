// A run that is watched instead of kept: for histories that would be long.
#pragma once

#include <functional>
#include <vector>

#include "analysis/run/run.hpp"

namespace daemark {

/// What is shown at the start and at every output point.
struct OutputSample {
  double t;
  const std::vector<double>& outputs;  ///< in the order of the problem's names
  double energy_error;                 ///< [J]
};
using StepObserver = std::function<void(const OutputSample&)>;

/// As run(), and `observer` sees every output point.
RunResult watched_run(const BoundRun& run, const StepObserver& observer);

}  // namespace daemark
