// Multistep formulas of order 2 that are A-stable with maximal flatness, for any number of steps.
//
// All roots at infinity equal −ρ: σ(E) = ((E+ρ)/(1+ρ))ⁿ. With ζ = (1+ρE)/(E+ρ), w = 1−ζ,
//   hλ = R Q(w),  R = (1+ρ)/(1−ρ),  R w = (1+ρ)(E−1)/(E+ρ),
// the imaginary axis is |ζ| = 1 and the formula is A-stable if Re Q ≥ 0 there. Flattest:
// Re Q(1−e^{iφ}) = K(1−cos φ)ⁿ, which also gives Q = w + w²/2 + … (order 2). Equating the
// coefficients of e^{ikφ}, with Q = Σ p_k ζ^k:
//   p_0 = κ C(2n,n),  p_k = 2κ(−1)^k C(2n,n+k),  κ = 1/(2 C(2n−2,n−1)) from Q'(0) = 1.
// n = 2, 3, 4 are the linear two-, three- and four-step methods of Zhang 2022 (its ref. [36]).
#pragma once

#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

inline constexpr int max_flat_steps = 20;

/// q_1..q_n of Q(w) = Σ q_k w^k; q_1 = 1, q_2 = 1/2 for n ≥ 2.
std::vector<rational> flat_polynomial(int n);

/// The n-step formula, 1 ≤ n ≤ max_flat_steps, 0 ≤ rho ≤ 1; alpha_k and beta_k are last. n = 1 with
/// rho = 1 is the trapezoidal rule.
Coefficients flat_multistep(int n, const rational& rho);

/// The backward differentiation formula Σ_j ∇^j y/j = h ẏ, j = 1..k.
Coefficients backward_differentiation(int k);

}  // namespace daemark
