// The sweeps of a comparison or of the atlas: what stands on the shelf (shelf.hpp) or in the cache
// is read, the rest is integrated.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/compare/accuracy.hpp"
#include "experiments/compare/compare_field.hpp"
#include "experiments/compare/scored_run.hpp"
#include "experiments/compare/shelf.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {

/// Processor time of one sweep [s] unless more is asked for: a method of low order takes millions
/// of steps to a tolerance that the others reach in hundreds, which its row says as "timed_out".
inline constexpr double patience = 20;

struct CompareRequest {
  std::vector<std::string> methods;  ///< calls, the new ones; none: the catalogue alone
  /// Calls of the others; none: core_members() and what stands on the shelves.
  std::vector<std::string> catalogue;
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

struct CompareTools {
  Services services;
  std::filesystem::path results;
  std::atomic<bool>& stop;
  std::ostream& err;                   ///< notes
  std::filesystem::path shipped = {};  ///< results read where `results` has no sweeps; empty: none
};

class Sweeps {
 public:
  Sweeps(const CompareRequest& request, const CompareTools& tools);

  /// Fields of the problem with what is on its shelf; none where no method takes any. Where there
  /// is no shelf, over the motion chosen now, which may take a reference, or an assumed one. Throws
  /// NoReference.
  std::vector<CompareField> fields(const std::string& problem, bool assume = false) const;
  /// CellKind::cost where it is not known; 0 where the result is.
  double cost(const CompareEntry& entry) const;
  /// `limit`: processor time of one sweep [s], 0: that of its cost class. Returns false where it
  /// was interrupted.
  bool integrate(const std::vector<CompareEntry*>& entries, double limit,
                 KeptFailure& failure) const;

 private:
  std::string sources(const CompareEntry& entry) const;
  const CompareRequest& request_;
  const CompareTools& tools_;
  CellCache cache_;
};

}  // namespace daemark
