// The least change that puts a point onto the constraints, in the metric of M or of the
// coordinates.
//
//   W δ + Gᵀσ = 0,  G δ = −Φ    position: repeated with G and W at the new point, to round-off
//   W δ + Gᵀσ = 0,  G δ = −Φ̇    velocity: linear
//
// Position steps are of least norm each; their sum differs from the nearest point by terms of
// second order in the violation. Rows of velocities say nothing of positions: theirs is σ = 0.
#pragma once

#include <memory>

#include "base/linear/sparse_lu.hpp"
#include "methods/core/stepper.hpp"
#include "problems/system/mechanical_system.hpp"
#include "problems/system/redundant_solve.hpp"

namespace daemark {

template <class S>
class LeastChange {
 public:
  LeastChange(MechanicalSystem<S>& mechanism, bool mass_metric);

  /// Moves q or v; false where a matrix is singular or the steps do not converge. Adds to counts.
  bool move_position(const S& t, S* q, const S* v, const S* chart, Counts& counts);
  bool move_velocity(const S& t, const S* q, S* v, const S* chart, Counts& counts);

 private:
  bool move(bool position, const S& t, S* q, S* v, const S* chart, Counts& counts);
  bool factor(bool position);

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  bool mass_metric_;
  Pattern metric_pattern_;
  SparseLu<double> lu_;
  std::unique_ptr<RedundantSolve> redundant_;
  std::vector<S> metric_, gradient_, violation_, zeros_;
  std::vector<double> values_, step_;
};

// A stepper that puts step ends onto the constraints: between attempt and accept it moves the
// candidate by the least change, positions first. The method continues from there, and its history
// holds the moved points.
//
// Where a and λ are functions of the state (index 1) they are solved for again; elsewhere they stay
// those of the method.

/// The stepper itself where nothing is to be projected. `target` must have a mechanism.
template <class S>
std::unique_ptr<Stepper<S>> projected(std::unique_ptr<Stepper<S>> stepper, const Target<S>& target,
                                      const ProjectionSettings& settings);

}  // namespace daemark
