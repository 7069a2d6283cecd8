// Properties of a method that order theory needs, derived from its coefficients: the one source for
// `show`, `converge`, `reproduce` and `verify`.
//
// Decided exactly (analysis/exact) where the method has exact coefficients and few stages;
// otherwise from coefficients at 130 digits: a condition holds if its residual is below the
// rounding errors of its terms. Declared decimals: analysis/exact/theory/rounding.hpp.
#pragma once

#include <optional>

#include "analysis/exact/theory/runge_kutta.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

struct MethodFacts {
  int stages = 0;
  int order = 0;     ///< p
  int c = 0, d = 0;  ///< simplifying assumptions C(eta), D(xi)
  bool explicit_first_stage = false;
  bool regular = false;  ///< A, or what is left of it after an explicit first stage, is invertible
  bool stiffly_accurate = false;
  bool damped = false;          ///< |R(infinity)| < 1
  int b = 0;                    ///< B(p)
  bool order_is_bound = false;  ///< the order may be higher: no condition that was tried fails
  bool row_sums = true;         ///< Σ_j a_ij = c_i
  std::optional<wide> at_infinity = std::nullopt;  ///< R(∞); empty: R has a pole there
  bool exact = false;                              ///< decided, not rounded
  /// Multipliers at step ends come from an index-1 solve, as a function of (q, v).
  bool solves_end_rates = false;
  WideTableau tableau = {};  ///< for orders on index 2 and 3; empty: not known
  double unit = 1e-60;       ///< what its coefficients may be off by
  int stage_order() const { return b < c ? b : c; }
};

/// For methods with a tableau; empty for others.
std::optional<MethodFacts> method_facts(const Method& method);

/// At 130 digits, of which 30 may cancel.
MethodFacts facts_of(const WideTableau& tableau);
MethodFacts facts_of(const exact::MethodProof& proof, const WideTableau& tableau = {});
/// For declared decimals: orders to the accuracy of their digits, as in `verify`; all else for the
/// written numbers.
MethodFacts facts_of_decimals(const Coefficients& tableau);

/// The order of a multistep formula, of declared decimals to the accuracy of their digits.
int order_of(const Coefficients& formula);

}  // namespace daemark
