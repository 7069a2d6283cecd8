// Cells of kind "orders": observed orders of one method on one problem, for several formulations
// and several end times.
#pragma once

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// For each formulation F and kind K of q, v, lambda: slope_K_F, the middle one over the times at
/// which the errors settle on one (asymptotic, or no longer falling), with slope_K_F_min and _max;
/// local_K_F_min and _max, the local slopes they stand on, over the steps coarsest_K_F to
/// finest_K_F; points_K_F (the fewest steps in a range). no_convergence_K_F: the error stops
/// falling above round-off. pre_asymptotic_K_F: at no time do the slopes settle, slope_K_F is that
/// of the finest steps. floor_K_F: finer steps were left out on the round-off floor. refused_F,
/// failed_F (runs that failed), broken_F (1: all of them), quad_F (1: repeated in quad, from coarse
/// to fine until four points agree, since round-off of double hid the order that is expected).
/// expected_K_F with at_least_expected_K_F (a lower bound) and observed_only_F (no source for it
/// was read), off_K_F: the slope less expected, 0 above a lower bound; order. least_slope: over all
/// K and F. Series error_K_F_t<i> and used_K_F_t<i> over h
/// (nan: not run), verdict_K_F_t<i> (SlopeVerdict).
CellResult run_orders(const Cell& cell);

}  // namespace daemark
