// Additive (implicit-explicit) Runge–Kutta methods on mechanisms, y' = f(t, y) + g(t, y) with one
// stiff part g (Ascher, Ruuth & Spiteri 1997; Kennedy & Carpenter 2003, eq. 3):
//
//   Y_i = y₀ + h Σ_{j<i} a^E_ij f(Y_j) + h Σ_{j≤i} a^I_ij g(Y_j),   y₁ = y₀ + h Σ b_i (f + g)(Y_i)
//
// Elements declare which forces are stiff (MechanicalSystem::stiff_part). The stiff part of v̇
// solves M a + Gᵀμ = f_stiff, G a + γ = 0, the index-1 equations of the mechanism under these
// forces alone; q' = v belongs to it too. The rest is what the index-1 solve with all forces adds,
// so that both together are the accelerations of the mechanism and λ at step ends is that of the
// state.
//
// A^I is lower triangular (one stage is solved at a time), A^E strictly. Orders are those of trees
// with two colours, which `verify` proves; A- and L-stability are those of the implicit part.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

std::shared_ptr<const Method> additive_method(const ExactPair& pair);

}  // namespace daemark
