// Why a run ended before its time: what trials say. Each reruns the failed run with one thing
// changed: smaller steps, other formulations, other methods in the same formulation, the default
// Newton settings. The mechanism is searched for singular positions up to the end asked for.
#pragma once

#include <string>
#include <vector>

#include "experiments/explain/reruns.hpp"

namespace daemark {

struct FailureTrial {
  std::string what;      ///< what was changed, as typed: "--h 1/200"
  std::string status;    ///< of the rerun
  double t = 0;          ///< reached [s]
  bool smaller = false;  ///< the change is a smaller step or tolerance
};

struct FailureExplanation {
  /// "step" too large, "singular" position near, "formulation" that the method cannot integrate
  /// here, "settings" of Newton's iteration, "method", or "unknown".
  std::string cause;
  std::string sentence, setting;  ///< setting: that runs to the end; empty where none is known
  std::vector<FailureTrial> trials;
};

/// Of a run with another status than "ok".
FailureExplanation explain_failure(const BoundRun& run, const RunResult& failed, double seconds);

}  // namespace daemark
