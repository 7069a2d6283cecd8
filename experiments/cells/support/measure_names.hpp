// Which names a cell's result can ever hold, so that a misspelt measure in an experiment is refused
// instead of leaving its claim undetermined for ever.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

/// What a kind declares of a measure or count of a cell, or what every kind gives; null: nothing.
/// Where the names of components are unknown since the problem is, any name stands for them.
const CellMeasure* find_measure(const CellKind& kind, const Cell& cell, const std::string& name);

/// Whether a run of `cell` can give the measure or count `name`.
bool can_measure(const Cell& cell, const std::string& name);

/// What a cell that cannot give the measure lacks: `"errors": true`; empty where no single key
/// would do.
std::string key_for(const Cell& cell, const std::string& name);

/// The unit its kind declares for a measure: "" for a pure number; absent where it depends on the
/// problem, or where the cell cannot give the measure.
std::optional<std::string> unit_of(const Cell& cell, const std::string& name);

/// What a cell can give, as patterns: "slope_{q,v,lambda}, order".
std::vector<std::string> measures_of(const Cell& cell);

// For the files of kinds.

/// The counts of an integration.
CellMeasure count_measures(bool (*when)(const Cell&) = nullptr);

}  // namespace daemark
