// Which sources a cell uses, for its key.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// {path, digest} of the sources a cell's result depends on: its kind's, its problem's and its
/// methods', with all they use (base/program/source_graph.hpp); tableaus by their content. Throws
/// BadInput for unknown problems and methods.
std::map<std::string, std::string> sources_used(const Cell& cell);

/// One digest of all of them and of the stored reference states the cell uses. Computing such a
/// state changes the digest: a finished cell is kept under its digest after the run.
std::string sources_digest(const Cell& cell);

/// Times [s] of the reference states the cell needs and that would have to be computed. Throws
/// BadInput for unknown problems.
std::vector<std::string> missing_references(const Cell& cell);

}  // namespace daemark
