// What is compared on a problem: its formulations, in each the methods that take it, and of each
// method a sweep over step sizes, and one over tolerances where its steps follow one. A sweep is a
// cell of kind "work_precision".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

struct Problem;

struct CompareMotion {
  std::string problem;         ///< canonical call
  std::string t_end;           ///< exact [s]
  std::vector<std::string> h;  ///< exact [s], coarse to fine
  double span = 0;             ///< from the start to t_end [s]
  /// Scale of the motion, not its path length: the largest of ‖q(T) − q(0)‖, T ‖v(0)‖ and T ‖v(T)‖,
  /// in the units of q.
  double way = 0;
  double multipliers = 0;     ///< the larger of ‖λ(0)‖ and ‖λ(T)‖; 0: there are none
  int reference_digits = 50;  ///< on which the routes of the reference agree

  /// What errors of q, v, λ are relative to: the scale, the scale per time, the multipliers.
  std::array<double, 3> scale() const { return {way, way / span, multipliers}; }
};

/// `h` and `t_end` as asked for, or where they are empty: five steps, each half of the one before,
/// the first so that the trapezoidal rule has an error of at most 1/20 of the scale; a time in
/// which much happens. Throws NoReference where there is none, or where nothing moves.
CompareMotion motion_of(const Problem& problem, const std::vector<std::string>& h,
                        const std::string& t_end);

/// A motion of usual length with usual steps, of which nothing is computed: for what sweeps cost.
CompareMotion assumed_motion(const Problem& problem);

/// span/steps, exactly, from the start of the problem to t_end.
std::string step_text(const Problem& problem, const std::string& t_end, long steps);

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
