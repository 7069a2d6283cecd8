// Linear multistep formulas on an implicit system, as they stand and as single-step methods.
//
//   y_n = Σ_{j=1..k} α_j y_{n−j} + h Σ_{j=0..k} β_j ẏ_{n−j},   r(y_n, ẏ_n, t_n) = 0
//
// for the differential and integral components; algebraic ones are solved for, never integrated.
// Explicit formulas (β_0 = 0) take systems of index 0 and 1, whose rates are functions of the
// state. The step is fixed, but for formulas with a variable form: two-step formulas
// and backward differentiation (methods/multistep/variable_steps.hpp). First points:
// Settings::start.
#pragma once

#include <memory>
#include <optional>

#include "methods/core/method.hpp"

namespace daemark {

struct MultistepForm {
  Coefficients formula;  ///< k steps
  /// [m − 1]: the formula for the step that has m points before it, m = 1..k−1
  /// (start=lower_orders).
  std::vector<Coefficients> lower;
  /// The formula has no order above 3, which is what the local errors h³ of `lower` leave.
  bool lower_keeps_order = true;
  /// Two-step formulas with all roots at infinity at −ρ: their ρ, for variable steps.
  std::optional<rational> variable_rho = std::nullopt;
  bool backward_differences = false;  ///< of the k points, which has a form for variable steps

  bool variable() const { return variable_rho || backward_differences; }
  int steps() const { return static_cast<int>(formula.list("alpha").size()) - 1; }
};

/// Order p and C of the local error C h^(p+1) y^(p+1), over Σ β_j.
LeadingErrorTerm leading_error(const Coefficients& formula);

/// Of a formula from a file: lower orders are the trapezoidal rule and lms(m, 0).
MultistepForm multistep_form(const Coefficients& formula);

/// An explicit formula (beta_k = 0) takes its rates from the index-1 solve at the new point.
std::shared_ptr<const Method> multistep_method(MultistepForm form, Family family = {});

/// The n-step formula of flat_multistep.hpp as a single-step method with n − 1 auxiliary
/// derivatives (Zhang 2022, eq. 4), which needs no start:
///
///   y_n = y_{n−1} + h (ρ U_{n−1} + U_n)/(1+ρ),  U = ẏ / Π_i (1 + δ_i w),  w = (1−ρ)(E−1)/(E+ρ),
///   Π_i (1 + δ_i w) = Q(w)/w = Σ_k q_k w^{k−1}.
///
/// The paper's auxiliary derivatives u^i = Π_{l>i} (1 + δ_l w) U are complex for n ≥ 3, because δ_i
/// are. They are U + Σ_j e_ij z_j with z_j = w^j U and e_ij the symmetric functions of the δ_l, so
/// the real numbers z_1..z_{n−1} hold all of them and stay real and rational: this is what is kept
/// and what memory() shows. u^i = ẏ at the start is z_j = 0. Same method, same characteristic
/// polynomial, no complex arithmetic in any scalar, no roots of Q.
std::shared_ptr<const Method> single_step_method(int n, const rational& rho);

}  // namespace daemark
