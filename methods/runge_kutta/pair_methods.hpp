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
#include <vector>

#include "methods/core/method.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

std::shared_ptr<const Method> nystrom_method(const Coefficients& pair);

template <class S>
std::vector<S> rounded_once(const std::vector<Expression>& entries) {
  std::vector<S> out;
  for (const Expression& e : entries) {
    if constexpr (is_exact<S>)
      out.push_back(e.as_rational());
    else
      out.push_back(from_wide<S>(e.eval<wide>()));
  }
  return out;
}

/// One part; embedded weights as b − b̂, empty without them.
template <class S>
struct PartCoefficients {
  std::vector<std::vector<S>> A;
  std::vector<S> b, c, difference;
  explicit PartCoefficients(const Tableau<Expression>& part)
      : b(rounded_once<S>(part.b)), c(rounded_once<S>(part.c)) {
    for (const auto& row : part.A) A.push_back(rounded_once<S>(row));
    if constexpr (!is_exact<S>)
      for (std::size_t i = 0; i < part.embedded.size(); ++i)
        difference.push_back(
            from_wide<S>(wide(part.b[i].eval<wide>() - part.embedded[i].eval<wide>())));
  }
};

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

std::shared_ptr<const Method> additive_method(const Coefficients& pair);

}  // namespace daemark
