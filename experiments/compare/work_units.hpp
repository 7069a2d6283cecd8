// What the work of sweeps is compared in. Ranks are by the weighted sum; the other two say what
// they depend on (analysis/decisions/0034).
#pragma once

#include <array>
#include <vector>

#include "experiments/compare/compare_field.hpp"

namespace daemark {

enum class WorkUnit {
  /// Evaluations, Jacobians, factorisations and multiply-subtract pairs of linear algebra, each
  /// times what it costs beside an evaluation of the problem's index-1 residual: weights.json,
  /// measured by `make weights`.
  weighted,
  evaluations,  ///< Counts::residual_evals alone
  /// The weighted sum times what a unit of it takes of the clock, beside the median method of the
  /// field: time_ratios.json, measured by `daemark atlas --time`.
  time
};
inline constexpr std::array work_unit_names = {"weighted sum", "evaluations", "time"};

/// Of each run of the sweep; empty where it is not measured.
std::vector<double> work_in(WorkUnit unit, const CompareField& field, const CompareEntry& entry);

/// The weighted sum where weights are measured for the field and all sweeps have what they weigh,
/// else evaluations.
WorkUnit ranking_unit(const CompareField& field);

/// What axes and heads call it.
std::string work_label(const CompareField& field);

}  // namespace daemark
