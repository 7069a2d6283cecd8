// Structural integrators: one-step methods for q̈ = v̇ with Newmark's formulas
//
//   q₊ = q + h v + h² ((1/2 − β) a + β a₊),   v₊ = v + h ((1 − γ) a + γ a₊)
//
// and a balance of forces that gives a₊ (M v̇ + Gᵀλ = f is the equilibrium, q̇ = v):
//
//   end       (1 − α_m) a₊ + α_m a = (1 − α_f) v̇₊ + α_f v̇, equilibrium with v̇₊ at t + h: the
//             recurrence of Arnold & Brüls 2007. α_m = α_f = 0 is Newmark's method, a = v̇.
//   weighted  equilibrium at t + (1 − α_f) h with (1 − α_f)(q₊, v₊) + α_f (q, v) and the
//             acceleration (1 − α_m) a₊ + α_m a: Chung & Hulbert 1993. v̇₊ and λ₊ come from an
//             index-1 solve at the step's end.
//
// On linear equations with constant M both are the same method. Constraints hold at the step's end
// on index 3 and 2; on index 1 they are part of the equilibrium, wherever that is.
//
// Order 2 for γ = 1/2 + α_f − α_m, else 1. In the directions a constraint holds, a is left to
// itself: on index 3 by β z² + (γ + 1/2 − 2β) z + (β − γ + 1/2), on index 2 by γ z + 1 − γ; where
// these have roots outside the unit disc, accelerations and multipliers grow at any step.
//
// Step-size control. Where steps are equal, a = v̇ + Δ h v̈ + …, Δ = α_m − α_f, so that positions
// miss (β + Δ/2 − 1/6) h³ v̈ in a step: the estimate, with h v̈ = a₊ − a. Before another step h' the
// lead of a goes along, a := v̇ + (a − v̇) h'/h; kept as it is, it would be off by Δ (h − h') v̈.
#pragma once

#include <memory>
#include <optional>

#include "methods/core/method.hpp"

namespace daemark {

struct StructuralForm {
  enum class Balance { end, weighted };
  rational gamma, beta;
  rational alpha_m = 0, alpha_f = 0;  ///< < 1
  Balance balance = Balance::end;
  std::optional<rational> estimate = std::nullopt;  ///< another than that of Δ, as published

  /// Of the local error of positions, e = h² (a₊ − a) times this; 0: it is of another order, or the
  /// method is of order 1.
  rational position_error() const;
  bool newmark() const { return alpha_m == 0 && alpha_f == 0; }
  /// What a step is on q̈ + (c/h) q̇ + (k/h²) q = 0.
  ExactSecondOrder exact() const;
};

std::shared_ptr<const Method> structural_method(StructuralForm form);

}  // namespace daemark
