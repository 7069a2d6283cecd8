// Values inside steps: which methods have them, in which formulations, and how wrong they are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/setup/bound_run.hpp"
#include "methods/core/stepper.hpp"

namespace daemark {

/// Of the interpolant, by the formulations where there are values inside steps under step-size
/// control; of the pendulum, which has no charts.
std::map<std::string, InsideOrders> inside_orders(const std::string& method);

/// Errors in the middle of the last step of a run in equal ones.
struct InsideErrors {
  double h;            ///< [s], so near to what was asked that t_end is in the middle of a step
  std::string status;  ///< "ok", or why the run ended
  std::map<std::string, double> errors;  ///< "error_q", "error_v", "error_lambda"
};

/// One for each step asked of `request`, whose settings may be those of step-size control. Throws
/// BadInput where there are no values inside steps.
std::vector<InsideErrors> errors_inside(const RunRequest& request,
                                        const std::vector<Expression>& h);

}  // namespace daemark
