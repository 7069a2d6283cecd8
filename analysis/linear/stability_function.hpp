// R(z) = det(I − zA + z 1bᵀ)/det(I − zA) of a Runge–Kutta method, and the roots at infinity, in 130
// digits.
#pragma once

#include <optional>

#include "analysis/linear/analyse.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// Ascending powers without trailing zeros (below 1e-90); den[0] = 1. Common factors are not
/// cancelled.
struct WideFunction {
  std::vector<wide> num, den;
};
WideFunction stability_function(const WideTableau& tableau);
RationalFunctionText function_text(const WideTableau& tableau);

/// Order on linear equations, of R against exp or by ρ and σ: the largest p up to which all
/// conditions hold. For a Runge–Kutta method an upper bound of its order, which is lower where
/// nonlinear conditions fail.
int linear_order(const WideTableau& tableau);
int linear_order(const Coefficients& formula);

/// R(∞), from R far out on the negative real axis; empty where R has a pole there. Numbers below
/// resolved_at_infinity() are 0.
std::optional<wide> value_at_infinity(const WideTableau& tableau);
wide resolved_at_infinity();
/// |R(∞)|, infinite for a polynomial R.
double modulus_at_infinity(const WideTableau& tableau);
/// The largest modulus of a root of σ, infinite where σ has a lower degree than ρ.
double modulus_at_infinity(const Coefficients& formula);

/// All roots of ρ lie in the closed unit disc, and those on its rim are simple. Both to 1e-6, since
/// coefficients may be decimals. Proofs: analysis/exact/theory/multistep.hpp.
bool is_zero_stable(const Coefficients& formula);

}  // namespace daemark
