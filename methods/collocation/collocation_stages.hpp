// Collocation steps on a mechanism: the formula, its error estimate, its polynomial, its stages.
#pragma once

#include <complex>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"
#include "problems/formulations/mechanical_formulation.hpp"

namespace daemark {

// What a collocation method brings to a step with a simplified Newton iteration: its matrix, the
// eigenvectors that decouple the stages, and the polynomial through the stages.
//
//   A = T diag(α) T⁻¹: one real eigenvalue α for an odd number of stages, the others in pairs.
//
// The estimate compares rates with the polynomial through other rates, at the beginning,
//
//   e = hγ (ẏ_0 − Σ_j ℓ_j(0) Ẏ_j),  c_1 > 0,   e = hγ (Ẏ_1 − Σ_{j>1} ℓ_j(0) Ẏ_j),  c_1 = 0
//   (Lobatto),
//
// of order s + 1 and s. γ is the real eigenvalue; |det A|^(1/s) where there is none, which would be
// an estimate of nothing.

/// Rounded for the linear algebra of corrections, which is in double in every precision.
struct CollocationFormula {
  using Complex = std::complex<double>;
  /// One of a pair of eigenvalues, or the real one: a row of T⁻¹.
  struct Part {
    Complex eigenvalue;
    bool real = false;
    std::vector<double> to_part_re, to_part_im;
  };

  /// All nodes distinct.
  explicit CollocationFormula(const WideTableau& tableau);

  int stages;
  std::vector<double> A, inverse, inverse2;  ///< A, A⁻¹, A⁻², row-major
  double estimate_start = 1;                 ///< of ẏ_0 in the estimate
  std::vector<wide> estimate;         ///< of Ẏ_j; rounded, it would bound the estimate below
  int order = 0, estimate_order = 0;  ///< of the steps on index 1; power of h in the estimate
  bool ends_step = false;             ///< the last stage is the step end
  double gamma = 0;                   ///< γ
  bool has_real = false;              ///< γ is an eigenvalue
  std::vector<Part> parts;
  /// stages × stages: columns of T, real and −imaginary parts (doubled for pairs), against the
  /// parts' solutions, real and imaginary below each other.
  std::vector<double> to_stages;
};

/// The polynomial through values at 0, c_1, …, c_s; where c_1 = 0, that of the first stage has the
/// weight 0.
template <class S>
class StagePolynomial {
 public:
  explicit StagePolynomial(const std::vector<wide>& nodes);

  int points() const { return points_; }
  /// Weights of its value at θ, in units of the step.
  void value(const S& theta, S* weights) const;
  /// Weights of ∫ and ∫∫ from 0 to θ.
  void integrals(const S& theta, S* once, S* twice) const;

 private:
  int points_, skipped_;          ///< skipped_: values behind the first without a node, 0 or 1
  std::vector<S> nodes_, scale_;  ///< distinct; 1/Π_{k≠j} (x_j − x_k)
  std::vector<S> monomials_;      ///< [j·nodes + k]: coefficient of θ^k in ℓ_j
};

// The stages of one collocation step on a mechanism. Unknowns are v̇ and λ (and μ where positions
// are stabilised); with t_i = t_0 + c_i h
//
//   v_i = v_0 + h Σ_j a_ij v̇_j,  q_i = q_0 + h Σ_j a_ij q̇_j,  q̇_j = v_j  (stabilised: v_j − Gᵀμ_j)
//   R(t_i, q_i, v_i, v̇_i, λ_i) = 0,  C(t_i, q_i, v_i, v̇_i) = 0      (stabilised: Φ(t_i, q_i) = 0).

/// A collocation method in S, and rounded.
template <class S>
struct StageFormula {
  explicit StageFormula(const WideTableau& tableau)
      : stages(tableau.stages()), rounded(tableau), polynomial(tableau.c) {
    for (const auto& row : tableau.A)
      for (const wide& a : row) A.push_back(from_wide<S>(a));
    for (const wide& node : tableau.c) c.push_back(from_wide<S>(node));
    for (const wide& weight : tableau.b) b.push_back(from_wide<S>(weight));
    for (const wide& weight : rounded.estimate) estimate.push_back(from_wide<S>(weight));
  }
  int stages;
  std::vector<S> A, b, c, estimate;  ///< A row-major; CollocationFormula::estimate
  CollocationFormula rounded;
  StagePolynomial<S> polynomial;
};

/// y and ẏ of the beginning of a step, row 0, of its stages, rows 1, 2, …, and behind them of its
/// end, where that is no stage.
template <class S>
struct StageRows {
  StageRows(int rows, int size)
      : size(size), values(static_cast<std::size_t>(rows) * size, S(0)), rates(values) {}
  S* y(int row) { return &values[static_cast<std::size_t>(row) * size]; }
  S* rate(int row) { return &rates[static_cast<std::size_t>(row) * size]; }
  const S* y(int row) const { return &values[static_cast<std::size_t>(row) * size]; }
  const S* rate(int row) const { return &rates[static_cast<std::size_t>(row) * size]; }
  int size;
  std::vector<S> values, rates;
};

/// 1 over what is allowed of an error in each position and velocity.
struct StepWeights {
  std::vector<double> q, v;
  double operator()(const double* eq, const double* ev) const;  ///< the largest; NaN if one is
};

template <class S>
class CollocationStages {
 public:
  CollocationStages(const Target<S>& target, const ConstraintLevels<S>& levels, int most_stages);

  /// A step h from `state` with as many stages as the formula has.
  void begin(const State<S>& state, const S& h, const StageFormula<S>& formula);
  /// First guess: the polynomial through the rows of the last step, `ratio` this step over that;
  /// no formula: the rates at the beginning.
  void predict(const StageRows<S>& last, const StageFormula<S>* last_formula, const S& ratio);
  /// Derivatives at stage `row` into what `out` names, in double.
  void linearise(int row, const MotionValues<double>& out);
  /// The rows (R, C) of all stages, stages × (n + m).
  void residuals(double* x);
  /// Adds corrections of (v̇, λ); G at the linearised stage, by pattern entry, and its derivatives
  /// are those of `gradient`. The largest change of a position or velocity, weighted.
  double apply(const double* x, const std::vector<double>& gradient, const StepWeights& weights);
  /// Factors what stabilised positions need, after linearise(); false where G has not full rank.
  bool factor_stabilisation(const std::vector<double>& gradient);
  /// e, n entries: its part along the constraints, in the Euclidean metric. Stabilised only.
  void project_position(double* e);

  /// Fills in the row of the step end, where that is no stage: v̇ and λ from the polynomial.
  void reach_end();
  int end_row() const { return formula_->stages + (formula_->rounded.ends_step ? 0 : 1); }
  /// At the step end: (R, Φ̈), Φ̇, Φ, n + 3 m entries, and M, G into `motion`.
  void end_values(double* rows, MotionValues<double> motion);

  StageRows<S>& rows() { return rows_; }
  const StageRows<S>& rows() const { return rows_; }
  const StageFormula<S>& formula() const { return *formula_; }
  bool stabilised() const { return levels_.stabilised; }

 private:
  void integrate_positions();
  void integrate();
  void stabilise(const std::vector<double>& gradient);
  S time(int row) const {
    return row == 0 ? t_ : row > formula_->stages ? S(t_ + h_) : S(t_ + formula_->c[row - 1] * h_);
  }
  MotionPoint<S> point(int row) const;

  MechanicalSystem<S>& mechanism_;
  MechanicalSystem<double>& in_double_;
  ConstraintLevels<S> levels_;
  int n_, m_, u_;
  const StageFormula<S>* formula_ = nullptr;
  StageRows<S> rows_;
  S t_{}, h_{};
  const S* chart_ = nullptr;
  std::vector<S> hA_, residual_, zeros_, weights_;  ///< residual_: n + 3 m
  std::vector<double> hA_double_, dv_, dq_, no_, chart_double_, point_;
  // Stabilised positions: Φ and G of every stage; [1 Gᵀ; G 0] and right sides of it.
  std::vector<S> position_, gradients_;
  SparseLu<double> gram_;
  std::vector<double> gram_values_, right_, drift_;
};

}  // namespace daemark
