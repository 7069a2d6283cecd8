// The nonlinear system of r coupled stages, solved by Newton's method.
//
//   y_i = base_i + h Σ_j B_ij ẏ_j,   r(y_i, ẏ_i, t_i) = 0,   i = 1..r
//
// Unknowns per stage: ẏ of the differential components and y of the algebraic ones; `integral`
// components follow (ẏ ≡ y_source), so the stage matrix couples them through h²B². One-step stages
// (r = 1 or a block) and multistep formulas (r = 1, B = β_0/α_0) are all of this form.
//
// In quad and real50 the stages are first solved in double, down to its round-off; wide arithmetic
// only corrects that. A correction comes from double factors and is no more than 16 digits, so what
// it adds to the stage values is summed in double: the products with hB, which dominate, are formed
// in wide scalars once a step.
#pragma once

#include <memory>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/core/stepper.hpp"

namespace daemark {

template <class S>
using DenseMatrix = std::vector<std::vector<S>>;

/// Consecutive components: to + k is computed from what is kept at from + k, k = 0..length.
struct ComponentRun {
  int to, from, length;
};

/// Index lists of a system's components, by kind.
struct ComponentLists {
  std::vector<int> differential, algebraic;   ///< component numbers
  std::vector<std::pair<int, int>> integral;  ///< (component, its source)
  std::vector<int> unknown_of;                ///< component → unknown of a stage, or −1
  /// The same lists in runs, for loops without an indirection; `state`: all but the algebraic ones.
  std::vector<ComponentRun> differential_runs, algebraic_runs, integral_runs, state_runs;
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
  /// quad and real50.
  static constexpr bool extended = !is_exact<S> && !std::is_same_v<S, double>;

  /// B is r × r (rows: stages). What the target points to must outlive this object. `exact_B`: the
  /// same in exact arithmetic, for S = rational.
  StageSystem(const Target<S>& target, const DenseMatrix<wide>& B, const NewtonSettings& settings,
              const DenseMatrix<rational>& exact_B = {});
  ~StageSystem();

  int stages() const { return r_; }

  // Per stage i, to be filled before solve(): base values (differential and integral components),
  // guesses for the unknowns (ẏ in rate(i), algebraic entries of y(i)) and the time.
  S* base(int i) { return &base_[static_cast<std::size_t>(i) * size_]; }
  S* y(int i) { return &y_[static_cast<std::size_t>(i) * size_]; }
  S* rate(int i) { return &rate_[static_cast<std::size_t>(i) * size_]; }
  S& time(int i) { return time_[i]; }

  /// The chart the stages refer to; must stay where it is until the next call.
  void set_chart(const std::vector<S>& chart);
  /// On success y(i), rate(i) hold the stages. Adds to counts.
  StepReport solve(const S& h, Counts& counts);

 private:
  template <class>
  friend class StageSystem;
  using Run = ComponentRun;

  void set_step(const S& h);
  void solve_in_double(Counts& counts);
  void update_stages();
  void follow_correction(double norm);
  void evaluate(int i, bool with_jacobian, F* jacobian_y, F* jacobian_rate);
  void evaluate_full(Counts& counts);
  bool evaluate_simplified(Counts& counts, bool fresh);
  bool full_correction(Counts& counts);
  bool simplified_correction();
  double residual_norm() const;
  bool refresh_simplified(Counts& counts);
  double apply_correction();
  double largest_correction() const;
  double euclidean_correction() const;
  double solution_size() const;
  double left_over(bool linear, double norm) const;
  StepReport newton(bool simplified, Counts& counts);
  void count_evaluation(Counts& counts, int jacobians) const;
  StepReport failure() const;

  ImplicitSystem<S>* system_;
  ImplicitSystem<F>* factor_system_;
  NewtonSettings settings_;
  ComponentLists lists_;
  int r_, size_, unknowns_;
  using Coefficient = std::conditional_t<is_exact<S>, rational, wide>;
  DenseMatrix<Coefficient> exact_B_;
  std::vector<S> hB_;  ///< h B, row-major
  S h_{};
  std::vector<S> base_, y_, rate_, time_, residual_, row_scale_;
  bool scaled_rows_ = false;
  const S* chart_ = nullptr;
  std::vector<F> factor_chart_;
  std::vector<F> factor_scale_, correction_, factor_y_, factor_rate_, factor_residual_;
  std::unique_ptr<StageMatrix<F>> matrix_;
  std::unique_ptr<TransformedBlocks> transformed_;
  // Extended precision only: the same stages in double, hB and stage increments in double, and
  // whether y is behind the unknowns.
  std::unique_ptr<StageSystem<double>> in_double_;
  std::vector<double> double_hB_, increments_, zeros_;
  bool behind_ = true;
  // Simplified Newton: age of the factorisation in solves, and how fast the last solve converged.
  int age_ = -1;
  double contraction_ = 0;
  LuStatus lu_status_ = LuStatus::ok;
};

}  // namespace daemark
