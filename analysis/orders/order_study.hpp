// The orders a method shows on a problem: `converge` at several end times in several formulations,
// the middle slope of each. A single end time misleads where a component turns.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"

namespace daemark {

struct OrderStudyRequest {
  RunRequest run;  ///< its formulation, h and t_end are those of the study
  Problem problem;
  std::vector<Expression> h, t_ends;
  /// Repeat a formulation in the next precision where round-off hides the order that theory
  /// promises; then coarse to fine, until enough is known.
  bool widen = false;
  RunTogether together = run_together;
};

/// What one of q, v, λ showed at the end times of a formulation.
struct ObservedSlopes {
  std::vector<double> settled, preliminary;      ///< slopes of asymptotic ranges; others, if any
  int points = std::numeric_limits<int>::max();  ///< fewest in a slope
  double least = std::numeric_limits<double>::infinity(), most = -least;  ///< local slopes
  double finest = std::numeric_limits<double>::infinity(), coarsest = 0;  ///< steps used
  int stagnating = 0;
  bool floor = false;

  void take(const std::vector<double>& h, const SlopeFit& fit);
  /// Most end times decide: slopes of ranges that are not asymptotic stand in where no other is.
  bool is_preliminary() const { return settled.empty() && !preliminary.empty(); }
  const std::vector<double>& slopes() const { return is_preliminary() ? preliminary : settled; }
  double slope() const;  ///< the middle one; NaN: none
  bool no_convergence() const { return 2 * stagnating > static_cast<int>(slopes().size()); }
};

struct FormulationOrders {
  std::string formulation;
  std::string refusal;         ///< why the method cannot take it; then nothing else is filled
  std::vector<BoundRun> runs;  ///< those shown, one for each step size, to the first end time
  bool widened = false;        ///< they are repeats in a wider precision
  ExpectedOrders expected;
  std::array<ObservedSlopes, 3> seen;   ///< q, v, λ
  std::vector<ConvergeResult> studies;  ///< per end time
};

/// Throws BadInput; refusals of a formulation are results.
FormulationOrders study_orders(const OrderStudyRequest& request, const std::string& formulation);

/// slopes_expected of a run, where its problem is one that theorems are about.
ExpectedOrders slopes_expected(const BoundRun& run);

/// The middle value, of an even number the mean of the middle two; NaN of none.
double middle(std::vector<double> values);

/// Throws BadInput for a method that chooses its steps itself: between output points further apart
/// or nearer its errors are those of its tolerance.
void require_given_steps(const std::string& method);

// What a method's steps show where nothing is known of its form: the order of its positions on the
// pendulum, whose motion is known in closed form, in the first formulation that it takes.

struct MeasuredOrder {
  double order = 0;         ///< the middle slope of three end times
  bool settled = false;     ///< of asymptotic ranges
  std::string formulation;  ///< in which
};

/// None where it takes no formulation, chooses its steps itself, or shows no slope.
std::optional<MeasuredOrder> measured_order(const std::string& method);

/// "0.996, below the claimed 2"; "2.003, as claimed"; "2.003, nothing is claimed".
std::string judged(const MeasuredOrder& measured, const std::optional<int>& claimed);

/// Whether a settled order lies below by more than the bound within which slopes count as settled.
bool is_below(double order, int claimed);

}  // namespace daemark
