#include "analysis/exact/theory/monotonicity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/exact/numbers/tower.hpp"

namespace daemark::exact {
namespace {

constexpr int most_size = 40;

/// Polynomials in r: a adj(I + r a), r adj(I + r a) 1, ..., by Faddeev and LeVerrier.
struct Resolvent {
  std::vector<Matrix> adjugate;  ///< by powers of r
  Poly determinant;              ///< of I + r a

  explicit Resolvent(const Matrix& a) {
    const int s = static_cast<int>(a.size());
    Vector determinant_of{Number(1)};
    Matrix power = identity(s);
    for (int k = 1; k <= s; ++k) {
      adjugate.push_back(power);
      power = multiply(a, power);
      Number trace;
      for (std::size_t i = 0; i < a.size(); ++i) trace += power[i][i];
      determinant_of.push_back(trace * inverse_of(k));
      for (std::size_t i = 0; i < a.size(); ++i)
        for (Number& x : power[i]) x = -x;
      for (std::size_t i = 0; i < a.size(); ++i) power[i][i] += determinant_of.back();
    }
    determinant = Poly(determinant_of);
  }
};

/// The quantities that must be nonnegative: det(I + r A); the rows of A and b times the adjugate;
/// the row sums of (I + r K)^-1.
std::vector<Poly> conditions_of(const Matrix& a, const Vector& b) {
  const Resolvent resolvent(a);
  Matrix rows = a;
  rows.push_back(b);
  const std::size_t s = b.size(), powers = resolvent.adjugate.size();
  const Poly& determinant = resolvent.determinant;
  const Poly simple = quotient(determinant, gcd(determinant, determinant.derivative()));
  std::vector<Poly> out{simple.scaled(simple[0].inverse())};  // negative behind each root
  for (std::size_t i = 0; i <= s; ++i) {
    std::vector<Vector> entries(s, Vector(powers));  // of the row times the adjugate, by column
    Vector sums(powers + 1);                         // r times their sum
    for (std::size_t k = 0; k < powers; ++k)
      for (std::size_t j = 0; j < s; ++j) {
        for (std::size_t l = 0; l < s; ++l)
          entries[j][k] += rows[i][l] * resolvent.adjugate[k][l][j];
        sums[k + 1] += entries[j][k];
      }
    for (Vector& entry : entries) out.emplace_back(std::move(entry));
    out.push_back(determinant - Poly(std::move(sums)));
  }
  return out;
}

bool is_positive_before(const FirstNegative& x, const rational& r) {
  return x.nowhere || (!x.at_zero && x.lower >= r);
}

/// Halves the interval.
void narrow(FirstNegative& x) {
  const rational middle = (x.lower + x.upper) / 2;
  (x.odd(Number(middle)).sign() > 0 ? x.lower : x.upper) = middle;
}

/// A rational polynomial with the roots of p: the product over its conjugates, by its values.
std::vector<rational> over_rationals(const Poly& p) {
  FieldPtr field;
  for (const Number& c : p.coefficients())
    if (!c.is_rational()) field = c.field();
  const int degree = field ? field->degree() : 1;
  const std::size_t size = static_cast<std::size_t>(p.degree() * degree) + 1;
  Matrix powers, values;
  for (int k = 0; values.size() < size; ++k) {
    Number value = p(Number(k));
    Matrix times;  // multiplication by the value
    for (int i = 0; i < degree; ++i) {
      const std::vector<rational> entries = value.coefficients();
      times.emplace_back(entries.begin(), entries.end());
      times.back().resize(static_cast<std::size_t>(degree));
      if (field) value *= Number::generator(field);
    }
    values.push_back({determinant(times)});
    powers.emplace_back();
    for (Number power = 1; powers.back().size() < size; power *= Number(k))
      powers.back().push_back(power);
  }
  std::vector<rational> out;
  for (const Vector& c : solve_rational(powers, values)) out.push_back(c.front().to_rational());
  return out;
}

SspCoefficient text_of(FirstNegative x) {
  SspCoefficient out;
  Radical radical;
  while (x.upper - x.lower > rational(x.upper / power_of_two(64))) narrow(x);
  out.value = static_cast<double>(static_cast<wide>(x.upper));
  radical.polynomial = over_rationals(x.odd);
  radical.enclose = [&x](rational& lower, rational& upper, long precision) {
    while (x.upper - x.lower > rational(integer(1), power_of_two(precision))) narrow(x);
    lower = x.lower, upper = x.upper;
  };
  Number image;
  out.exact = Tower("SSP coefficient").adjoin(radical, image).text();
  return out;
}

}  // namespace

std::string SspCoefficient::digits() const {
  return std::isfinite(value) ? fmt::format("{:.12g}", value) : exact;
}

std::optional<FirstNegative> first_negative(const Poly& p) {
  constexpr int largest_degree = 60;
  FirstNegative out;
  int zero = 0;
  while (!p.is_zero() && p[zero].is_zero()) ++zero;
  out.at_zero = p[zero].sign() < 0;
  const std::vector<Number>& all = p.coefficients();
  out.nowhere = std::none_of(all.begin(), all.end(), [](const Number& c) { return c.sign() < 0; });
  if (out.at_zero || out.nowhere) return out;
  if (p.degree() - zero > largest_degree) return std::nullopt;
  Poly square;
  split_by_parity(Poly(std::vector<Number>(all.begin() + zero, all.end())), out.odd, square);
  const std::vector<Poly> chain = sturm_chain(out.odd);
  const auto changes = [&](const rational& x) {
    const Number at(x);
    return sign_changes(chain, &at);
  };
  const int at_zero = changes(0);
  out.nowhere = at_zero == sign_changes(chain, nullptr);
  if (out.nowhere) return out;
  out.upper = 1;
  while (changes(out.upper) == at_zero) out.upper *= 2;
  while (at_zero - changes(out.upper) > 1) {  // down to one root in (lower, upper]
    const rational middle = (out.lower + out.upper) / 2;
    (changes(middle) == at_zero ? out.lower : out.upper) = middle;
  }
  return out;
}

std::optional<SspCoefficient> ssp_coefficient(const Matrix& a, const Vector& b) {
  const SspCoefficient none{"0", 0};
  const auto negative = [](const Number& x) { return x.sign() < 0; };
  if (std::any_of(b.begin(), b.end(), negative)) return none;
  int degree = field_degree(b);
  for (const Vector& row : a) {
    if (std::any_of(row.begin(), row.end(), negative)) return none;
    degree = std::max(degree, field_degree(row));
  }
  if (static_cast<int>(b.size()) * degree > most_size) return std::nullopt;
  FirstNegative first;
  first.nowhere = true;
  for (const Poly& condition : conditions_of(a, b)) {
    std::optional<FirstNegative> found = first_negative(condition);
    if (!found) return std::nullopt;
    if (found->at_zero) return none;
    if (found->nowhere) continue;
    if (first.nowhere) first = *found;
    // Until one is first; equal ones stay together within 2^-200 and count as equal.
    const rational width(integer(1), power_of_two(200));
    while (!is_positive_before(*found, first.upper) && !is_positive_before(first, found->upper) &&
           found->upper - found->lower > width)
      narrow(*found), narrow(first);
    if (is_positive_before(first, found->upper)) first = *found;
  }
  if (first.nowhere) return SspCoefficient{"unbounded", std::numeric_limits<double>::infinity()};
  return text_of(std::move(first));
}

}  // namespace daemark::exact
