// Cells of kind "exact": what is proved of a method, or of a printed formula, as measures.
#pragma once

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// Measures order, stage_order, a_stable, l_stable (1, 0; missing: undecided) and verified; with
/// the key `erratum` ("paper/place", an entry of experiments/<paper>/errata.json) printed_holds: 1
/// for a form that is right, 0 for one that is wrong in the paper, missing where our transcription
/// is damaged or the entry is open. Throws BadInput for unknown methods, papers and places.
CellResult run_exact(const Cell& cell);

}  // namespace daemark
