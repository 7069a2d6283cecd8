// What an interpolant y(t_0 + θh) = y_0 + h Σ b_i(θ) Ẏ_i is, over the stages of a method and
// further ones: its order at every θ, and how it meets the ends of the step.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/rounding.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

/// T is Number, or Ball where coefficients are known to their digits only.
template <class T>
struct Interpolant {
  std::vector<std::vector<T>> a;        ///< of all stages, square
  std::vector<T> b, c;                  ///< b: of the method, 0 at further stages
  std::vector<std::vector<T>> weights;  ///< row k: the coefficients of θ^(k+1) in b_i(θ)
};
Interpolant<Number> interpolant_of(const TableauNumbers& numbers);
Interpolant<Ball> enclosed_interpolant(const Tableau<Expression>& tableau);

/// All conditions Σ b_i(θ) Φ_i(t) = θ^r/γ(t), r vertices, hold up to the order, power by power of
/// θ.
template <class T>
struct InterpolantProof {
  RoundedOrder order;  ///< residuals are 0 of exact numbers; at_least: no tree fails up to there
  std::string failing_tree;  ///< the first of the next order that fails,
  int power = 0;             ///< in its lowest power of θ that fails
  T weight;                  ///< Σ_i (coefficient of that power in b_i) Φ_i(t)
  rational target;
  std::string defect;  ///< where it does not end in b, or row sums of further stages are not c
  bool ends_in_b = true;
  /// Its derivative at the ends is the rate there, of every equation: steps join with a continuous
  /// derivative. Decided by the classes of stages that are equal for every equation.
  bool smooth_at_start = false, smooth_at_end = false;
  bool smooth() const { return smooth_at_start && smooth_at_end; }
};
template <class T>
InterpolantProof<T> prove_interpolant(const Interpolant<T>& method);

}  // namespace daemark::exact
