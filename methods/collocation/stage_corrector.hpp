// Linear algebra of collocation steps on a mechanism: matrices by eigenvalue, corrections of all
// stages, and the filter of the error estimate.
#pragma once

#include <complex>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/collocation/collocation_stages.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

// The matrices of a mechanism's collocation step for one eigenvalue z = hα of its coefficients,
//
//   [ M + zC + z²K   Gᵀ ]      C = ∂R/∂v,  K = ∂R/∂q
//   [ B              0  ]      B = G + z(…) + z²(…): the constraints in use, per level
//
// with −∂f/∂λ beside Gᵀ where forces depend on λ, unknowns (v̇, λ) and rows of constraints divided
// by z^level. Each has one sparsity pattern and is refactored in place. At z = 0 there is [M Gᵀ; G
// 0], which needs no derivatives.
class KktMatrix {
 public:
  using Complex = std::complex<double>;

  /// C = Φ, Φ̇ or Φ̈ and lower derivatives: `weights` with 1 for the highest, which is of `level` 2,
  /// 1, 0 (how often the row is integrated). `pairs`: complex matrices that are held.
  KktMatrix(const MechanicalSystem<double>& mechanism, const ConstraintWeights<double>& weights,
            int level, int pairs);

  /// Where MechanicalSystem::evaluate writes what factor_motion() needs, and all.
  MotionValues<double> motion_values();
  MotionValues<double> values();

  bool factor_motion();  ///< [M Gᵀ; G 0]
  void gather();         ///< after evaluation with values(), before factor()
  bool factor(double z);
  bool factor(int pair, const Complex& z);
  /// x, n + m entries: replaced by the solution.
  void solve_motion(double* x) const { motion_lu_.solve(x); }
  void solve(double* x) const { real_lu_.solve(x); }
  void solve(int pair, Complex* x) const { pair_lu_[pair].solve(x); }
  LuStatus status() const { return status_; }  ///< of the last factorisation

  /// Largest row sums of |zC + z²K| and of |M|, of what gather() saw.
  double stiffness(double z) const;
  double inertia() const;
  /// to := M x, n entries.
  void mass_times(const double* x, double* to) const;
  /// The right side for which factor(z) solves for the filtered ev: (M ev − zK eq, constraints).
  void filter_rows(double z, const double* eq, const double* ev, double* rows) const;
  int coordinates() const { return n_; }
  int constraints() const { return m_; }
  const std::vector<double>& gradient() const { return gradient_; }
  const Pattern& gradient_pattern() const { return mechanism_.gradient_pattern(); }

 private:
  const MechanicalSystem<double>& mechanism_;
  ConstraintWeights<double> weights_;
  int level_, n_, m_;
  // By entry of the mechanism's patterns: place in a matrix.
  std::vector<int> mass_place_, reaction_place_, gradient_place_,
      force_place_;  ///< in both matrices the same
  std::vector<int> velocity_place_, position_place_, curvature_place_;
  std::vector<double> mass_, gradient_, residual_lambda_, residual_q_, residual_v_, curvature_q_,
      curvature_v_;
  std::vector<double> motion_, constant_, first_, second_, real_;  ///< second_: of z²
  std::vector<Complex> complex_;
  mutable std::vector<double> row_sums_;
  SparseLu<double> motion_lu_, real_lu_;
  std::vector<SparseLu<Complex>> pair_lu_;
  LuStatus status_ = LuStatus::not_factored;
};

// Corrections of Newton's method for the coupled stages of a collocation step on a mechanism, and
// the filter of its error estimate.
//
// With one Jacobian for all stages their matrix falls into one for each eigenvalue of h A
// (KktMatrix): `split`. Where hC and h²K are small beside M, the matrix at z = 0 alone serves all
// stages: `inertial`, no derivatives, no complex factors. Rows of constraints on velocities and
// positions then first go through (hA)⁻¹ and (hA)⁻².

enum class CorrectorMode { inertial, split };

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
  /// ‖zC + z²K‖ < ‖M‖ for the real eigenvalue: the matrix at z = 0 may do. After factor(split).
  bool is_inertial() const;

 private:
  void solve_inertial(double* x);
  void solve_split(double* x);
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
