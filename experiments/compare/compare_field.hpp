// What is compared on a problem: its formulations, in each the methods that take it, and of each
// method a sweep over step sizes, and one over tolerances where its steps follow one. A sweep is a
// cell of kind "work_precision".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"
#include "experiments/compare/motion.hpp"

namespace daemark {

/// What methods that choose their steps are given instead of h, with output at the end alone.
inline const std::vector<std::string> compare_tolerances = {"1e-3", "1e-4", "1e-5", "1e-6", "1e-8"};
/// A method that needs more to a tolerance is not held to tighter ones: minutes, to say that its
/// order is too low for them.
inline constexpr int most_evaluations = 40000;

/// A method in a field.
struct CompareEntry {
  std::string
      method;  ///< for readers: canonical, without the tolerance that is swept; "… with control"
  bool is_new = false, controlled = false;
  FixedCell cell;
  std::optional<CellResult> result;  ///< once it is known
  bool earlier = false;              ///< of earlier sources than those at hand
};

/// One problem in one formulation.
struct CompareField {
  CompareMotion motion;
  std::string formulation;  ///< a call
  std::vector<CompareEntry> entries;
};

/// The catalogue as calls to compare with, canonical: methods that need no arguments, and of
/// families with one integer parameter the members with two and three stages.
const std::vector<std::string>& core_members();

/// The formulations to compare in: `asked`, or where that is empty all that need no arguments.
/// Where some of `methods` takes one (without `methods`: always), it is a field with these and with
/// those of `others` (canonical calls) that take it.
std::vector<CompareField> fields_of(const CompareMotion& motion,
                                    const std::vector<std::string>& methods,
                                    const std::vector<std::string>& asked,
                                    const std::vector<std::string>& others = core_members());

/// Whether any of them would be a field of the problem, whatever its motion.
bool any_takes(const std::string& problem, const std::vector<std::string>& methods,
               const std::vector<std::string>& asked);

/// Problems to compare on where none is named, the small ones first: not those that exist in double
/// only, of more than 22 coordinates, or without a series, whose references take minutes.
std::vector<std::string> small_problems();

}  // namespace daemark
