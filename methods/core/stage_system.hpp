// The nonlinear system of r coupled stages, solved by Newton's method.
//
//   y_i = base_i + h Σ_j B_ij ẏ_j,   r(y_i, ẏ_i, t_i) = 0,   i = 1..r
//
// Unknowns per stage: ẏ of the differential components and y of the algebraic ones; `integral`
// components follow (ẏ ≡ y_source), so the stage matrix couples them through h²B². One-step stages
// (r = 1 or a block) and multistep formulas (r = 1, B = β_0/α_0) are all of this form.
#pragma once

#include <memory>
#include <vector>

#include "methods/core/stepper.hpp"
#include "problems/core/sparse_lu.hpp"

namespace daemark {

template <class S>
using DenseMatrix = std::vector<std::vector<S>>;

/// Index lists of a system's components, by kind.
struct ComponentLists {
  std::vector<int> differential, algebraic;   ///< component numbers
  std::vector<std::pair<int, int>> integral;  ///< (component, its source)
  std::vector<int> unknown_of;                ///< component → unknown of a stage, or −1
  template <class S>
  explicit ComponentLists(const ImplicitSystem<S>& system);
};

template <class F>
class StageMatrix;
class TransformedBlocks;

template <class S>
class StageSystem {
 public:
  using F = FactorScalar<S>;

  /// B is r × r (rows: stages). The pair must outlive this object. `exact_B`: the same in exact
  /// arithmetic, for S = rational.
  StageSystem(SystemPair<S> pair, const DenseMatrix<wide>& B, const NewtonSettings& settings,
              const DenseMatrix<rational>& exact_B = {});
  ~StageSystem();

  int stages() const { return r_; }

  // Per stage i, to be filled before solve(): base values (differential and integral components),
  // guesses for the unknowns (ẏ in rate(i), algebraic entries of y(i)) and the time.
  S* base(int i) { return &base_[static_cast<std::size_t>(i) * size_]; }
  S* y(int i) { return &y_[static_cast<std::size_t>(i) * size_]; }
  S* rate(int i) { return &rate_[static_cast<std::size_t>(i) * size_]; }
  S& time(int i) { return time_[i]; }

  /// On success y(i), rate(i) hold the stages. Adds to counts.
  StepReport solve(const S& h, Counts& counts);

 private:
  /// Consecutive components: y[to + k] integrates the rate kept at from + k.
  struct Run {
    int to, from, length;
  };

  void find_runs();
  void set_step(const S& h);
  void update_stages();
  void evaluate(int i, bool with_jacobian, F* jacobian_y, F* jacobian_rate);
  void evaluate_full(Counts& counts);
  bool evaluate_simplified(Counts& counts, bool fresh);
  bool full_correction(Counts& counts);
  bool simplified_correction();
  double residual_norm() const;
  bool refresh_simplified(Counts& counts);
  double apply_correction();
  double solution_size() const;
  StepReport newton(bool simplified, Counts& counts);
  void count_evaluation(Counts& counts, int jacobians) const;
  StepReport failure() const;

  SystemPair<S> pair_;
  NewtonSettings settings_;
  ComponentLists lists_;
  int r_, size_, unknowns_;
  using Coefficient = std::conditional_t<is_exact<S>, rational, wide>;
  DenseMatrix<Coefficient> exact_B_;
  std::vector<Run> differential_runs_, algebraic_runs_, integral_runs_;
  std::vector<S> hB_;  ///< h B, row-major
  S h_{};
  std::vector<S> base_, y_, rate_, time_, residual_, row_scale_;
  bool scaled_rows_ = false;
  std::vector<F> factor_scale_, correction_, factor_y_, factor_rate_, factor_residual_;
  std::unique_ptr<StageMatrix<F>> matrix_;
  std::unique_ptr<TransformedBlocks> transformed_;
  // Simplified Newton: age of the factorisation in solves, and how fast the last solve converged.
  int age_ = -1;
  double contraction_ = 0;
  LuStatus lu_status_ = LuStatus::ok;
};

}  // namespace daemark
