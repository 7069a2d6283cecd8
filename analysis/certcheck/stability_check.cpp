// Stability functions: R at points, E on the axis, order against exp, A- and L-stability.
#include <algorithm>

#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

namespace {

bool equals_axis_polynomial(const Row& e, const Row& num, const Row& den) {
  const std::size_t points = std::max({e.size(), num.size(), den.size()}) + 1;
  for (std::size_t i = 1; i <= points; ++i) {
    const Number y(static_cast<long>(i));
    const Complex z{Number(0), y};
    const Number left = value(e, y * y);
    if (!(left == modulus_squared(value(den, z)) - modulus_squared(value(num, z)))) return false;
  }
  return true;
}

bool no_negative(const Row& e) {
  return std::none_of(e.begin(), e.end(), [](const Number& c) { return c.sign() < 0; });
}

/// E >= 0 for x > 0: no negative coefficient, or no change of sign by a Sturm chain.
void check_axis(const Reader& reader, const Json& stability, const Row& e) {
  if (no_negative(e)) {
    require_value(stability, "axis", "no coefficient of E is negative");
    return;
  }
  const Json& axis = stability.at("axis");
  require_keys(axis, "axis", {"odd", "square", "chain"});
  const Row odd = reader.polynomial(axis, "odd"), square = reader.polynomial(axis, "square");
  Row right = product(odd, product(square, square));
  std::size_t shift = 0;
  while (e[shift].is_zero()) ++shift;
  right.insert(right.begin(), shift, Number(0));
  require(!square.empty() && square.back() == Number(1), "square: not monic");
  require(right == e, "axis: E is not x^m odd square^2");
  const Table chain = reader.polynomials(axis, "chain");
  require(valid_sturm_chain(chain) && chain.front() == odd, "chain: no Sturm chain of odd");
  require(odd.back().sign() > 0 && variations(chain, Number(0)) == variations_at_infinity(chain),
          "A_stable: E changes its sign on the axis");
}

/// A point of the closed left half-plane where |R| > 1; upper half, R being real.
void check_witness(const Reader& reader, const Json& witness, const Row& num, const Row& den) {
  require_keys(witness, "witness", {"real", "imaginary", "modulus_squared"});
  const rational re = fraction(witness, "real"), im = fraction(witness, "imaginary");
  require(re <= 0 && im >= 0, "witness: not in the upper left quarter");
  const Complex z{Number(re), Number(im)};
  const Number above = modulus_squared(value(num, z)), below = modulus_squared(value(den, z));
  require(!below.is_zero(), "witness: a pole");
  require(above == below * reader.number(witness, "modulus_squared"),
          "modulus_squared: another value");
  require(above > below, "witness: |R| is not above 1");
}

/// e^z - R(z) = constant z^(order+1) + ...
void check_series(const Json& stability, const Row& num, const Row& den, const Number& constant) {
  const int last = static_cast<int>(num.size() + den.size());  // Padé: exact to two below
  for (int power = 0; power <= last; ++power) {
    Number sum;  // of den e^z - num
    for (int i = 0; i < static_cast<int>(den.size()) && i <= power; ++i) {
      rational factorial = 1;
      for (int f = 2; f <= power - i; ++f) factorial *= f;
      sum += den[i] / Number(factorial);
    }
    if (power < static_cast<int>(num.size())) sum -= num[power];
    if (sum.is_zero()) continue;
    require_value(stability, "order_of_R", power - 1);
    require(sum == constant, "error_constant: derived " + sum.text());
    return;
  }
  throw Refused("num: a rational function cannot equal exp");
}

/// Undecided is accepted only beyond the size where the prover gives up as well.
bool too_large(const Row& e) {
  constexpr long most = 4000000;
  long bits = 0, lowest = 0, field = 1;
  while (e[lowest].is_zero()) ++lowest;
  for (const Number& c : e) {
    bits = std::max(bits, c.bits());
    if (!c.is_rational()) field = 16;
  }
  const long degree = static_cast<long>(e.size()) - 1 - lowest;
  return degree * degree * bits * field > most;
}

}  // namespace

/// num/den against 1 + z b'(I - zA)^-1 1 at more points than their degrees can fake.
bool equals_stability_function(const Row& num, const Row& den, const Method& method,
                               const Row& weights) {
  const int s = static_cast<int>(method.b.size());
  if (num.size() > method.b.size() + 1 || den.size() > method.b.size() + 1) return false;
  int good = 0;
  for (long point = 1; good < 2 * s + 2; ++point) {
    const Number z(point);
    Table m = method.a;
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) m[i][j] = Number(i == j ? 1 : 0) - z * m[i][j];
    const Row x = solution(m, method.one);
    if (x.empty()) continue;  // a pole
    if (!(value(num, z) == value(den, z) * (Number(1) + z * dot(weights, x)))) return false;
    ++good;
  }
  return true;
}

void check_stability(const Reader& reader, const Json& stability, const Method& method,
                     const Row& weights) {
  require(stability.is_object(), "stability: no object");
  const Row num = reader.polynomial(stability, "num"), den = reader.polynomial(stability, "den");
  require(equals_stability_function(num, den, method, weights), "num: num/den is not R");
  check_stability(reader, stability);
}

void check_stability(const Reader& reader, const Json& stability) {
  require_keys(stability, "stability",
               {"num", "den", "order_of_R", "error_constant", "R_at_infinity", "A_stable",
                "L_stable", "E", "axis", "witness"});
  const Row num = reader.polynomial(stability, "num"), den = reader.polynomial(stability, "den");
  require(!num.empty() && !den.empty() && den[0] == Number(1), "den: den(0) is not 1");
  require(common_divisor(num, den).size() == 1, "den: has a factor in common with num");
  check_series(stability, num, den, reader.number(stability, "error_constant"));
  const bool vanishes = num.size() < den.size();
  if (num.size() > den.size()) {
    require_value(stability, "R_at_infinity", "unbounded");
  } else {
    require(reader.number(stability, "R_at_infinity") ==
                (vanishes ? Number(0) : num.back() / den.back()),
            "R_at_infinity: another value");
  }
  const Row e = reader.polynomial(stability, "E");
  require(e.size() <= std::max(num.size(), den.size()) && equals_axis_polynomial(e, num, den),
          "E: not |D(iy)|^2 - |N(iy)|^2");
  Row mirrored = den;
  for (std::size_t i = 1; i < mirrored.size(); i += 2) mirrored[i] = -mirrored[i];
  const bool right_poles = hurwitz(mirrored);
  if (stability.at("A_stable").is_null()) {
    require(stability.at("L_stable").is_null() && stability.at("axis").is_null() &&
                stability.at("witness").is_null(),
            "A_stable: undecided, but something else is not");
    require(right_poles && !no_negative(e) && too_large(e), "A_stable: null, but it is decidable");
    return;
  }
  const bool a_stable = truth(stability, "A_stable");
  if (a_stable) {
    require(stability.at("witness").is_null(), "witness: of an A-stable method");
    check_axis(reader, stability, e);
    require(right_poles, "A_stable: a pole with Re z <= 0");
  } else {
    require(stability.at("axis").is_null(), "axis: of a method that is not A-stable");
    if (stability.at("witness").is_null())
      require(!right_poles, "witness: missing, and all poles lie in the right half-plane");
    else
      check_witness(reader, stability.at("witness"), num, den);
  }
  require_value(stability, "L_stable", a_stable && vanishes);
}

}  // namespace daemark::certcheck
