// What the kinds "integration", "motion" and "step_work" declare alike: the keys of a run, what its
// end and its history give, which sources it leaves unused.
#pragma once

#include <string>
#include <vector>

#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

/// Those of a run, and errors, history_every, against.
std::vector<CellKey> integration_keys();

/// Of one run, and the counts of studies.
std::vector<CellMeasure> run_measures();

/// CellKind::cost with what is done beside the integration.
double run_cost(const Cell& cell);

/// CellKind::uses_more: the method of the run it is measured against.
void use_against(const Cell& cell, CellUses& uses);

/// CellKind::unused
std::vector<UnusedSource> unused_in_runs();

/// CellKind::reference_times
std::vector<std::string> end_where_errors(const Cell& cell);

}  // namespace daemark
