// What the files of `daemark converge` share: its options, and what it prints of studies over step
// sizes.
#pragma once

#include "analysis/orders/order_study.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/report.hpp"

namespace daemark {

struct ConvergeOptions : IntegrationOptions {
  std::string tol;
  unsigned jobs = 0;
  bool inside = false, latex = false;
  /// Several formulations or end times, or a precision that follows from the theory.
  bool is_order_study() const {
    return precision == "auto" || read_calls(formulation).size() > 1 ||
           read_calls(t_end).size() > 1;
  }
};

/// "-" for a failed run; a star marks the errors that enter the slope.
std::string error_text(double error, bool used = false);
std::string slope_text(double slope);  ///< "none" where there is none

/// "  starts by ...\n", of a method that needs a starting procedure.
std::string start_line(const std::string& method,
                       const std::map<std::string, std::string>& settings);

/// One formulation and end time. Numbers that do not exist (a failed run, no multipliers, no
/// asymptotic range) are null.
Report report_of(const std::vector<BoundRun>& runs, const ConvergeResult& result);
/// The errors, the slopes and what is expected, as a table of LaTeX.
std::string latex_result(const std::vector<BoundRun>& runs, const ConvergeResult& result);

/// One formulation over several end times: the slopes at each and their median.
Report report_of(const OrderStudyRequest& request, const FormulationOrders& found);

}  // namespace daemark
