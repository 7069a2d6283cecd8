// A comparison problem by problem, the small ones first: what stands on the shelf (shelf.hpp) or in
// the cache is read, the rest is integrated as far as the time allows.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/scored_run.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {

struct CompareRequest {
  std::vector<std::string> methods;       ///< calls, the new ones; none: the catalogue alone
  std::vector<std::string> problems;      ///< calls; empty: all small ones
  std::vector<std::string> formulations;  ///< calls; empty: those that need no arguments
  std::vector<std::string> h;             ///< coarse to fine; empty: chosen for each problem
  std::string t_end;                      ///< empty: chosen for each problem
  std::vector<Accuracy> accuracies;
  std::vector<ScoredRun> scored;  ///< rows beside the others
  bool all = false;               ///< also what takes longer than a minute
  bool fresh = false;             ///< nothing is read
  unsigned jobs = 0;
};

struct Comparison {
  std::vector<Compared> compared;             ///< one a problem and formulation
  std::vector<std::string> left_out;          ///< what was not integrated, and why
  int integrated = 0, read = 0, earlier = 0;  ///< sweeps
  bool interrupted = false;
  KeptFailure cache_failure;
};

struct CompareTools {
  Services services;
  std::filesystem::path results;
  std::atomic<bool>& stop;
  std::ostream& err;  ///< notes
};

/// Calls `show` after each problem with what there is by then. Throws BadInput for unknown methods,
/// problems and formulations, for a method that takes none of them, for steps that do not divide
/// the time of a problem that is named.
Comparison compare(const CompareRequest& request, const CompareTools& tools,
                   const std::function<void(const Comparison&)>& show);

/// Integrates what the shelves lack or have of earlier sources, and writes them and the references
/// they rest on. Tells on `out` what each problem took. Returns whether nothing interrupted it.
bool refresh_shelves(const CompareRequest& request, const CompareTools& tools, std::ostream& out);

}  // namespace daemark
