// Filters the estimated error of a step on index 2 and 3 for step-size control.
//
// An embedded formula compares two integrals of v̇. On index 2 and 3 both contain errors of the
// stages' multipliers, of lower order, along M⁻¹Gᵀ; the constraints remove them from the motion.
// So δq and δv are projected, orthogonally in M, onto the tangent space,
//
//   [M Gᵀ; G 0] (x, ν) = (M δv, 0),  δv := x,
//
// and multipliers, which have no embedded value, are compared with those of the index-1 solve at
// the same q, v, whose errors are those of q and v alone.
#pragma once

#include <optional>

#include "methods/core/stepper.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

template <class S>
class EstimateFilter {
 public:
  /// Does nothing on index 0 and 1 and where there is no mechanism.
  EstimateFilter(const Target<S>& target, const Setting<AlgebraicControl>& algebraic);
  bool active() const { return solve_.has_value(); }

  /// Replaces the estimate for the candidate by the filtered one; false if the index-1 matrix is
  /// singular.
  bool apply(const State<S>& candidate, double h, std::vector<S>& estimate);

 private:
  void project(const State<S>& candidate, S* difference);

  MechanicalSystem<S>* mechanism_ = nullptr;
  Setting<AlgebraicControl> algebraic_;
  int index_ = 0, n_ = 0, m_ = 0;
  std::optional<IndexOneSolve<S>> solve_;
  std::vector<S> a_, lambda_, moved_, inertia_;
  std::vector<double> right_;
};

}  // namespace daemark
