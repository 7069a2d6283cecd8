// One stepper for every Runge–Kutta method and for the block form of Li 2019.
//
//   Y_i = y_k + h Σ_j a_ij Ẏ_j,  r(Y_i, Ẏ_i, t_k + c_i h) = 0,  y_{k+1} = y_k + h Σ_i b_i Ẏ_i.
//
// The stages are split into the diagonal blocks of A (its strongly connected parts in order): an
// explicit method has none, a diagonally implicit one blocks of size 1, a collocation method one of
// size s. A first stage without equation (a_1j = 0, c_1 = 0) takes Ẏ_1 = ẏ_k. Where the last stage
// is the step end (last row of A equal to b, c_s = 1), ẏ_k is the rate of that stage, explicit or
// not ("first same as last"; unless `first_same_as_last` is off); otherwise the index-1 solve at
// (q_k, v_k) gives it.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

/// y_{k+1} is the last stage: last row of A equal to b, c_s = 1.
bool is_stiffly_accurate(const WideTableau& tableau);
bool is_explicit(const WideTableau& tableau);
/// First stage without an equation: the step's beginning.
bool has_explicit_first_stage(const WideTableau& tableau);
/// Explicit stages after the first (a zero diagonal block) need f itself: index ≤ 1 only.
bool has_inner_explicit_stage(const WideTableau& tableau);
/// Whether the implicit part of A is nonsingular, as index 2 and 3 need.
bool is_implicit_part_regular(const WideTableau& tableau);

/// Of the conditions of quadrature and of linear equations; those of other trees may fail earlier.
LeadingErrorTerm leading_error(const WideTableau& tableau);

/// The block form as a tableau: node 0 in front, its column d.
WideTableau as_tableau(const WideBlock& block);
Tableau<rational> as_tableau(const Block<rational>& block);

/// The form of a tableau of expressions.
RungeKuttaForm runge_kutta_form(const Coefficients& tableau);

/// A method that is its tableau.
std::shared_ptr<const Method> runge_kutta_method(RungeKuttaForm form, Family family = {});

}  // namespace daemark
