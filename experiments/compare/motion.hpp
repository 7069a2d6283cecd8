// What all comparisons on a problem have in common: how long, with which steps, and what errors are
// relative to.
#pragma once

#include <array>
#include <string>
#include <vector>

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

}  // namespace daemark
