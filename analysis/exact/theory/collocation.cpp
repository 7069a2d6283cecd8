#include "analysis/exact/theory/collocation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/exact/numbers/tower.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

constexpr int max_tree_stages = 5;  // up to here trees are run as well: they must agree

Vector coefficients(const Poly& p, int n) {
  Vector out;
  for (int i = 0; i < n; ++i) out.push_back(p[i]);
  return out;
}

Matrix from_columns(const std::vector<Vector>& columns) {
  const std::size_t n = columns.size();
  Matrix out(n, Vector(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) out[i][j] = columns[j][i];
  return out;
}

/// b(x^k) for k < count.
Vector moments(const Poly& nodes, const Vector& b, int count) {
  const int s = nodes.degree();
  Vector out(b), power = coefficients(Poly::monomial(1, s - 1), s);
  for (int k = s; k < count; ++k) {
    const Number top = power.back();  // x · power, reduced
    for (int i = s - 1; i > 0; --i) power[i] = power[i - 1] - top * nodes[i];
    power[0] = -top * nodes[0];
    out.push_back(dot(b, power));
  }
  return out;
}

/// (f, g) -> b(f g) on the basis.
Matrix hankel(const Vector& moment, int s) {
  Matrix out;
  for (int i = 0; i < s; ++i) out.emplace_back(moment.begin() + i, moment.begin() + i + s);
  return out;
}

/// Collocation: A x^k = x^(k+1)/(k+1).
Matrix collocation_matrix(const Poly& nodes) {
  const int s = nodes.degree();
  std::vector<Vector> columns;
  for (int k = 0; k < s; ++k) {
    const Poly image = Poly::monomial(Number(rational(1) / rational(k + 1)), k + 1);
    columns.push_back(coefficients(remainder(image, nodes), s));
  }
  return from_columns(columns);
}

/// Radau IA: D(s), i.e. b(x^(k-1) A f) = (b(f) - b(x^k f))/k for k = 1..s.
Matrix adjoint_matrix(const Poly& nodes, const Vector& b) {
  const int s = nodes.degree();
  const Vector moment = moments(nodes, b, 2 * s);
  const Matrix gram = hankel(moment, s);
  Matrix right = gram;
  for (int k = 1; k <= s; ++k)
    for (int j = 0; j < s; ++j) right[k - 1][j] = (moment[j] - moment[j + k]) / Number(k);
  return solve_rational(gram, right);  // the Gram matrix of a positive quadrature is regular
}

/// Lobatto IIIC: a_i1 = b_1 and C(s-1).
Matrix lobatto_iiic_matrix(const Poly& nodes, const Vector& b) {
  const int s = nodes.degree();
  const Poly first = quotient(nodes, Poly::monomial(1, 1));  // vanishes at all nodes but 0
  const Poly at_zero = first.scaled(first[0].inverse());
  const Number b1 = dot(b, coefficients(at_zero, s));
  std::vector<Vector> columns;
  Vector last = coefficients(Poly::constant(b1), s);
  for (int k = 0; k + 1 < s; ++k) {
    columns.push_back(
        coefficients(Poly::monomial(Number(rational(1) / rational(k + 1)), k + 1), s));
    for (int i = 0; i < s; ++i) last[i] -= at_zero[k] * columns.back()[i];
  }
  for (Number& x : last) x /= at_zero[s - 1];  // A x^(s-1) from A applied to at_zero
  columns.push_back(last);
  return from_columns(columns);
}

/// All zeros of the polynomial are real, distinct and in [0, 1] (Sturm).
bool nodes_in_unit_interval(const Poly& nodes) {
  const Number zero = 0, one = 1;
  const std::vector<Poly> chain = sturm_chain(nodes);
  if (chain.back().degree() != 0) return false;                               // a multiple zero
  const int inside = sign_changes(chain, &zero) - sign_changes(chain, &one);  // in (0, 1]
  return inside + (nodes(zero).is_zero() ? 1 : 0) == nodes.degree();
}

/// b(f) = (A f)(1): the last stage is the step.
bool ring_stiffly_accurate(const Operators& method, const Poly& nodes) {
  if (!nodes(Number(1)).is_zero()) return false;
  for (std::size_t j = 0; j < method.b.size(); ++j) {
    Number sum;
    for (const Vector& row : method.a) sum += row[j];
    if (!(sum == method.b[j])) return false;
  }
  return true;
}

}  // namespace

Family family_from(const std::string& word) {
  for (const Family f : {Family::gauss, Family::radau_ia, Family::radau_iia, Family::lobatto_iiia,
                         Family::lobatto_iiic})
    if (word == family_name(f)) return f;
  throw BadInput("family '" + word +
                 "': accepted are gauss, radau_ia, radau_iia, lobatto_iiia, lobatto_iiic");
}

const char* family_name(Family family) {
  constexpr const char* names[] = {"gauss", "radau_ia", "radau_iia", "lobatto_iiia",
                                   "lobatto_iiic"};
  return names[static_cast<std::size_t>(family)];
}

Poly legendre_on_unit_interval(int n) {
  const Poly x({Number(-1), Number(2)});
  Poly before = Poly::constant(1), here = n == 0 ? before : x;
  for (int k = 1; k < n; ++k) {
    const Poly next = (x * here).scaled(Number(rational(2 * k + 1) / rational(k + 1))) -
                      before.scaled(Number(rational(k) / rational(k + 1)));
    before = here;
    here = next;
  }
  return here;
}

Poly node_polynomial(Family family, int s) {
  const bool lobatto = family == Family::lobatto_iiia || family == Family::lobatto_iiic;
  if (s < (lobatto ? 2 : 1) || s > largest_collocation) {
    throw BadInput(std::string(family_name(family)) + ": s = " + std::to_string(s) +
                   ", accepted are " + (lobatto ? "2" : "1") + " to " +
                   std::to_string(largest_collocation));
  }
  const Poly top = legendre_on_unit_interval(s);
  if (family == Family::gauss) return top.monic();
  if (family == Family::radau_ia) return (top + legendre_on_unit_interval(s - 1)).monic();
  if (family == Family::radau_iia) return (top - legendre_on_unit_interval(s - 1)).monic();
  return (top - legendre_on_unit_interval(s - 2)).monic();
}

Operators collocation_operators(Family family, int s) {
  const Poly nodes = node_polynomial(family, s);
  Vector b;
  for (int k = 0; k < s; ++k) b.push_back(inverse_of(k + 1));  // interpolatory weights
  return ring_operators(nodes,
                        family == Family::radau_ia       ? adjoint_matrix(nodes, b)
                        : family == Family::lobatto_iiic ? lobatto_iiic_matrix(nodes, b)
                                                         : collocation_matrix(nodes),
                        b);
}

Operators adjoint_operators(Family family, int s) {
  const Operators method = collocation_operators(family, s);
  const Poly nodes = node_polynomial(family, s);
  return ring_operators(nodes, adjoint_matrix(nodes, method.b), method.b);
}

Operators ring_operators(const Poly& nodes, const Matrix& a, const Vector& b) {
  const int s = nodes.degree();
  Operators out;
  out.a = a;
  out.b = b;
  out.one = coefficients(Poly::constant(1), s);
  std::vector<Vector> columns;
  for (int k = 0; k < s; ++k)
    columns.push_back(coefficients(remainder(Poly::monomial(1, k + 1), nodes), s));
  out.c = from_columns(columns);
  const Vector moment = moments(nodes, out.b, 2 * s - 1);
  out.gram = hankel(moment, s);
  out.product = [nodes, s](const Vector& f, const Vector& g) {
    return coefficients(remainder(Poly(f) * Poly(g), nodes), s);
  };
  return out;
}

MethodProof prove_collocation(Family family, int s) {
  const Operators method = collocation_operators(family, s);
  const Poly nodes = node_polynomial(family, s);
  if (!nodes_in_unit_interval(nodes)) throw std::logic_error("nodes outside [0, 1]");
  return prove_method(std::string(family_name(family)) + "(s=" + std::to_string(s) + ")", method,
                      {}, ring_stiffly_accurate(method, nodes), s <= max_tree_stages);
}

TableauNumbers nodal_tableau(Family family, const std::vector<wide>& nodes) {
  const int s = static_cast<int>(nodes.size());
  std::vector<rational> polynomial;
  for (int k = 0; k <= s; ++k) polynomial.push_back(node_polynomial(family, s)[k].to_rational());
  bool repeated = false;
  const auto factors = irreducible_factors(polynomial, repeated);
  std::vector<Expression> texts;
  for (const wide& node : nodes) {
    const auto size_at = [&](const std::vector<rational>& p) {
      wide value = 0;
      for (std::size_t k = p.size(); k-- > 0;) value = value * node + static_cast<wide>(p[k]);
      return abs(value);
    };
    const auto& factor =
        *std::min_element(factors.begin(), factors.end(),
                          [&](const auto& p, const auto& q) { return size_at(p) < size_at(q); });
    std::vector<std::string> terms;
    for (std::size_t k = 0; k < factor.size(); ++k)
      terms.push_back(fmt::format("({})*x^{}", factor[k].str(), k));
    constexpr double apart = 1e-6;  // neighbours of 100 nodes are 1e-4 apart
    const double at = to_double(node);
    const std::string text = factor.size() == 2
                                 ? rational(-factor[0] / factor[1]).str()
                                 : fmt::format("root({}, {:.9f}, {:.9f})", fmt::join(terms, " + "),
                                               at - apart, at + apart);
    texts.push_back(Expression::parse(text, family_name(family)));
  }
  const Operators form = collocation_operators(family, s);
  TableauNumbers out;
  out.c = import_numbers(pointers_to({&texts}), family_name(family), {}, &out.radicals);
  out.a.resize(s);
  for (int j = 0; j < s; ++j) {
    Poly lagrange = Poly::constant(1);
    for (int k = 0; k < s; ++k)
      if (k != j)
        lagrange =
            (lagrange * Poly({-out.c[k], Number(1)})).scaled((out.c[j] - out.c[k]).inverse());
    const Vector values = coefficients(lagrange, s);
    out.b.push_back(dot(form.b, values));
    const Poly image(multiply(form.a, values));
    for (int i = 0; i < s; ++i) out.a[i].push_back(image(out.c[i]));
  }
  return out;
}

}  // namespace daemark::exact
