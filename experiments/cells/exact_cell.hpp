// Cells of kind "exact": what is proved of a method, or of a printed formula, as measures.
#pragma once

#include "experiments/cells/cell.hpp"

namespace daemark {

/// Measures order, stage_order, a_stable, l_stable (1, 0; missing: undecided) and verified; with
/// the key `erratum` ("paper/place", an entry of analysis/exact/errata) printed_holds. Throws
/// BadInput for unknown methods, papers and places.
CellResult run_exact(const Cell& cell);

}  // namespace daemark
