// Accelerations and multipliers from the state: the index-1 (KKT) solve.
#pragma once

#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "problems/core/mechanical_system.hpp"

namespace daemark {

/// [M Gᵀ; G 0](a, λ) = (f, −γ), or any weighting of the constraints with acceleration ≠ 0.
template <class S>
class IndexOneSolve {
 public:
  explicit IndexOneSolve(const MechanicalSystem<S>& system);

  /// Writes a and λ at the point's t, q, v, chart; false if the matrix is singular. Wide scalars
  /// refine the solution found in double.
  bool solve(MechanicalSystem<S>& system, MotionPoint<S> point, const ConstraintWeights<S>& weights,
             S* a, S* lambda);

 private:
  bool refine(MechanicalSystem<S>& system, const MotionPoint<S>& point,
              const ConstraintWeights<S>& weights, S* a, S* lambda);
  void fill_values(const S& acceleration_weight);

  int n_, m_;
  SparseLu<double> lu_;
  std::vector<double> values_, correction_;
  std::vector<S> mass_, gradient_, residual_;
};

}  // namespace daemark
