// The estimated error of a step on index 2 and 3, as step-size control should see it.
//
// An embedded formula compares two integrals of v̇. On index 2 and 3 both carry the errors of the
// stages' multipliers, of lower order, along M⁻¹Gᵀ: not an error of the motion, which the
// constraints take back. So δq and δv are projected, M-orthogonally, onto the tangent space,
//
//   [M Gᵀ; G 0] (x, ν) = (M δv, 0),  δv := x,
//
// and multipliers, which have no embedded value, are compared with those of the index-1 solve at
// the same q, v, whose error is that of q and v.
#pragma once

#include <optional>

#include "methods/core/stepper.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

template <class S>
class EstimateFilter {
 public:
  /// Does nothing on index 0 and 1 and where there is no mechanism.
  EstimateFilter(const Target<S>& target, AlgebraicControl algebraic);
  bool active() const { return solve_.has_value(); }

  /// Replaces the estimate of the candidate by what counts; false where the index-1 matrix is
  /// singular.
  bool apply(const State<S>& candidate, double h, std::vector<S>& estimate);

 private:
  void project(const State<S>& candidate, S* difference);

  MechanicalSystem<S>* mechanism_ = nullptr;
  AlgebraicControl algebraic_;
  int index_ = 0, n_ = 0, m_ = 0;
  std::optional<IndexOneSolve<S>> solve_;
  std::vector<S> a_, lambda_, moved_, inertia_;
  std::vector<double> right_;
};

}  // namespace daemark
