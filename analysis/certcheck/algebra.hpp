// The checker's own small algebra: nothing here is shared with the prover but the number type.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/exact/numbers/number.hpp"

namespace daemark::certcheck {

using exact::Number;
using Row = std::vector<Number>;  // a vector, or a polynomial in ascending powers
using Table = std::vector<Row>;   // a matrix by rows

Row trimmed(Row p);
Number value(const Row& p, const Number& x);
Row product(const Row& p, const Row& q);
Row derivative(const Row& p);
/// p = q · result + rest.
Row divided(const Row& p, const Row& q, Row& rest);
Row common_divisor(Row p, Row q);

struct Complex {
  Number re, im;
};
Complex value(const Row& p, const Complex& z);
Number modulus_squared(const Complex& z);

Number dot(const Row& a, const Row& b);
Row image(const Table& m, const Row& x);
/// Solution of m x = b by Gauss–Jordan; empty when m is singular.
Row solution(Table m, Row b);
/// No negative pivot in symmetric elimination, and no entry beside a zero pivot.
bool positive_semidefinite(Table m);

/// Distinct real roots of p in the open interval, by a Sturm chain of its own.
int roots_between(const Row& p, const Number& lower, const Number& upper);
/// Sturm's rule on a chain that is itself checked: squarefree start, signed remainders, each
/// of those scaled to the leading coefficient 1 or -1.
bool valid_sturm_chain(const Table& chain);
int variations(const Table& chain, const Number& x);
int variations_at_infinity(const Table& chain);

Row scaled(Row p, const Number& factor);
/// All roots in Re z < 0: leading minors of the Hurwitz matrix positive, as pivots without exchange
/// (which are their ratios). `Scalar`: Number, or Interval for every polynomial of a box.
template <class Scalar, class Positive>
bool has_hurwitz_minors(const std::vector<Scalar>& p, const Positive& positive) {
  const int n = static_cast<int>(p.size()) - 1;
  const auto coefficient = [&](int i) { return i >= 0 && i <= n ? p[i] : Scalar(0); };
  std::vector<std::vector<Scalar>> m(p.size() - 1, std::vector<Scalar>(p.size() - 1));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m[i][j] = coefficient(n - (2 * (j + 1) - (i + 1)));
  for (int k = 0; k < n; ++k) {
    if (!positive(m[k][k])) return false;
    for (int i = k + 1; i < n; ++i) {
      const Scalar factor = m[i][k] / m[k][k];
      for (int j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
    }
  }
  return true;
}
bool hurwitz(const Row& p);
/// All roots in |z| < 1, by the Schur–Cohn reduction.
bool schur(Row p);
/// All roots in |z| <= 1 and simple on the circle (Cohn's theorem for the self-inversive part).
bool root_condition(const Row& from);

}  // namespace daemark::certcheck
