#include "analysis/exact/certcheck/reader.hpp"

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

bool axis_proved(const Reader& reader, const Json& stability, const Row& e) {
  if (e.empty()) return true;
  Row odd = reader.row(stability.at("E_odd")), square = reader.row(stability.at("E_square"));
  Row right = product(odd, product(square, square));
  const std::size_t shift = stability.at("E_zero_multiplicity").get<std::size_t>();
  right.insert(right.begin(), shift, Number(0));
  if (right != e) return false;
  const Table chain = reader.table(stability.at("sturm_chain"));
  if (!valid_sturm_chain(chain) || chain.front() != odd || odd.back().sign() <= 0) return false;
  return variations(chain, Number(0)) == variations_at_infinity(chain);
}

bool witness_proved(const Reader& reader, const Json& stability, const Row& num, const Row& den) {
  const Json& witness = stability.at("witness");
  if (witness.is_null()) return false;
  const rational re = Reader::fraction(witness.at("real"));
  if (re > 0) return false;
  const Complex z{Number(re), Number(Reader::fraction(witness.at("imaginary")))};
  const Number above = modulus_squared(value(num, z)), below = modulus_squared(value(den, z));
  return above > below && above == below * reader.number(witness.at("modulus_squared"));
}

/// den e^z - num: first nonzero coefficient at order + 1, equal to the error constant.
bool series_holds(const Row& num, const Row& den, int order, const Number& constant) {
  for (int power = 0; power <= order + 1; ++power) {
    Number sum;
    for (int i = 0; i < static_cast<int>(den.size()) && i <= power; ++i) {
      rational factorial = 1;
      for (int f = 2; f <= power - i; ++f) factorial *= f;
      sum += den[i] / Number(factorial);
    }
    if (power < static_cast<int>(num.size())) sum -= num[power];
    if (power <= order ? !sum.is_zero() : !(sum == constant) || sum.is_zero()) return false;
  }
  return true;
}

}  // namespace

/// num/den against 1 + z b'(I - zA)^-1 1 at more points than their degrees can fake.
bool equals_stability_function(const Row& num, const Row& den, const Method& method,
                               const Row& weights) {
  const int s = static_cast<int>(method.b.size());
  int good = 0;
  for (long point = 1; good < 2 * s + 2; ++point) {
    const Number z(point);
    Table m = method.a;
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) m[i][j] = Number(i == j ? 1 : 0) - z * m[i][j];
    }
    const Row x = solution(m, method.one);
    if (x.empty()) continue;  // a pole
    if (!(value(num, z) == value(den, z) * (Number(1) + z * dot(weights, x)))) return false;
    ++good;
  }
  return true;
}

void check_stability(const Reader& reader, const Json& stability, const Method& method,
                     const Row& weights, Verdicts& out) {
  const Row num = reader.row(stability.at("num")), den = reader.row(stability.at("den"));
  out.require(equals_stability_function(num, den, method, weights), "R = num/den");
  check_stability(reader, stability, out);
}

void check_stability(const Reader& reader, const Json& stability, Verdicts& out) {
  const Row num = reader.row(stability.at("num")), den = reader.row(stability.at("den"));
  const Row e = reader.row(stability.at("E"));
  out.require(!den.empty() && den[0] == Number(1), "den(0) = 1");
  out.require(equals_axis_polynomial(e, num, den), "E(y) = |D(iy)|^2 - |N(iy)|^2");
  out.require(series_holds(num, den, stability.at("order_of_R").get<int>(),
                           reader.number(stability.at("error_constant"))),
              "order and error constant of R");
  if (stability.at("A_stable").is_null()) {  // undecided claims nothing more
    out.require(stability.at("L_stable").is_null(), "L_stable of an undecided A_stable");
    return;
  }
  const bool a_stable = stability.at("A_stable").get<bool>();
  if (a_stable) {
    Row mirrored = den;
    for (std::size_t i = 1; i < mirrored.size(); i += 2) mirrored[i] = -mirrored[i];
    out.require(axis_proved(reader, stability, e), "A_stable: E >= 0 by the Sturm chain");
    out.require(hurwitz(mirrored), "A_stable: all poles in the right half-plane");
  } else {
    out.require(witness_proved(reader, stability, num, den), "A_stable false: the witness point");
  }
  const bool vanishes = num.size() < den.size();
  out.require(stability.at("L_stable").get<bool>() == (a_stable && vanishes), "L_stable");
  const Json& infinity = stability.at("R_at_infinity");
  if (num.size() > den.size()) {
    out.require(infinity == "unbounded", "R(infinity)");
  } else {
    out.require(reader.number(infinity) == (vanishes ? Number(0) : num.back() / den.back()),
                "R(infinity)");
  }
}

}  // namespace daemark::certcheck
