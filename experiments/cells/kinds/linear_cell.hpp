// Cells of kind "linear": amplitude decay, period elongation and spectral radius of a method, and
// its stability region, as measures and series.
#pragma once

#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// Each text a positive number, or lin(a,b,n), log(a,b,n): n points from a to b. Throws BadInput.
std::vector<double> abscissae(const std::vector<std::string>& texts);

/// Measures n, order (of the method), linear_order (of its principal root), rho_infinity, ad_0_05,
/// pe_0_05, ad_0_1, pe_0_1 [%].
/// With abscissae x = Δt/(nT): series x, ad [%], pe [%], rho; for every x written as a number, say
/// 0.2: ad_0_2, pe_0_2, rho_0_2; if the largest is 100 or more: x_half, where ρ first is below (1 +
/// ρ∞)/2, x_settled, from where on ρ stays within 5 % of 1 − ρ∞ of ρ∞ (inf: not within the
/// abscissae; both missing if ρ∞ = 1), rho_max and rho_dip, the largest and least ρ. With `region`:
/// series region_x, region_y, the boundary of |R(nz)| ≤ 1 in |Re z|, |Im z| ≤ 6, pieces apart by
/// NaN; region_left, the least Re z on it.
CellResult run_linear(const Cell& cell);

}  // namespace daemark
