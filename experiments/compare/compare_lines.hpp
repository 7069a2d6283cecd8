// What `daemark compare` measured, method by method, and who needs least for which accuracy.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/table.hpp"
#include "experiments/compare/compare_study.hpp"
#include "experiments/engine/run/runner.hpp"

namespace daemark {

/// Relative errors whose cost is compared: ‖q − q_ref‖₂ at t_end over CompareField::way.
inline constexpr std::array<double, 5> compare_targets = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

/// Residual evaluations a method needs for a target.
struct Reach {
  double work = 0;
  /// The coarsest run is already better: `work` is what that took, less may do.
  bool at_most = false;
};

/// Where the polyline of log error over log work first falls to the target: between two runs, never
/// beyond them. Errors that are no positive number are passed over.
std::optional<Reach> reach(const std::vector<double>& work, const std::vector<double>& error,
                           double target);

/// What one method did in a field. Missing numbers are NaN.
struct CompareLine {
  std::string method, status;  ///< status of the finest run that failed, or "ok"
  bool is_new = false;
  double slope_q = 0, slope_v = 0, slope_lambda = 0;
  std::array<std::optional<Reach>, compare_targets.size()> reached;
  std::array<int, compare_targets.size()> rank{};  ///< from 1; 0: does not reach it
  /// Over the runs, coarse to fine; `error` relative, `energy` [J], `time` [s] of this machine.
  std::vector<double> h, work, error, energy, position, velocity, time;
  double error_v = 0;                      ///< absolute, of the finest run
  long residuals = 0, factorizations = 0;  ///< of the finest run
};

/// Sorted by the tightest target reached, then by the work it takes, then by the error of the
/// finest run: what is more accurate never stands behind what cannot become so.
std::vector<CompareLine> compare_lines(const CompareField& field, const RunnerReport& report);

/// Without times, which are of one machine.
Table compare_table(const CompareField& field, const std::vector<CompareLine>& lines);
/// For the screen: the best and the new, with times.
Table compare_summary(const CompareField& field, const std::vector<CompareLine>& lines);

/// Performance profiles (Dolan & Moré 2002): per method the share of instances, pairs of a problem
/// and a target that some method reaches, which it solves with at most τ times the least work.
/// Over all problems in one formulation; a method that refuses one of them has not solved it.
struct Profile {
  std::string formulation;
  int instances = 0;
  struct Curve {
    std::string method;
    bool is_new = false;
    std::vector<double> ratios;  ///< of the instances solved, ascending
    double share(double tau, int instances) const;
    double area(int instances) const;  ///< of the share over log τ up to 100, for an order
  };
  std::vector<Curve> curves;  ///< by area, the largest first
};
std::vector<Profile> profiles_of(const std::vector<CompareField>& fields,
                                 const std::vector<std::vector<CompareLine>>& lines);
Table profile_table(const Profile& profile);
/// The best and the new.
Table profile_summary(const Profile& profile);

}  // namespace daemark
