// A comparison problem by problem, the small ones first: what stands on the shelf (shelf.hpp) or in
// the cache is read, the rest is integrated as far as the time allows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/sweeps.hpp"

namespace daemark {

struct Comparison {
  std::vector<Compared> compared;             ///< one a problem and formulation
  std::vector<std::string> left_out;          ///< what was not integrated, and why
  int integrated = 0, read = 0, earlier = 0;  ///< sweeps
  bool interrupted = false;
  KeptFailure cache_failure;
};

/// Calls `show` after each problem with what there is by then. Throws BadInput for unknown methods,
/// problems and formulations, for a method that takes none of them, for steps that do not divide
/// the time of a problem that is named.
Comparison compare(const CompareRequest& request, const CompareTools& tools,
                   const std::function<void(const Comparison&)>& show);

}  // namespace daemark
