// Rosenbrock methods: one linear system with the same matrix for each stage, no iteration.
//
// For y' = f(t, y) with J = ∂f/∂y, increments k_i and y_1 = y_0 + Σ b_i k_i
//
//   k_i = h f(t_0 + c_i h, y_0 + Σ_{j<i} α_ij k_j) + h J Σ_{j≤i} γ_ij k_j + h² d_i ∂f/∂t,
//
// c, d the row sums of α, Γ. With U = Γ k and A = α Γ⁻¹, C = 1/γ − Γ⁻¹ no product with J is left
// [hairer1996, IV.7 (7.25)].
//
// Here systems are r(t, y, ẏ) = 0 with a matrix ∂r/∂ẏ that depends on y. They are
// y' = w, 0 = r(t, y, w) [hairer1996, VI.3 (3.12), VI.4]: w = ẏ and the multipliers are algebraic,
// increments of all three follow from unknowns of the size of r by the matrix
//
//   ∂r/∂w + ∂r/∂y_alg + hγ ∂r/∂y_diff + (hγ)² ∂r/∂y_int
//
// of methods/stages/stage_matrix.hpp. ∂r/∂t: differences of fourth order over h ε^(1/5), which
// leave less than the digits of published coefficients; where the first one is 0, the system does
// not depend on time there.
//
// Order p on index 1 in y, w and multipliers where the method satisfies the conditions of
// differential-algebraic trees; on index 2 by methods/core/index_two_orders.hpp. Step-size
// control: the embedded formula, multipliers left out.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

std::shared_ptr<const Method> rosenbrock_method(const ExactRosenbrock& written);

}  // namespace daemark
