// Values of expression nodes: exact while + - * / ^ of numbers, perfect squares and the rational
// cosines allow it, otherwise in `wide`. Shared by the parser (which refuses 1/0 and sqrt(-1) at
// once) and by evaluation. Internal to base/numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

/// Why an expression has no real value: "division by zero". Callers add text, place and `accepted`.
struct NotReal {
  std::string reason;
};

struct NodeValue {
  bool known = true;              ///< false: a variable below has no value (yet)
  bool constant = true;           ///< no variable below
  std::optional<rational> exact;  ///< set where the value is exactly known
  wide approximate = 0;           ///< used where `exact` is not set

  static NodeValue of(const rational& value) { return {true, true, value, 0}; }
  static NodeValue of(const wide& value) { return {true, true, std::nullopt, value}; }
  wide as_wide() const { return exact ? wide(*exact) : approximate; }
};

/// Value of a node that is not a variable from those of its operands. Throws NotReal.
NodeValue node_value(const ExpressionNode& node, const std::vector<NodeValue>& operands);

/// Bits of numerator and denominator together.
std::size_t bit_size(const rational& value);

/// `value` unless it is beyond the size limit of exact numbers (40 000 bits). Throws NotReal.
const rational& size_checked(const rational& value);

/// base^exponent, |exponent| <= 1000. Throws NotReal for 0^0, 0^-n and results beyond the limit.
rational exact_power(const rational& base, int exponent);

/// The polynomial in x that the tree describes, ascending powers, last one nonzero (empty: zero).
/// Throws NotReal when it is none with rational coefficients or has a degree over 200.
std::vector<rational> polynomial_of(const ExpressionNode& node);

/// r such that the tree is r * pi, `pi` being a variable. Throws NotReal when there is none.
rational multiple_of_pi(const ExpressionNode& node);

}  // namespace daemark
