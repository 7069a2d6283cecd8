// The nonlinear system of r coupled stages, solved by Newton's method.
//
//   y_i = base_i + h Σ_j B_ij ẏ_j,   r(y_i, ẏ_i, t_i) = 0,   i = 1..r
//
// Unknowns per stage: ẏ of the differential components and y of the algebraic ones; `integral`
// components follow (ẏ ≡ y_source), so the stage matrix couples them through h²B². One-step stages
// (r = 1 or a block) and multistep formulas (r = 1, B = β_0/α_0) are all of this form. Structural
// and Nyström methods have further coefficients for the integral components, q_i = base_i +
// h² Σ_j B̄_ij v̇_j in place of B̄ = B².
//
// In real50 the stages are first solved in double, down to its round-off; wide arithmetic
// only corrects that. A correction comes from double factors and is no more than 16 digits, so what
// it adds to the stage values is summed in double: the products with hB, which dominate, are formed
// in wide scalars once a step.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/core/stepper.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

template <class S>
using DenseMatrix = std::vector<std::vector<S>>;

/// B and, where positions have other coefficients than B² (Newmark, Nyström), B̄; r × r, a row for
/// each stage.
struct StageCoefficients {
  StageCoefficients(DenseMatrix<wide> B, DenseMatrix<rational> exact_B = {})  // NOLINT: mostly B
      : B(std::move(B)), exact_B(std::move(exact_B)) {}
  DenseMatrix<wide> B, position;                  ///< position: B̄; empty: B²
  DenseMatrix<rational> exact_B, exact_position;  ///< the same for S = rational, where known
};

/// A point of the trajectory before a stage.
template <class S>
struct StagePoint {
  const S *y, *rate;
  S since;  ///< from there to the stage [s]
};

template <class F>
class StageAlgebra;
class TransformedBlocks;

template <class S>
class StageSystem {
 public:
  using F = FactorScalar<S>;
  /// real50.
  static constexpr bool extended = !is_exact<S> && !std::is_same_v<S, double>;

  /// What the target points to must outlive this object. `layout`: that of the target's factor
  /// system, shared between the stages of a method; null: one of its own.
  StageSystem(const Target<S>& target, const StageCoefficients& coefficients,
              const NewtonSettings& settings, StageLayoutPtr layout = nullptr);
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
  /// The same with the guess that `guess()` fills in. Where that fails, or what it leads to is
  /// questioned, and NewtonSettings::rescue says so, damped from what the points before give, the
  /// newest first, and then from the guess. The oldest point is the beginning of the step.
  template <class Guess>
  StepReport solve(const S& h, Counts& counts, Guess&& guess,
                   std::initializer_list<StagePoint<S>> before) {
    guess();
    if (before.size() > 0) beginning_ = *(before.end() - 1);
    const StepReport report = solve(h, counts);
    if (!is_rescued(report.status == Status::ok)) return report;
    if (rescue(h, counts, before)) return {};
    guess();
    if (report.status == Status::ok) return solve(h, counts);
    return solve_damped(h, counts) ? StepReport{} : report;
  }

 private:
  template <class>
  friend class StageSystem;
  using Run = ComponentRun;

  bool is_rescued(bool succeeded) const {
    if (is_exact<S> || settings_.rescue == Rescue::off) return false;
    return !succeeded || (wandered_ && settings_.rescue == Rescue::questioned);
  }
  void begin(const S& h);
  StepReport iterate(Counts& counts);
  bool rescue(const S& h, Counts& counts, std::initializer_list<StagePoint<S>> before);
  bool aim_at(const S* y, const S& ahead);
  bool solve_damped(const S& h, Counts& counts);
  bool approach(Counts& counts);
  bool linearise(Counts& counts);
  double distance_left() const;
  void copy_unknowns(bool out);
  void move_from_kept(double share);
  void set_step(const S& h);
  void solve_in_double(Counts& counts);
  void update_stages();
  void follow_correction(double norm);
  void evaluate(int i, bool with_jacobian, F* jacobian_y, F* jacobian_rate);
  void evaluate_full(Counts& counts);
  void evaluate_residual(Counts& counts);
  bool evaluate_simplified(Counts& counts, bool fresh);
  bool full_correction(Counts& counts);
  bool simplified_correction();
  double residual_norm() const;
  bool refresh_simplified(Counts& counts);
  double apply_correction();
  double correction_size() const;
  double noise(Counts& counts);
  double weighted_correction() const;
  double largest_correction() const;
  double euclidean_correction() const;
  double solution_size() const;
  bool positions_are_rounded(double increment) const;
  bool is_rounding(double increment) const;
  double left_over(bool linear, double norm) const;
  bool stops_by_step() const;
  double increment_in_use() const;
  static double left_share(double contraction);
  StepReport newton(bool simplified, Counts& counts);
  void count_evaluations(Counts& counts, int residuals, int jacobians) const;
  StepReport failure() const;

  ImplicitSystem<S>* system_;
  ImplicitSystem<F>* factor_system_;
  NewtonSettings settings_;
  StageLayoutPtr layout_;
  EvaluationPoints points_;
  const ComponentLists& lists_;
  int r_, size_, unknowns_;
  using Coefficient = std::conditional_t<is_exact<S>, rational, wide>;
  DenseMatrix<Coefficient> exact_B_, exact_position_;  ///< the second empty where it is B²
  std::vector<S> hB_, h2_position_;                    ///< h B and, where given, h²B̄, row-major
  S h_{};
  bool has_step_ = false;
  std::vector<S> base_, y_, rate_, time_, residual_, row_scale_;
  bool scaled_rows_ = false;
  const S* chart_ = nullptr;
  std::vector<F> factor_chart_;
  std::vector<F> factor_scale_, correction_, factor_y_, factor_rate_, factor_residual_;
  std::unique_ptr<StageAlgebra<F>> matrix_;
  std::unique_ptr<TransformedBlocks> transformed_;
  // Extended precision only: the same stages in double, hB and stage increments in double, and
  // whether y is behind the unknowns.
  std::unique_ptr<StageSystem<double>> in_double_;
  std::vector<double> double_hB_, double_h2_position_, increments_, zeros_;
  bool behind_ = true;
  bool wandered_ = false;  ///< an increment of the last solve was larger than the first one
  // Simplified Newton: age of the factorisation in solves, and how fast the last solve converged.
  int age_ = -1;
  double contraction_ = 0;
  std::vector<double> increment_weight_;  ///< of each unknown in Newton's test; empty: 1
  // Newton's test by the step: the beginning of the step, what rates move in the stages.
  StagePoint<S> beginning_{};
  std::vector<double> velocity_reach_, position_reach_;  ///< hB and h²B̄, row-major
  int positions_ = 0,
      level_ = 0;  ///< components that are positions; 2, 1 with rows of positions, velocities
  bool own_algebra_ = false;
  std::vector<S> kept_;       ///< solve_damped: the unknowns an increment starts from
  std::vector<F> increment_;  ///< and that increment
  LuStatus lu_status_ = LuStatus::ok;
  const char* lu_why_ = "";
};

}  // namespace daemark
