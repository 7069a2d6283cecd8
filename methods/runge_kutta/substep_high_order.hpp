// MSSTH(n): ESDIRK with n implicit stages and order n = 3, 4, 5, stage order 2, dissipation set by
// ρ (Zhang 2022, section 2.3 and appendix), derived from its conditions at 130 digits.
//
// c_2 = 2γ; every stage has order 2; R(∞) = ±ρ fixes γ:
//   Σ_j C(n,j) (−γ)^j/(n−j)! = κ ρ γⁿ,  κ = −1, +1, +1 for n = 3, 4, 5,
// the branch that is 0.4359, 0.5728, 0.2781 at ρ = 0. The order conditions leave free
//   n = 3: c_3;  n = 4: c_3, c_4;  n = 5: c_4, with c_3 = 1/10 given,
// which minimise the sum of squares of the leading error terms (weight − 1/γ(t))/σ(t) over the
// trees t of order n + 1. The published n = 4, 5 minimise sums with slips in them (the tree b(Ac)²
// taken for bA(c·Ac); for n = 5 other trees missing): `Objective::published` keeps these, to be the
// published method, `Objective::error` takes every tree.
#pragma once

#include "methods/core/tableau.hpp"

namespace daemark {

enum class Objective { published, error };

/// 3 ≤ n ≤ 5, 0 ≤ rho ≤ 1.
WideTableau high_order_substeps(int n, const rational& rho, Objective objective);

/// √ of the sum over all trees of order n + 1, what Objective::error minimises.
wide error_norm(const WideTableau& tableau);

}  // namespace daemark
