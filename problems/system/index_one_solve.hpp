// Accelerations and multipliers from the state: the index-1 (KKT) solve.
#pragma once

#include <memory>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "problems/system/mechanical_system.hpp"
#include "problems/system/redundant_solve.hpp"

namespace daemark {

/// [M Gᵀ; G 0](a, λ) = (f, −γ), or any weighting of the constraints with acceleration ≠ 0. Where
/// constraints are redundant (MechanicalSystem::rank) λ is the one of least norm. Where f depends
/// on λ, Newton's iteration from MechanicalSystem::guess_multipliers.
template <class S>
class IndexOneSolve {
 public:
  explicit IndexOneSolve(const MechanicalSystem<S>& system);

  /// Writes a and λ at the point's t, q, v, chart; false if the matrix is singular. Wide scalars
  /// refine the solution found in double.
  bool solve(MechanicalSystem<S>& system, MotionPoint<S> point, const ConstraintWeights<S>& weights,
             S* a, S* lambda);
  /// x := [M Gᵀ; w G 0]⁻¹ x, n + m entries, with the factors of the last solve() that succeeded.
  void apply_inverse(double* x) const { lu_.solve(x); }

 private:
  bool refine(MechanicalSystem<S>& system, const MotionPoint<S>& point,
              const ConstraintWeights<S>& weights, S* a, S* lambda);
  bool iterate(MechanicalSystem<S>& system, const MotionPoint<S>& point,
               const ConstraintWeights<S>& weights, S* a, S* lambda);
  /// Of a and λ by the factors, in double, and the last residual; largest sizes, of all entries.
  struct Correction {
    double change = 0, size = 0;  ///< of what is taken off, of what is left
    bool finite = true;
  };
  Correction correct(S* a, S* lambda);
  bool factor(const S& acceleration_weight);
  void solve_linear(double* x);

  int n_, m_;
  SparseLu<double> lu_;
  std::unique_ptr<RedundantSolve> redundant_;  ///< in its place
  std::vector<double> values_, correction_;
  std::vector<int> lambda_place_;  ///< of the entries of residual_lambda_ in values_
  std::vector<S> mass_, gradient_, residual_lambda_, residual_;
};

}  // namespace daemark
