#include "analysis/exact/theory/stability.hpp"

#include <algorithm>
#include <complex>
#include <deque>
#include <stdexcept>

namespace daemark::exact {

namespace {

void order_of_exp(const RationalFunction& r, int& order, Number& constant) {
  // Coefficients of N(z) - D(z) e^z; D(0) = 1, so the first nonzero one is minus that of e^z - R.
  const int last = r.num.degree() + r.den.degree() + 2;  // a Padé approximant is exact to here
  for (int power = 0; power <= last; ++power) {
    Number sum = r.num[power];
    rational factorial = 1;
    for (int i = power; i >= 0; --i) {  // d_i / (power - i)!
      sum -= r.den[i] / Number(factorial);
      factorial *= power - i + 1;
    }
    if (!sum.is_zero()) {
      order = power - 1;
      constant = -sum;
      return;
    }
  }
  throw std::logic_error("a rational function cannot equal exp");
}

std::optional<Witness> witness_at(const RationalFunction& r, const rational& re,
                                  const rational& im) {
  const Number below = modulus_squared(r.den, re, im), above = modulus_squared(r.num, re, im);
  if (below.is_zero() || !(above > below)) return std::nullopt;
  return Witness{re, im, above / below};
}

bool negative_at(const StabilityProof& proof, const rational& y) {
  return proof.e(Number(rational(y * y))).sign() < 0;
}

/// A few points y = 2^n: finds nearly every failure before any chain is computed.
std::optional<Witness> quick_witness(const StabilityProof& proof) {
  for (const int shift : {0, 1, -1, 2, -2, 3, -3, 4, 5, 6, 7, 8, -4, -5, -6, 10, 13, 16}) {
    const rational y =
        shift >= 0 ? rational(power_of_two(shift)) : rational(integer(1), power_of_two(-shift));
    if (!negative_at(proof, y)) continue;
    if (auto found = witness_at(proof.function, 0, y)) return found;  // none: y is a pole
  }
  return std::nullopt;
}

/// A rational y > 0 with E(y²) < 0; one exists whenever the axis condition fails.
std::optional<Witness> axis_witness(const StabilityProof& proof) {
  const auto changes = [&](const rational& y) {
    const Number x(rational(y * y));
    return sign_changes(proof.chain, &x);
  };
  rational top(power_of_two(16));
  while (changes(top) != proof.changes_at_infinity) top *= 2;
  std::deque<std::pair<rational, rational>> intervals{{0, top}};  // each holds a sign change
  for (int tries = 0; tries < 4000 && !intervals.empty(); ++tries) {
    const auto [low, high] = intervals.front();
    intervals.pop_front();
    const rational middle = (low + high) / 2;
    if (negative_at(proof, middle)) {
      if (auto found = witness_at(proof.function, 0, middle)) return found;  // none: a pole
    }
    const int at_low = low == 0 ? proof.changes_at_zero : changes(low);
    const int at_middle = changes(middle);
    if (at_low > at_middle) intervals.emplace_back(low, middle);
    if (at_middle > changes(high)) intervals.emplace_back(middle, high);
  }
  return std::nullopt;
}

/// Approximate roots (Durand–Kerner); only ever used to propose points that are then checked.
std::vector<std::complex<double>> approximate_roots(const Poly& p) {
  const int n = p.degree();
  std::vector<std::complex<double>> c, z;
  for (int i = 0; i <= n; ++i) c.emplace_back(to_double(Number(p[i] / p.leading()).to_wide()));
  const double radius = std::pow(std::max(std::abs(c[0]), 1e-300), 1.0 / n);
  for (int i = 0; i < n; ++i) z.push_back(radius * std::polar(1.0, 0.4 + 6.2831853 * i / n));
  for (int sweep = 0; sweep < 500; ++sweep) {
    for (int i = 0; i < n; ++i) {
      std::complex<double> value = 0, product = 1;
      for (int j = n; j >= 0; --j) value = value * z[i] + c[j];
      for (int j = 0; j < n; ++j) product *= i == j ? 1.0 : z[i] - z[j];
      if (std::abs(product) > 0) z[i] -= value / product;
    }
  }
  std::sort(z.begin(), z.end(), [](auto a, auto b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() > b.imag();
  });
  return z;
}

std::optional<Witness> pole_witness(const RationalFunction& r) {
  for (const std::complex<double>& pole : approximate_roots(r.den)) {
    if (!(pole.real() < 0) || !std::isfinite(pole.real()) || !std::isfinite(pole.imag())) continue;
    for (int bits = 4; bits <= 44; bits += 4) {
      const double scale = std::ldexp(1.0, bits);
      const rational im = rational(std::abs(std::round(pole.imag() * scale))) / rational(scale);
      for (const int shift : {0, 1, -1}) {  // beside the pole where the rounding hits it exactly
        const rational re = rational(std::round(pole.real() * scale) + shift) / rational(scale);
        const auto found = re < 0 ? witness_at(r, re, im) : std::nullopt;
        if (found) return found;
      }
    }
  }
  return std::nullopt;
}

long most_bits(const Poly& p) {
  long bits = 0;
  for (const Number& c : p.coefficients()) bits = std::max(bits, c.bits());
  return bits;
}

/// E >= 0 for x > 0: at once without negative coefficients, else by a Sturm chain.
void decide_axis(StabilityProof& proof) {
  const std::vector<Number>& all = proof.e.coefficients();
  proof.no_negative =
      std::none_of(all.begin(), all.end(), [](const Number& c) { return c.sign() < 0; });
  if (proof.no_negative) {
    proof.axis_holds = true;
    return;
  }
  while (proof.e[proof.zero_multiplicity].is_zero()) ++proof.zero_multiplicity;
  proof.witness = quick_witness(proof);
  if (proof.witness) return;
  if (sturm_work(proof.e) > max_sturm_work) {
    proof.undecided = "E has degree " + std::to_string(proof.e.degree() - proof.zero_multiplicity) +
                      " and coefficients of " + std::to_string(most_bits(proof.e)) +
                      " bits, too large for a Sturm chain";
    return;
  }
  split_by_parity(Poly(std::vector<Number>(all.begin() + proof.zero_multiplicity, all.end())),
                  proof.odd, proof.square);
  proof.chain = sturm_chain(proof.odd);
  const Number zero = 0;
  proof.changes_at_zero = sign_changes(proof.chain, &zero);
  proof.changes_at_infinity = sign_changes(proof.chain, nullptr);
  proof.axis_holds =
      proof.changes_at_zero == proof.changes_at_infinity && proof.odd.leading().sign() > 0;
}

}  // namespace

std::string Witness::text() const {
  std::string z;
  if (real != 0) z = rational_text(real);
  if (imaginary != 0) z += (z.empty() ? "" : "+") + rational_text(imaginary) + "i";
  const wide modulus = mp::sqrt(modulus_squared.to_wide());
  const wide excess = modulus - 1;
  return "z = " + (z.empty() ? "0" : z) +
         ": |R(z)| = " + (excess < 1e-6 ? "1 + " + excess.str(3) : modulus.str(10));
}

RationalFunction reduced(const Poly& num, const Poly& den) {
  const Poly common = gcd(num, den);
  const Poly n = quotient(num, common), d = quotient(den, common);
  if (d[0].is_zero()) throw std::domain_error("stability function with a pole at 0");
  const Number scale = d[0].inverse();
  return {n.scaled(scale), d.scaled(scale)};
}

Poly modulus_on_axis(const Poly& p) {
  std::vector<Number> even, odd;
  for (int i = 0; i <= p.degree(); ++i)
    (i % 2 == 0 ? even : odd).push_back((i / 2) % 2 == 0 ? p[i] : -p[i]);
  const Poly a(even), b(odd);
  return a * a + b * b * Poly::monomial(1, 1);
}

std::vector<Number> routh_column(const Poly& p) {
  std::vector<Number> above, here, column;
  for (int i = p.degree(); i >= 0; i -= 2) above.push_back(p[i]);
  for (int i = p.degree() - 1; i >= 0; i -= 2) here.push_back(p[i]);
  column.push_back(above.front());
  for (int row = 1; row <= p.degree(); ++row) {
    here.resize(above.size());
    column.push_back(here.front());
    if (here.front().is_zero()) break;
    const Number ratio = above.front() / here.front();
    std::vector<Number> below;
    for (std::size_t i = 1; i < above.size(); ++i) below.push_back(above[i] - ratio * here[i]);
    while (below.size() > 1 && static_cast<int>(below.size()) > (p.degree() - row - 1) / 2 + 1)
      below.pop_back();
    if (below.empty()) break;
    above = std::move(here);
    here = std::move(below);
  }
  return column;
}

Number modulus_squared(const Poly& p, const rational& re, const rational& im) {
  const Number x(re), y(im);
  Number a, b;  // Horner on a + i b
  for (int i = p.degree(); i >= 0; --i) {
    const Number next = a * x - b * y + p[i];
    b = a * y + b * x;
    a = next;
  }
  return a * a + b * b;
}

bool hurwitz(const Poly& p) {
  if (p.degree() < 1) return !p.is_zero();
  const std::vector<Number> column = routh_column(p);
  if (static_cast<int>(column.size()) != p.degree() + 1) return false;
  for (const Number& x : column)
    if (x.sign() * column.front().sign() <= 0) return false;
  return true;
}

long sturm_work(const Poly& e) {
  if (e.is_zero()) return 0;
  int lowest = 0;
  while (e[lowest].is_zero()) ++lowest;
  const long degree = e.degree() - lowest;
  return degree * degree * most_bits(e) * (e.is_rational() ? 1 : 16);
}

StabilityProof prove_axis(const Poly& e) {
  StabilityProof proof;
  proof.function = {Poly::constant(1), Poly::constant(1)};
  proof.e = e;
  decide_axis(proof);
  return proof;
}

StabilityProof prove_stability(const RationalFunction& r) {
  StabilityProof proof;
  proof.function = r;
  proof.e = modulus_on_axis(r.den) - modulus_on_axis(r.num);
  proof.poles_hold = hurwitz(r.den.reflected());
  decide_axis(proof);
  if (!proof.poles_hold) proof.undecided.clear();  // a pole decides what the axis leaves open
  proof.a_stable = proof.axis_holds && proof.poles_hold;
  if (r.num.degree() < r.den.degree()) proof.at_infinity = Number(0);
  if (r.num.degree() == r.den.degree()) proof.at_infinity = r.num.leading() / r.den.leading();
  proof.l_stable = proof.a_stable && proof.at_infinity && proof.at_infinity->is_zero();
  if (!proof.undecided.empty()) {
    // neither verdict
  } else if (!proof.axis_holds && !proof.witness && !proof.chain.empty()) {
    proof.witness = axis_witness(proof);
  } else if (!proof.poles_hold && !proof.witness) {
    proof.witness = pole_witness(r);
  }
  order_of_exp(r, proof.order, proof.error_constant);
  return proof;
}

RationalFunction pade_of_exp(int k, int j) {
  std::vector<Number> n, d;
  rational a = 1, b = 1;  // (k+j-i)! k! / ((k+j)! i! (k-i)!), built by ratios
  for (int i = 0; i <= k; ++i) {
    n.emplace_back(a);
    if (i == k) break;
    a = a * rational(k - i) / (rational(k + j - i) * rational(i + 1));
  }
  for (int i = 0; i <= j; ++i) {
    d.emplace_back(b);
    if (i == j) break;
    b = -b * rational(j - i) / (rational(k + j - i) * rational(i + 1));
  }
  return {Poly(std::move(n)), Poly(std::move(d))};
}

}  // namespace daemark::exact
