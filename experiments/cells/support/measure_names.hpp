// Which names a cell's result can ever hold, so that a misspelt measure in an experiment is refused
// instead of leaving its claim undetermined for ever.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// Whether a run of `cell` can give the measure or count `name`: one that every cell has, or one
/// its kind says it can give (CellKind::measures). Names that hold a component or a formulation are
/// accepted by their pattern.
bool can_measure(const Cell& cell, const std::string& name);

// For the files of kinds.

bool one_of(std::string_view name, std::initializer_list<std::string_view> names);
/// `name` is one of `stems` followed by one of `ends`.
bool composed(std::string_view name, std::initializer_list<std::string_view> stems,
              std::initializer_list<std::string_view> ends);
/// A count of an integration.
bool is_count(std::string_view name);

}  // namespace daemark
