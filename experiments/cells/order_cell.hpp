// Cells of kind "orders": observed orders of one method on one problem, for several formulations
// and several end times.
#pragma once

#include "experiments/cells/cell.hpp"

namespace daemark {

/// For each formulation F and kind K of q, v, lambda: slope_K_F (the middle one over the times),
/// slope_K_F_min and _max, points_K_F (the fewest steps in an asymptotic range) and floor_K_F (1
/// where finer steps were left out on the round-off floor); refused_F, failed_F (runs that failed),
/// broken_F (1: all of them), quad_F (1: repeated in quad, since round-off of double hid the order
/// a theorem gives). expected_K_F where a theorem gives it; order. least_slope: over all K and F.
/// Series error_K_F_t<i> and used_K_F_t<i> over h.
CellResult run_orders(const Cell& cell);

}  // namespace daemark
