#include "analysis/exact/theory/second_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/exact/theory/multistep.hpp"
#include "analysis/roots/eigenvalues.hpp"

namespace daemark {
namespace {

constexpr int highest = 12;  // powers of z kept

using Series = std::vector<rational>;

Series product(const Series& a, const Series& b) {
  Series out(highest + 1, rational(0));
  for (int i = 0; i <= highest; ++i)
    for (int j = 0; i + j <= highest; ++j) out[i + j] += a[i] * b[j];
  return out;
}

/// By expansion along the first row: the matrices have three or four rows.
template <class T, class Add, class Multiply>
T determinant(const std::vector<std::vector<T>>& m, const T& zero, Add add, Multiply multiply) {
  if (m.size() == 1) return m[0][0];
  T sum = zero;
  for (std::size_t column = 0; column < m.size(); ++column) {
    std::vector<std::vector<T>> minor(m.begin() + 1, m.end());
    for (auto& row : minor) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    add(sum, multiply(m[0][column], determinant(minor, zero, add, multiply)),
        column % 2 == 0 ? 1 : -1);
  }
  return sum;
}

/// det(e^z N − P) with eigenvalues z and s z.
Series residual(const ExactSecondOrder& step, const rational& s) {
  Series exponential{rational(1)};
  for (int i = 1; i <= highest; ++i) exponential.push_back(exponential.back() / i);
  const auto entry = [&s](const ExactSecondOrder::Entry& e) {
    Series out(highest + 1, rational(0));
    out[0] = e.constant, out[1] = -(1 + s) * e.damping, out[2] = s * e.stiffness;
    return out;
  };
  std::vector<std::vector<Series>> m;
  for (std::size_t i = 0; i < step.next.size(); ++i) {
    m.emplace_back();
    for (std::size_t j = 0; j < step.next.size(); ++j) {
      m.back().push_back(product(exponential, entry(step.next[i][j])));
      const Series previous = entry(step.previous[i][j]);
      for (int p = 0; p <= highest; ++p) m.back().back()[p] -= previous[p];
    }
  }
  return determinant(
      m, Series(highest + 1, rational(0)),
      [](Series& to, const Series& term, int sign) {
        for (int i = 0; i <= highest; ++i) to[i] += sign * term[i];
      },
      product);
}

int order_with(const ExactSecondOrder& step, const rational& s) {
  const Series r = residual(step, s);
  const auto first = std::find_if(r.begin(), r.end(), [](const rational& x) { return x != 0; });
  return static_cast<int>(first - r.begin()) - 2;
}

}  // namespace

int linear_order(const ExactSecondOrder& step) {
  // A power of z has a polynomial in s of no higher degree: so many values and one decide it. The
  // double eigenvalue s = 1 is left out.
  int order = highest;
  for (int s = 2; s <= highest + 3; ++s) order = std::min(order, order_with(step, rational(s)));
  return order;
}

int order_on_problems(const ExactSecondOrder& step) { return std::min(linear_order(step), 2); }

int undamped_order(const ExactSecondOrder& step) { return order_with(step, rational(-1)); }

double largest_root(const std::vector<rational>& polynomial) {
  std::size_t degree = polynomial.size();
  while (degree > 0 && polynomial[degree - 1] == 0) --degree;
  if (degree < 2) return 0;
  --degree;
  std::vector<std::vector<long double>> companion(degree, std::vector<long double>(degree, 0));
  for (std::size_t i = 0; i < degree; ++i) {
    if (i > 0) companion[i][i - 1] = 1;
    companion[i][degree - 1] =
        -static_cast<long double>(rational(polynomial[i] / polynomial[degree]));
  }
  return static_cast<double>(largest_modulus(nonzero_eigenvalues(companion)));
}

}  // namespace daemark

namespace daemark::exact {

namespace {

/// A polynomial in c, k and ζ.
using Terms = std::map<std::array<int, 3>, rational>;

void add(Terms& to, const Terms& from, int sign) {
  for (const auto& [powers, value] : from) {
    rational& sum = to[powers];
    sum += sign * value;
    if (sum == 0) to.erase(powers);
  }
}

Terms product(const Terms& a, const Terms& b) {
  Terms out;
  for (const auto& [p, x] : a)
    for (const auto& [q, y] : b)
      add(out, {{{p[0] + q[0], p[1] + q[1], p[2] + q[2]}, rational(x * y)}}, 1);
  return out;
}

/// By powers of ζ, those that are free of roots 0.
std::vector<DampedPoly> characteristic(const ExactSecondOrder& step) {
  std::vector<std::vector<Terms>> m(step.next.size());
  const auto put = [](Terms& to, const ExactSecondOrder::Entry& e, int zeta, int sign) {
    for (const auto& [powers, value] :
         Terms{{{0, 0, zeta}, e.constant}, {{1, 0, zeta}, e.damping}, {{0, 1, zeta}, e.stiffness}})
      if (value != 0) add(to, {{powers, value}}, sign);
  };
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) {
      Terms& entry = m[i].emplace_back();
      put(entry, step.next[i][j], 1, 1);
      put(entry, step.previous[i][j], 0, -1);
    }
  std::vector<DampedPoly> out(m.size() + 1);
  for (const auto& [powers, value] : daemark::determinant(
           m, Terms(), [](Terms&to, const Terms&from, int sign) { add(to, from, sign); },
           [](const Terms&a, const Terms&b) { return product(a, b); }))
    out[powers[2]][{powers[0], powers[1]}] = value;
  while (!out.empty() && out.front().empty()) out.erase(out.begin());
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

DampedPoly combined(const DampedPoly& a, const rational& weight, const DampedPoly& b) {
  DampedPoly out = a;
  for (const auto& [powers, value] : b) {
    rational& sum = out[powers];
    sum += weight * value;
    if (sum == 0) out.erase(powers);
  }
  return out;
}

DampedPoly product(const DampedPoly& a, const DampedPoly& b) {
  DampedPoly out;
  for (const auto& [p, x] : a)
    for (const auto& [q, y] : b)
      out =
          combined(out, rational(1), {{{p.first + q.first, p.second + q.second}, rational(x * y)}});
  return out;
}

/// (1 − w)^d P((1 + w)/(1 − w)).
std::vector<DampedPoly> to_half_plane(const std::vector<DampedPoly>& p) {
  const int d = static_cast<int>(p.size()) - 1;
  const Poly plus({Number(1), Number(1)}), minus({Number(1), Number(-1)});
  std::vector<DampedPoly> out(d + 1);
  for (int i = 0; i <= d; ++i) {
    const Poly weights = power(plus, i) * power(minus, d - i);
    for (int w = 0; w <= d; ++w)
      if (!weights[w].is_zero()) out[w] = combined(out[w], weights[w].to_rational(), p[i]);
  }
  return out;
}

/// > 0 (strict) or >= 0 for all k > 0, c >= 0, as far as signs of coefficients tell.
bool positive(const DampedPoly& p, bool strict) {
  bool pure = false;
  for (const auto& [powers, value] : p) {
    if (value < 0) return false;
    pure = pure || powers.first == 0;
  }
  return !strict || pure;
}

/// Routh and Hurwitz up to degree 3; a vanishing leading coefficient is one root ζ = −1.
bool signs_hold(std::vector<DampedPoly> q) {
  if (q.back().empty()) q.pop_back();
  const int d = static_cast<int>(q.size()) - 1;
  if (d < 1 || d > 3 || !positive(q[0], true) || !positive(q[d], true)) return false;
  if (d == 2) return positive(q[1], false);
  if (d == 1) return true;
  return positive(q[1], true) && positive(q[2], true) &&
         positive(combined(product(q[1], q[2]), rational(-1), product(q[0], q[3])), false);
}

bool stable_at(const ExactSecondOrder& step, const rational& k) {
  return root_condition(characteristic_at(step, 0, k));
}

/// k = 2^-20, 2^-19, ..., 2^40: the first that is unstable.
std::optional<rational> first_unstable(const ExactSecondOrder& step) {
  rational k = rational(1) / (1L << 20);
  for (int i = -20; i <= 40; ++i, k *= 2)
    if (!stable_at(step, k)) return k;
  return std::nullopt;
}

double limit_below(const ExactSecondOrder& step, const rational& unstable) {
  rational lower = unstable / 2, upper = unstable;
  for (int i = 0; i < 60; ++i) {
    const rational middle = (lower + upper) / 2;
    (stable_at(step, middle) ? lower : upper) = middle;
  }
  return std::sqrt(to_double(upper));
}

/// Coefficients of the highest power of k, where no term with damping is as large for c ~ √k.
Poly leading_in_stiffness(const std::vector<DampedPoly>& p) {
  int top = 0;
  for (const DampedPoly& q : p)
    for (const auto& [powers, value] : q) top = std::max(top, powers.first + 2 * powers.second);
  std::vector<Number> out;
  for (const DampedPoly& q : p) {
    Number sum;
    for (const auto& [powers, value] : q) {
      if (powers.first + 2 * powers.second != top) continue;
      if (powers.first != 0) return {};
      sum = Number(value);
    }
    out.push_back(sum);
  }
  return Poly(out);
}

}  // namespace

Poly characteristic_at(const ExactSecondOrder& step, const rational& c, const rational& k) {
  std::vector<Number> out;
  for (const DampedPoly& p : characteristic(step)) {
    rational sum = 0;
    for (const auto& [powers, value] : p) {
      rational term = value;
      for (int i = 0; i < powers.first; ++i) term *= c;
      for (int i = 0; i < powers.second; ++i) term *= k;
      sum += term;
    }
    out.emplace_back(sum);
  }
  return Poly(out);
}

SecondOrderProof prove_second_order(const ExactSecondOrder& step) {
  SecondOrderProof proof;
  proof.linear_order = linear_order(step);
  proof.undamped_order = undamped_order(step);
  proof.order = order_on_problems(step);
  const std::vector<DampedPoly> p = characteristic(step);
  proof.degree = static_cast<int>(p.size()) - 1;
  proof.half_plane = to_half_plane(p);
  const Poly infinity = leading_in_stiffness(p);
  if (!infinity.is_zero()) proof.at_infinity = infinity.monic();
  if (signs_hold(proof.half_plane)) {
    proof.a_stable = true;
    const bool at_zero = proof.at_infinity == Poly::monomial(1, proof.degree);
    if (!proof.at_infinity.is_zero()) proof.l_stable = at_zero;
    return proof;
  }
  proof.witness = first_unstable(step);
  if (!proof.witness) return proof;
  proof.a_stable = proof.l_stable = false;
  proof.undamped_limit = limit_below(step, *proof.witness);
  proof.reason = "a root lies outside the unit circle, or a double one on it, at (omega h)^2 = " +
                 rational_text(*proof.witness) + " without damping";
  return proof;
}

std::optional<double> modulus_at_infinity(const ExactSecondOrder& step) {
  std::vector<DampedPoly> undamped = characteristic(step);
  for (DampedPoly& p : undamped) std::erase_if(p, [](const auto& e) { return e.first.first > 0; });
  const Poly limit = leading_in_stiffness(undamped);
  if (limit.is_zero()) return std::nullopt;
  if (limit.degree() + 1 < static_cast<int>(undamped.size()))
    return std::numeric_limits<double>::infinity();
  // Multiple roots, which round-off would scatter, once.
  const Poly simple = quotient(limit, gcd(limit, limit.derivative()));
  std::vector<rational> coefficients;
  for (const Number& x : simple.coefficients()) coefficients.push_back(x.to_rational());
  return largest_root(coefficients);
}

}  // namespace daemark::exact
