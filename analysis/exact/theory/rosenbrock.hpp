// Orders of Rosenbrock methods: on y' = f(y) by the trees of Butcher with β = α + Γ above vertices
// of one branch and α above others; on index 1 by those of Roche, with ω = β⁻¹ at vertices of z
// [hairer1996, IV.7 and VI.4].
//
// With any matrix for the Jacobian (W-methods): α above vertices of f, Γ above those of the matrix.
//
//   Σ b_i Φ_i = 1/γ;  order on index 1: p where trees of y hold up to p, of z up to p − 1
#pragma once

#include <optional>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"

namespace daemark::exact {

/// Coefficients of the increments, exactly.
struct RosenbrockCoefficientsExact {
  Matrix alpha, beta;
  Vector b, embedded;  ///< embedded: empty if none
  Vector radicals;     ///< values of those in the expressions
};
/// Throws BadInput as import_numbers.
RosenbrockCoefficientsExact import_rosenbrock(const Coefficients& method);

/// Whether the estimate is 0 on linear equations: b and the embedded weights have the same R(z),
/// (b − b̂)ᵀ βᵏ 1 = 0 for k < s. False where the coefficients are decimals.
bool is_blind_on_linear(const Coefficients& method);

struct RosenbrockProof {
  RosenbrockCoefficientsExact coefficients;
  OrderProof order;  ///< on y' = f(y), by all trees
  int index_one = 0;
  std::string index_one_tree;  ///< the first condition of index 1 that fails
  int w_order = 0;             ///< with any matrix for the Jacobian
  std::string w_tree;          ///< the first of its conditions that fails
  StabilityProof stability;    ///< of the tableau (β, b)
  bool stiffly_accurate = false;
  std::optional<OrderProof> embedded_order;
  std::optional<StabilityProof> embedded_stability;
};
RosenbrockProof prove_rosenbrock(const Coefficients& method);

/// The same orders at 130 digits: a condition holds when its residual is at most `unit` times the
/// terms that it is made of.
struct RosenbrockOrders {
  int order = 0, index_one = 0, w_order = 0;
  std::optional<int> embedded;
  wide residual = 0, next = 0;  ///< largest up to the order, and of the order after it
};
RosenbrockOrders rosenbrock_orders(const Coefficients& method, const wide& unit);
/// Of decimals with 14 to 17 digits; else of 130.
wide rosenbrock_unit(const Coefficients& method);

}  // namespace daemark::exact
