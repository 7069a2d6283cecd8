// Explicit Runge–Kutta–Nyström methods for q̈ = f(t, q, q̇) (Nyström 1925; Hairer, Nørsett & Wanner,
// Solving ODEs I, II.14):
//
//   k_i = f(t₀ + c_i h, q₀ + c_i h v₀ + h² Σ_{j<i} a_ij k_j, v₀ + h Σ_{j<i} a'_ij k_j)
//   q₁ = q₀ + h v₀ + h² Σ b_i k_i,   v₁ = v₀ + h Σ b'_i k_i
//
// Without a' the accelerations must not depend on velocities: with them such a formula has order 1.
// On mechanisms f is the index-1 solve, so that λ at step ends is that of the state. Orders are
// those of Nyström trees, which `verify` proves. Pairs control the step by b − b̂ and b' − b̂', where
// the file has them. A last stage at the step's end gives the first of the next step.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

std::shared_ptr<const Method> nystrom_method(const ExactPair& pair);

}  // namespace daemark
