// G(λ) = 0 for m multipliers, where G costs an integration each: the solvers of
// multiplier_shooting.
//
//   broyden     rank-2 update of an inverse B (Yang, Duan & Di 2006, eq. 19), B from B⁽¹⁾ = I by
//               the same update along h_j e_j, j = 1..m (eq. 20)
//   broyden_fd  the same update, B the inverse of the difference matrix of the same m probes
//   newton      that inverse anew in every iteration
//   secant      one multiplier: through the last two iterates
//
// Eq. 19:  μ = 1 + qᵀBq/(pᵀq),  B⁺ = B + (μ p pᵀ − B q pᵀ − p qᵀB)/(pᵀq),  λ⁺ = λ − B G. It is the
// update of a symmetric matrix: ∂G/∂λ is nearly one, −(h²/2) G M⁻¹ Gᵀ. For m = 1 it is the secant.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "methods/core/stepper.hpp"

namespace daemark {

enum class MultiplierSolverKind { broyden, broyden_fd, newton, secant };
const std::vector<std::string>& multiplier_solver_names();

template <class S>
class MultiplierSolver {
 public:
  /// Writes the m values G(λ).
  using Residual = std::function<StepReport(const S* lambda, S* g)>;

  /// `probe`: h_j = probe (1 + |λ_j|).
  MultiplierSolver(MultiplierSolverKind kind, int m, double probe, const NewtonSettings& settings,
                   Residual residual);

  /// From `lambda` to its root, where |G| ≤ settings.tol, or to the floor of round-off. The last
  /// call of the residual is at the multipliers found.
  StepReport solve(S* lambda, Counts& counts);

 private:
  StepReport start_inverse(const S* lambda);
  StepReport probe(const S* lambda, int j);
  bool invert_differences();
  bool update_inverse();
  void propose(const S* lambda);
  double norm(const S* g) const;
  S& inverse(int i, int j) { return inverse_[static_cast<std::size_t>(i) * m_ + j]; }

  MultiplierSolverKind kind_;
  int m_;
  double probe_;
  NewtonSettings settings_;
  Residual residual_;
  std::vector<S> inverse_, differences_;  ///< B and [G(λ + h_j e_j) − G(λ)]/h_j in its columns
  std::vector<S> g_, last_g_, p_, q_, b_q_, trial_;
  std::vector<std::vector<S>> dense_;
};

}  // namespace daemark
