// Simplifying assumptions, quadratic forms and the block form of a Runge–Kutta method.
#include "analysis/certcheck/method.hpp"

#include <algorithm>

namespace daemark::certcheck {

Row Method::multiply(const Row& f, const Row& g) const {
  Row out;
  if (nodes.empty()) {
    for (std::size_t i = 0; i < f.size(); ++i) out.push_back(f[i] * g[i]);
    return out;
  }
  divided(product(trimmed(f), trimmed(g)), nodes, out);
  out.resize(b.size());
  return out;
}

Method read_method(const Reader& reader, const Json& certificate) {
  Method m;
  m.b = reader.row(certificate, "b");
  const std::size_t s = m.b.size();
  m.a = reader.square(certificate, "A", s);
  if (certificate.at("kind") == "runge_kutta") {
    m.one.assign(s, Number(1));
    m.c = reader.row(certificate, "c", s);
    return m;
  }
  m.nodes = reader.polynomial(certificate, "nodes");
  require(m.nodes.size() == s + 1 && m.nodes.back() == Number(1), "nodes: not monic of degree s");
  require(common_divisor(m.nodes, derivative(m.nodes)).size() == 1, "nodes: a multiple node");
  m.one.assign(s, Number(0));
  m.one[0] = 1;
  divided({Number(0), Number(1)}, m.nodes, m.c);
  m.c.resize(s);
  return m;
}

namespace {

Row unit(std::size_t size, std::size_t at) {
  Row out(size);
  out[at] = 1;
  return out;
}

/// b(x) = (A x)(1) where 1 is a node; at the stages: the last row of A is b.
bool stiffly_accurate(const Method& m) {
  if (m.nodes.empty()) return m.a.back() == m.b;
  if (!value(m.nodes, Number(1)).is_zero()) return false;
  for (std::size_t j = 0; j < m.b.size(); ++j) {
    Number at_end;
    for (const Row& row : m.a) at_end += row[j];
    if (!(at_end == m.b[j])) return false;
  }
  return true;
}

bool regular(const Table& a) { return !solution(a, Row(a.size(), Number(1))).empty(); }

void check_quadratic_forms(const Json& certificate, const Method& m) {
  const std::size_t s = m.b.size();
  Table gram(s, Row(s)), form = gram;
  for (std::size_t i = 0; i < s; ++i) {
    const Row left = unit(s, i), left_image = image(m.a, left);
    for (std::size_t j = 0; j < s; ++j) {
      const Row right = unit(s, j);
      gram[i][j] = dot(m.b, m.multiply(left, right));
      form[i][j] = dot(m.b, m.multiply(left, image(m.a, right))) +
                   dot(m.b, m.multiply(right, left_image)) - m.b[i] * m.b[j];
    }
  }
  require_value(certificate, "algebraically_stable",
                positive_semidefinite(gram) && positive_semidefinite(form));
  require_value(certificate, "symplectic", form == Table(s, Row(s)));
}

}  // namespace

void check_method(const Reader& reader, const Json& certificate, const Method& m) {
  const int limit = 2 * static_cast<int>(m.b.size()) + 2;
  const int b = quadrature_order(m, m.b, limit), c = stage_order_of(m, limit);
  require_value(certificate, "B", b);
  require_value(certificate, "C", c);
  require_value(certificate, "D", adjoint_order_of(m, m.b, limit));
  require_value(certificate, "stage_order", std::min(b, c));
  require_value(certificate, "row_sums_hold", image(m.a, m.one) == m.c);
  require_value(certificate, "stiffly_accurate", stiffly_accurate(m));
  require_value(certificate, "A_invertible", regular(m.a));
  check_quadratic_forms(certificate, m);
  check_stability(reader, certificate.at("stability"), m, m.b);
  check_order(reader, certificate.at("order"), m, m.b);

  const Row embedded = reader.row(certificate, "embedded");
  if (embedded.empty()) return;
  require(embedded.size() == m.b.size(), "embedded: not of the size of b");
  check_stability(reader, certificate.at("embedded_stability"), m, embedded);
  check_order(reader, certificate.at("embedded_order"), m, embedded);
}

void check_block(const Reader& reader, const Json& certificate, const Method& m) {
  const long r = static_cast<long>(m.b.size()) - 1;
  Row mu = reader.polynomial(certificate, "mu");
  require(static_cast<long>(mu.size()) <= r + 1, "mu: of too high a degree");
  mu.resize(static_cast<std::size_t>(r) + 1);
  bool form = mu[0].is_zero();
  for (long k = 0; k <= r; ++k) {  // column k of A: the image of x^k
    for (long i = 0; i <= r; ++i) {
      const Number wanted = k == r       ? mu[i] / Number(r + 1)
                            : i == k + 1 ? Number(1) / Number(k + 1)
                                         : Number(0);
      form = form && m.a[i][k] == wanted;
    }
    Number at_end;
    for (long i = 0; i <= r; ++i) at_end += m.a[i][k];
    form = form && m.b[k] == at_end;
  }
  require(form, "mu: A and b do not follow from eq. (9) with it");
  Table inner;  // B: functions that vanish at 0
  for (long i = 1; i <= r; ++i) inner.emplace_back(m.a[i].begin() + 1, m.a[i].end());
  require_value(certificate, "B_singular", !regular(inner));
}

int quadrature_order(const Method& m, const Row& weights, int limit) {
  Row power = m.one;
  int k = 0;
  while (k < limit && dot(weights, power) == Number(rational(1) / rational(k + 1))) {
    power = m.multiply(power, m.c);
    ++k;
  }
  return k;
}

int stage_order_of(const Method& m, int limit) {
  Row power = m.one;  // c^(k-1)
  for (int k = 1; k <= limit; ++k) {
    const Row left = image(m.a, power), right = m.multiply(power, m.c);
    for (std::size_t i = 0; i < left.size(); ++i)
      if (!(left[i] * Number(k) == right[i])) return k - 1;
    power = right;
  }
  return limit;
}

int adjoint_order_of(const Method& m, const Row& weights, int limit) {
  Row power = m.one;
  for (int k = 1; k <= limit; ++k) {
    const Row next = m.multiply(power, m.c);
    for (std::size_t j = 0; j < m.one.size(); ++j) {  // on every basis function
      const Row basis = unit(m.one.size(), j);
      const Number left = dot(weights, m.multiply(power, image(m.a, basis)));
      const Number right = dot(weights, basis) - dot(weights, m.multiply(next, basis));
      if (!(left * Number(k) == right)) return k - 1;
    }
    power = next;
  }
  return limit;
}

}  // namespace daemark::certcheck
