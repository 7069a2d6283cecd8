#include "analysis/exact/numbers/poly.hpp"

#include <algorithm>
#include <stdexcept>

namespace daemark::exact {

namespace {

// Rational polynomials go through FLINT: same results, subresultants instead of Euclid.
class Flint {
 public:
  Flint() { fmpq_poly_init(p); }
  explicit Flint(const Poly& from) : Flint() {
    for (int i = 0; i <= from.degree(); ++i) set_coefficient(p, i, from[i].to_rational());
  }
  ~Flint() { fmpq_poly_clear(p); }
  Flint(const Flint&) = delete;
  Flint& operator=(const Flint&) = delete;
  Poly poly() const {
    std::vector<Number> out;
    for (long i = 0; i < p->length; ++i) out.emplace_back(coefficient(p, i));
    return Poly(std::move(out));
  }
  fmpq_poly_t p;
};

bool both_rational(const Poly& a, const Poly& b) { return a.is_rational() && b.is_rational(); }

}  // namespace

Poly::Poly(std::vector<Number> coefficients) : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back().is_zero()) c_.pop_back();
}

Poly Poly::monomial(const Number& value, int power) {
  std::vector<Number> c(static_cast<std::size_t>(power) + 1);
  c.back() = value;
  return Poly(std::move(c));
}

bool Poly::is_rational() const {
  return std::all_of(c_.begin(), c_.end(), [](const Number& x) { return x.is_rational(); });
}

Number Poly::operator[](int power) const {
  return power >= 0 && power <= degree() ? c_[static_cast<std::size_t>(power)] : Number(0);
}

Number Poly::operator()(const Number& x) const {
  Number out;
  for (std::size_t i = c_.size(); i-- > 0;) out = out * x + c_[i];
  return out;
}

Poly Poly::derivative() const {
  std::vector<Number> out;
  for (std::size_t i = 1; i < c_.size(); ++i) out.push_back(c_[i] * Number(static_cast<long>(i)));
  return Poly(std::move(out));
}

Poly Poly::integral() const {
  std::vector<Number> out{Number(0)};
  for (std::size_t i = 0; i < c_.size(); ++i)
    out.push_back(c_[i] / Number(static_cast<long>(i + 1)));
  return Poly(std::move(out));
}

Poly Poly::reflected() const {
  std::vector<Number> out = c_;
  for (std::size_t i = 1; i < out.size(); i += 2) out[i] = -out[i];
  return Poly(std::move(out));
}

Poly Poly::reversed(int degree) const {
  std::vector<Number> out;
  for (int i = degree; i >= 0; --i) out.push_back((*this)[i]);
  return Poly(std::move(out));
}

Poly Poly::monic() const { return is_zero() ? *this : scaled(leading().inverse()); }

Poly Poly::scaled(const Number& factor) const {
  std::vector<Number> out = c_;
  for (Number& x : out) x *= factor;
  return Poly(std::move(out));
}

std::string Poly::text(const std::string& variable) const {
  if (is_zero()) return "0";
  std::string out;
  for (int i = 0; i <= degree(); ++i) {
    const Number c = (*this)[i];
    if (c.is_zero()) continue;
    const std::string power = i == 0 ? "" : "*" + variable + (i > 1 ? "^" + std::to_string(i) : "");
    const std::string value = c.is_rational() ? c.text() : "(" + c.text() + ")";
    out += (out.empty() || value[0] == '-' ? "" : "+") + value + power;
  }
  return out;
}

std::vector<std::string> Poly::texts() const {
  std::vector<std::string> out;
  for (const Number& x : c_) out.push_back(x.text());
  return out;
}

Poly operator+(const Poly& a, const Poly& b) {
  std::vector<Number> out;
  for (int i = 0; i <= std::max(a.degree(), b.degree()); ++i) out.push_back(a[i] + b[i]);
  return Poly(std::move(out));
}

Poly operator-(const Poly& a, const Poly& b) {
  std::vector<Number> out;
  for (int i = 0; i <= std::max(a.degree(), b.degree()); ++i) out.push_back(a[i] - b[i]);
  return Poly(std::move(out));
}

Poly operator*(const Poly& a, const Poly& b) {
  if (a.is_zero() || b.is_zero()) return Poly();
  if (a.degree() > 6 && b.degree() > 6 && both_rational(a, b)) {
    Flint x(a), y(b);
    fmpq_poly_mul(x.p, x.p, y.p);
    return x.poly();
  }
  std::vector<Number> out(static_cast<std::size_t>(a.degree() + b.degree()) + 1);
  for (int i = 0; i <= a.degree(); ++i) {
    const Number& factor = a.coefficients()[static_cast<std::size_t>(i)];
    if (factor.is_zero()) continue;
    for (int j = 0; j <= b.degree(); ++j) {
      out[static_cast<std::size_t>(i + j)] +=
          factor * b.coefficients()[static_cast<std::size_t>(j)];
    }
  }
  return Poly(std::move(out));
}

void divide(const Poly& a, const Poly& b, Poly& quotient, Poly& remainder) {
  if (b.is_zero()) throw std::domain_error("polynomial division by zero");
  if (both_rational(a, b)) {
    Flint x(a), y(b), q, r;
    fmpq_poly_divrem(q.p, r.p, x.p, y.p);
    quotient = q.poly();
    remainder = r.poly();
    return;
  }
  const int top = a.degree() - b.degree();
  std::vector<Number> rest = a.coefficients();
  std::vector<Number> result(static_cast<std::size_t>(std::max(top + 1, 0)));
  const Number scale = b.leading().inverse();
  for (int i = top; i >= 0; --i) {
    const Number factor = rest[static_cast<std::size_t>(i + b.degree())] * scale;
    result[static_cast<std::size_t>(i)] = factor;
    if (factor.is_zero()) continue;
    for (int j = 0; j <= b.degree(); ++j) {
      rest[static_cast<std::size_t>(i + j)] -=
          factor * b.coefficients()[static_cast<std::size_t>(j)];
    }
  }
  quotient = Poly(std::move(result));
  remainder = Poly(std::move(rest));
}

Poly remainder(const Poly& a, const Poly& b) {
  Poly q, r;
  divide(a, b, q, r);
  return r;
}

Poly quotient(const Poly& a, const Poly& b) {
  Poly q, r;
  divide(a, b, q, r);
  return q;
}

Poly gcd(const Poly& a, const Poly& b) {
  if (both_rational(a, b)) {
    Flint x(a), y(b);
    fmpq_poly_gcd(x.p, x.p, y.p);
    return x.poly().monic();
  }
  Poly x = a.monic(), y = b.monic();
  while (!y.is_zero()) {
    Poly r = remainder(x, y).monic();
    x = std::move(y);
    y = std::move(r);
  }
  return x;
}

Poly power(const Poly& base, int exponent) {
  Poly out = Poly::constant(1);
  for (int i = 0; i < exponent; ++i) out = out * base;
  return out;
}

Poly compose(const Poly& outer, const Poly& inner) {
  Poly out;
  for (int i = outer.degree(); i >= 0; --i) out = out * inner + Poly::constant(outer[i]);
  return out;
}

std::vector<Poly> chebyshev_to(int n) {
  std::vector<Poly> out{Poly::constant(1), Poly::monomial(1, 1)};
  for (int k = 2; k <= n; ++k) out.push_back(Poly::monomial(2, 1) * out[k - 1] - out[k - 2]);
  return out;
}

void split_by_parity(const Poly& p, Poly& odd, Poly& square) {
  // Yun: p = lead Π f_i^i with squarefree, pairwise coprime f_i.
  odd = Poly::constant(p.is_zero() ? Number(0) : p.leading());
  square = Poly::constant(1);
  if (p.degree() < 1) return;
  const Poly monic = p.monic();
  Poly common = gcd(monic, monic.derivative());
  Poly rest = quotient(monic, common);
  Poly slope = quotient(monic.derivative(), common) - rest.derivative();
  for (int multiplicity = 1; rest.degree() > 0; ++multiplicity) {
    const Poly factor = gcd(rest, slope);
    rest = quotient(rest, factor);
    slope = quotient(slope, factor) - rest.derivative();
    if (multiplicity % 2 == 1) odd = odd * factor;
    square = square * power(factor, multiplicity / 2);
  }
}

std::vector<Poly> sturm_chain(const Poly& p) {
  std::vector<Poly> chain{p};
  if (p.degree() < 1) return chain;
  chain.push_back(p.derivative());
  while (chain.back().degree() > 0) {
    const Poly rest = remainder(chain[chain.size() - 2], chain.back());
    if (rest.is_zero()) break;
    chain.push_back(rest.scaled(-abs(rest.leading()).inverse()));
  }
  return chain;
}

int sign_changes(const std::vector<Poly>& chain, const Number* x) {
  int changes = 0, last = 0;
  for (const Poly& p : chain) {
    const int s = p.is_zero() ? 0 : x ? p(*x).sign() : p.leading().sign();
    if (s != 0 && last != 0 && s != last) ++changes;
    if (s != 0) last = s;
  }
  return changes;
}

}  // namespace daemark::exact
