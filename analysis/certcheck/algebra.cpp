#include "analysis/certcheck/algebra.hpp"

#include <algorithm>
#include <stdexcept>

namespace daemark::certcheck {

namespace {

Row reversed(const Row& p) { return Row(p.rbegin(), p.rend()); }

int variations_of(const std::vector<int>& signs) {
  int out = 0, last = 0;
  for (const int s : signs) {
    if (s == 0) continue;
    if (last != 0 && s != last) ++out;
    last = s;
  }
  return out;
}

}  // namespace

Row trimmed(Row p) {
  while (!p.empty() && p.back().is_zero()) p.pop_back();
  return p;
}

Row scaled(Row p, const Number& factor) {
  for (Number& x : p) x *= factor;
  return p;
}

Number value(const Row& p, const Number& x) {
  Number out;
  for (std::size_t i = p.size(); i-- > 0;) out = out * x + p[i];
  return out;
}

Row product(const Row& p, const Row& q) {
  if (p.empty() || q.empty()) return {};
  Row out(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) out[i + j] += p[i] * q[j];
  return trimmed(out);
}

Row derivative(const Row& p) {
  Row out;
  for (std::size_t i = 1; i < p.size(); ++i) out.push_back(p[i] * Number(static_cast<long>(i)));
  return out;
}

Row divided(const Row& p, const Row& q, Row& rest) {
  if (q.empty()) throw std::domain_error("division by the zero polynomial");
  rest = trimmed(p);
  Row out(rest.size() >= q.size() ? rest.size() - q.size() + 1 : 0);
  while (rest.size() >= q.size()) {
    const std::size_t shift = rest.size() - q.size();
    const Number factor = rest.back() / q.back();
    out[shift] = factor;
    for (std::size_t i = 0; i < q.size(); ++i) rest[shift + i] -= factor * q[i];
    rest = trimmed(rest);
  }
  return out;
}

Row common_divisor(Row p, Row q) {
  p = trimmed(p);
  q = trimmed(q);
  while (!q.empty()) {
    Row rest;
    divided(p, q, rest);
    p = std::move(q);
    q = rest.empty() ? rest : scaled(rest, rest.back().inverse());
  }
  return p;
}

Complex value(const Row& p, const Complex& z) {
  Complex out;
  for (std::size_t i = p.size(); i-- > 0;)
    out = {out.re * z.re - out.im * z.im + p[i], out.re * z.im + out.im * z.re};
  return out;
}

Number modulus_squared(const Complex& z) { return z.re * z.re + z.im * z.im; }

Number dot(const Row& a, const Row& b) {
  Number out;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].is_zero() && !b[i].is_zero()) out += a[i] * b[i];
  return out;
}

Row image(const Table& m, const Row& x) {
  Row out;
  for (const Row& row : m) out.push_back(dot(row, x));
  return out;
}

Row solution(Table m, Row b) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    while (p < n && m[p][k].is_zero()) ++p;
    if (p == n) return {};
    std::swap(m[p], m[k]);
    std::swap(b[p], b[k]);
    const Number scale = m[k][k].inverse();
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || m[i][k].is_zero()) continue;
      const Number factor = m[i][k] * scale;
      for (std::size_t j = k; j < n; ++j)
        if (!m[k][j].is_zero()) m[i][j] -= factor * m[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) b[k] /= m[k][k];
  return b;
}

bool positive_semidefinite(Table m) {
  while (!m.empty()) {
    const Row top = m.front();
    const int sign = top[0].sign();
    if (sign < 0) return false;
    Table rest;
    for (std::size_t i = 1; i < m.size(); ++i) {
      if (sign == 0 && !top[i].is_zero()) return false;
      Row row;
      for (std::size_t j = 1; j < m.size(); ++j)
        row.push_back(sign == 0 ? m[i][j] : m[i][j] - top[i] * top[j] / top[0]);
      rest.push_back(row);
    }
    m = std::move(rest);
  }
  return true;
}

int roots_between(const Row& p, const Number& lower, const Number& upper) {
  Row rest;
  const Row squarefree = divided(p, common_divisor(p, derivative(p)), rest);
  Table chain{squarefree, derivative(squarefree)};
  while (!chain.back().empty()) {
    divided(chain[chain.size() - 2], chain.back(), rest);
    // Signed remainders, scaled to ±1 in front: unscaled ones double their digits at each step.
    chain.push_back(rest.empty() ? rest : scaled(rest, (-abs(rest.back())).inverse()));
  }
  chain.pop_back();
  return variations(chain, lower) - variations(chain, upper) -
         (value(squarefree, upper).is_zero() ? 1 : 0);
}

bool valid_sturm_chain(const Table& chain) {
  if (chain.empty() || chain.front().empty()) return false;
  if (chain.front().size() == 1) return chain.size() == 1;
  if (chain.size() < 2 || chain[1] != derivative(chain[0])) return false;
  for (std::size_t i = 2; i < chain.size(); ++i) {
    Row rest;
    if (chain[i].empty()) return false;
    divided(chain[i - 2], chain[i - 1], rest);
    if (rest.size() != chain[i].size() || rest.empty()) return false;
    const Number factor = rest.back() / chain[i].back();  // must be negative
    if (factor.sign() >= 0 || !(chain[i].back() * chain[i].back() == Number(1))) return false;
    for (std::size_t j = 0; j < rest.size(); ++j)
      if (!(rest[j] == factor * chain[i][j])) return false;
  }
  return chain.back().size() == 1;  // ends in a nonzero constant: squarefree
}

int variations(const Table& chain, const Number& x) {
  std::vector<int> signs;
  for (const Row& p : chain) signs.push_back(value(p, x).sign());
  return variations_of(signs);
}

int variations_at_infinity(const Table& chain) {
  std::vector<int> signs;
  for (const Row& p : chain) signs.push_back(p.empty() ? 0 : p.back().sign());
  return variations_of(signs);
}

bool hurwitz(const Row& p) {
  const auto positive = [](const Number& x) { return x.sign() > 0; };
  return !p.empty() && has_hurwitz_minors(scaled(p, p.back().sign()), positive);
}

bool schur(Row p) {
  p = trimmed(p);
  if (p.empty()) return false;
  while (p.size() > 1) {
    const Number low = p.front(), high = p.back();
    if ((high * high - low * low).sign() <= 0) return false;
    const Row mirror = reversed(p);
    Row next;
    for (std::size_t i = 1; i < p.size(); ++i) next.push_back(high * p[i] - low * mirror[i]);
    p = std::move(next);
  }
  return true;
}

bool root_condition(const Row& from) {
  Row p = trimmed(from);
  while (p.size() > 1 && p.front().is_zero()) p.erase(p.begin());  // roots at 0 are harmless
  if (p.size() <= 1) return !p.empty();
  const Row circle = common_divisor(p, reversed(p));
  Row rest;
  if (!schur(divided(p, circle, rest))) return false;
  return circle.size() <= 1 || schur(derivative(circle));
}

}  // namespace daemark::certcheck
