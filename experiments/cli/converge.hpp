// What the files of `daemark converge` share: its options, and what it prints of studies over step
// sizes.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "analysis/orders/order_study.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/common_options.hpp"

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

/// "starts by ...", of a method that needs a starting procedure.
void print_start(const std::string& method, const std::map<std::string, std::string>& settings,
                 std::ostream& out);

/// One formulation and end time. Numbers that do not exist (a failed run, no multipliers, no
/// asymptotic range) are null.
nlohmann::ordered_json result_json(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                                   const ExpectedOrders& expected);
void print_result(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                  std::ostream& out);
/// The errors, the slopes and what is expected, as a table of LaTeX.
std::string latex_result(const std::vector<BoundRun>& runs, const ConvergeResult& result);

/// One formulation over several end times: the slopes at each and their median.
nlohmann::ordered_json study_json(const OrderStudyRequest& request, const FormulationOrders& found);
void print_study(const OrderStudyRequest& request, const FormulationOrders& found,
                 std::ostream& out);

}  // namespace daemark
