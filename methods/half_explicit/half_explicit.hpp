// Half-explicit Runge–Kutta methods for constrained mechanisms of index 2: explicit stages, each
// with one linear system for its acceleration and multipliers.
//
//   Q_i = q_0 + h Σ_{j<i} a_ij V_j,  V_i = v_0 + h Σ_{j<i} a_ij V'_j (stages) Q̂_i = q_0 + h Σ_{j≤i}
//   â_ij V_j                                       (where constraints hold) M(Q_i) V'_i + Gᵀ(Q_i)
//   Λ_i = f(t_i, Q_i, V_i) Φ̇(t_0 + ĉ_i h, Q̂_i, v_0 + h Σ_{j≤i} â_ij V'_j) = 0,   ĉ_i = Σ_j â_ij q_1
//   = q_0 + h Σ b_i V_i,  v_1 = v_0 + h Σ b_i V'_i
//
// Partitioned with its own Â [murua1997, (6.5) of hairer1996, VII.6]; Â the next rows of A and b
// [brasey1993]; where row i of Â is zero, V'_i and Λ_i are those at the end of the last step
// [arnold1998]. One row of Â is b, so that Φ̇ = 0 at each step end; Φ drifts, which
// Settings::project removes as the authors' codes do.
//
// λ and v̇ at a step end: of the last stage where that is the step end (row s of A is b), else from
// the index-1 solve there.
//
// Estimate: h Σ (b_i − b̂_i)(V_i, V'_i). Where the last stage is the step end, v̂_1 first goes onto
// Φ̇(q̂_1) = 0 by one step with the matrix of that stage (Murua's code). With a second, lower formula
// the estimate is e²/(e + 0.01 e_low) (Brasey's code). Departures: norms are this program's
// (methods/loop/error_size.hpp), as are the bounds on the ratio of steps.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

/// Whether stage i of a row of Â takes what the step before ended with.
bool is_carried(const std::vector<wide>& row);
/// The last stage is the step end.
bool ends_with_a_stage(const WideHalfExplicit& form);

std::shared_ptr<const Method> half_explicit_method(const ExactHalfExplicit& written);

}  // namespace daemark
