// Exact expressions: how every number enters daemark (tableaus, command line, experiments).
//
// Grammar: integers, decimals, 2e-6, + - * / ^ (integer exponent, of a rational number >= 0 also
// a fraction, 2^(1/3)), parentheses, sqrt(e), cos(e)/sin(e) of rational multiples of `pi`,
// root(polynomial in x, lo, hi) = the one root of the polynomial in (lo, hi), and, where the caller
// allows it, named variables such as `h`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

struct ExpressionNode {
  enum class Op { number, variable, add, sub, mul, div, neg, pow, sqrt, cos_pi, sin_pi, root };
  Op op;
  rational value;  ///< number: its value; cos_pi, sin_pi: the rational multiple of pi
  /// number: it was written with a point or an exponent; cos_pi, sin_pi, root: such a number occurs
  /// inside
  bool decimal = false;
  std::string name;                                         ///< variable
  int exponent = 0;                                         ///< pow
  std::vector<std::shared_ptr<const ExpressionNode>> args;  ///< operands; root: none
  std::vector<rational> polynomial;  ///< root: coefficients, ascending powers
  rational lower, upper;             ///< root: the open interval that isolates it
  wide root_value = 0;               ///< root: its value, computed once when it is read
};

class Expression {
 public:
  Expression() : Expression(rational(0)) {}
  explicit Expression(const rational& value);

  /// Throws BadInput naming `where`, the text and what is accepted. Refuses nesting deeper than
  /// 200, texts over 10 000 characters, division by an exact zero, sqrt of an exact negative, a
  /// root interval that holds no root or several, unknown names.
  static Expression parse(std::string_view text, std::string_view where,
                          const std::vector<std::string>& variables = {});

  const std::string& text() const { return text_; }
  const ExpressionNode& root() const { return *root_; }
  bool has_decimal() const;      ///< a decimal or exponent literal occurs
  bool is_rational() const;      ///< only + - * / ^ of numbers
  rational as_rational() const;  ///< throws BadInput unless is_rational()

  /// Value in S, rounded once (evaluated in `wide`). Throws BadInput where it is not a real number
  /// (sqrt of a negative, division by zero) or, for rational, not rational.
  template <class S>
  S eval(const std::map<std::string, wide>& variables = {}) const;

 private:
  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

}  // namespace daemark
