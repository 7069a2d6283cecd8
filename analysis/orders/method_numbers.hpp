// What the coefficients of a Runge–Kutta method say of it, derived at 130 digits for `show`.
// `daemark verify` decides the same things exactly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

struct MethodNumbers {
  int stages = 0;
  int order = 0;
  bool order_is_bound = false;  ///< the order may be higher: no tree up to `order` fails
  int stage_order = 0;
  bool row_sums = true;  ///< Σ_j a_ij = c_i
  bool stiffly_accurate = false;
  std::optional<wide> at_infinity;  ///< R(∞) of the stability function; empty: it has a pole there
};

/// `decimal`: the coefficients are declared decimals, checked at 10 digits only.
MethodNumbers method_numbers(const WideTableau& tableau, bool decimal);

/// "1/3" where a fraction with a denominator below 10^12 agrees to 100 digits, else `digits`
/// digits.
std::string coefficient_text(const wide& value, int digits);

}  // namespace daemark
