// A method beside the catalogue: the cells of `daemark compare` and what they show.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "experiments/engine/runner.hpp"

namespace daemark {

struct CompareRequest {
  std::vector<std::string> methods;                                         ///< calls, the new ones
  std::vector<std::string> problems;                                        ///< calls; empty: all
  std::vector<std::string> h = {"1/20", "1/40", "1/80", "1/160", "1/320"};  ///< coarse to fine
  /// The same for methods that choose their steps, with output at the end alone.
  std::vector<std::string> tolerances = {"1e-3", "1e-4", "1e-5", "1e-6", "1e-8"};
  std::string t_end = "1";
  /// h and t_end count in each problem's own time: 1 s, or the part of it in which much happens.
  bool in_own_time = true;
};

/// One problem in one formulation that a new method takes; per method its runs, coarse to fine.
struct CompareField {
  std::string problem, formulation, t_end;
  struct Entry {
    std::string method;  ///< canonical; "… with control" where tolerances are swept
    bool is_new = false, controlled = false;
    std::vector<Cell> cells;
  };
  std::vector<Entry> entries;
};

/// Every problem × formulation some new method takes, with the catalogue's methods that take it
/// too: those that need no arguments, and families with one integer parameter at 2 and 3. Throws
/// BadInput for unknown methods and problems, and for a method that takes nothing.
std::vector<CompareField> compare_fields(const CompareRequest& request);

std::vector<Cell> cells_of(const std::vector<CompareField>& fields);

/// What one method did in a field. Missing numbers are NaN.
struct CompareLine {
  std::string method, status;  ///< status of the finest run that failed, or "ok"
  bool is_new = false;
  double slope_q = 0, slope_v = 0, slope_lambda = 0;
  double error_q = 0, error_v = 0, energy = 0, position = 0, velocity = 0;  ///< of the finest run
  long residuals = 0, factorizations = 0;                                   ///< of the finest run
  double work = 0;  ///< residual evaluations to reach compare_target in q, interpolated
  std::vector<double> curve_work, curve_error;  ///< over the step sizes, or tolerances
};
inline constexpr double compare_target = 1e-4;

/// Sorted by work to the target, those that do not reach it last, by error.
std::vector<CompareLine> compare_lines(const CompareField& field, const CompareRequest& request,
                                       const RunnerReport& report);

Table compare_table(const CompareField& field, const std::vector<CompareLine>& lines);
/// The new methods and the six best others.
Panel compare_panel(const CompareField& field, const std::vector<CompareLine>& lines);

}  // namespace daemark
