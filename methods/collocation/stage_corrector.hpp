// Corrections of Newton's method for the coupled stages of a collocation step on a mechanism, and
// the filter of its error estimate.
//
// With one Jacobian for all stages their matrix falls into one for each eigenvalue of h A
// (KktMatrix): `parted`. Where hC and h²K are small beside M, the matrix at z = 0 alone serves all
// stages: `inertial`, no derivatives, no complex factors. Rows of constraints on velocities and
// positions then first go through (hA)⁻¹ and (hA)⁻².
#pragma once

#include "methods/collocation/collocation_formula.hpp"
#include "methods/collocation/kkt_matrix.hpp"

namespace daemark {

enum class CorrectorMode { inertial, parted };

class StageCorrector {
 public:
  StageCorrector(const MechanicalSystem<double>& mechanism,
                 const ConstraintWeights<double>& weights, int level, int most_stages);

  KktMatrix& matrix() { return matrix_; }
  /// Of the values last written to matrix().
  bool factor(CorrectorMode mode, const CollocationFormula& formula, double h);
  /// How many matrices the last factor() factored.
  int factored() const { return factored_; }
  /// x (stages × (n + m), stage by stage): rows in, corrections −K⁻¹ rows of (v̇, λ) out.
  void correct(double* x);
  /// The raw error estimates of q and v (n entries each) filtered by the real factor, which also
  /// puts them along the constraints; inertial: only the latter.
  void filter(double* eq, double* ev);
  /// ‖zC + z²K‖ < ‖M‖ for the real eigenvalue: the matrix at z = 0 may do. After factor(parted).
  bool is_inertial() const;

 private:
  void solve_inertial(double* x);
  void solve_parted(double* x);
  void project(double* e);

  KktMatrix matrix_;
  int level_, n_, m_, u_;
  CorrectorMode mode_ = CorrectorMode::inertial;
  const CollocationFormula* formula_ = nullptr;
  double h_ = 0;
  int factored_ = 0;
  std::vector<double> parts_, zeros_, lifted_, coefficients_;
  std::vector<KktMatrix::Complex> complex_;
};

}  // namespace daemark
