// `run --explain`: what the error of the run is made of, or why it failed.
#pragma once

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/report.hpp"

namespace daemark {

/// Adds "explanation" to the report, by reruns that take about so many seconds at most.
void add_explanation(const BoundRun& run, const RunResult& result, double seconds, Report& report);

}  // namespace daemark
