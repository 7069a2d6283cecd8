// Which names a cell's result can ever hold, so that a misspelt measure in an experiment is refused
// instead of leaving its claim undetermined for ever.
#pragma once

#include <string>

#include "experiments/cells/cell.hpp"

namespace daemark {

/// Whether a run of `cell` can give the measure or count `name`. Names that hold a component or a
/// formulation are accepted by their pattern. A kind says so itself, by CellKind::measures, or is
/// known here.
bool can_measure(const Cell& cell, const std::string& name);

}  // namespace daemark
