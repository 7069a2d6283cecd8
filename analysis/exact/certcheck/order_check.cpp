// Order conditions over rooted trees as level sequences (Beyer & Hedetniemi 1980), a different
// enumeration from the prover's, without any table of trees.
#include "analysis/exact/certcheck/reader.hpp"

namespace daemark::certcheck {

bool advance(Levels& levels) {
  int p = static_cast<int>(levels.size()) - 1;
  while (p > 0 && levels[p] == 1) --p;
  if (p <= 0) return false;
  int q = p - 1;
  while (levels[q] != levels[p] - 1) --q;
  for (int i = p; i < static_cast<int>(levels.size()); ++i) levels[i] = levels[i - (p - q)];
  return true;
}

namespace {

/// The stage function of the subtree at `at`; multiplies its density into `density`.
Row stage_function(const Method& method, const Levels& levels, std::size_t at, rational& density) {
  Row u = method.one;
  std::size_t end = at + 1;
  for (; end < levels.size() && levels[end] > levels[at]; ++end) {
    if (levels[end] != levels[at] + 1) continue;
    u = method.multiply(u, image(method.a, stage_function(method, levels, end, density)));
  }
  density *= static_cast<long>(end - at);
  return u;
}

Number residual(const Method& method, const Row& weights, const Levels& levels, rational& target,
                Number& weight) {
  rational density = 1;
  weight = dot(weights, stage_function(method, levels, 0, density));
  target = rational(1) / density;
  return weight - Number(target);
}

/// t, [t,t], [t^3,[t]] ... as a level sequence; the text without brackets is the single vertex.
void parse_tree(const std::string& text, std::size_t& at, int depth, Levels& out) {
  if (text.at(at) == 't') {
    ++at;
    long repeats = 1;
    if (at < text.size() && text[at] == '^') {
      std::size_t used = 0;
      repeats = std::stol(text.substr(at + 1), &used);
      at += used + 1;
    }
    out.insert(out.end(), static_cast<std::size_t>(repeats), depth);
    return;
  }
  if (text.at(at) != '[') throw std::invalid_argument("tree");
  out.push_back(depth);
  do {
    parse_tree(text, ++at, depth + 1, out);
  } while (text.at(at) == ',');
  if (text.at(at) != ']') throw std::invalid_argument("tree");
  ++at;
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

bool stage_condition(const Method& m, int k) {  // C at index k
  Row power = m.one;
  for (int i = 1; i < k; ++i) power = m.multiply(power, m.c);
  const Row left = image(m.a, power), right = m.multiply(power, m.c);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!(left[i] * Number(k) == right[i])) return false;
  }
  return true;
}

bool adjoint_condition(const Method& m, const Row& weights, int k) {  // D at index k
  Row power = m.one;
  for (int i = 1; i < k; ++i) power = m.multiply(power, m.c);
  const Row next = m.multiply(power, m.c);
  for (std::size_t j = 0; j < m.one.size(); ++j) {  // on every basis function
    Row basis(m.one.size());
    basis[j] = 1;
    const Number left = dot(weights, m.multiply(power, image(m.a, basis)));
    const Number right = dot(weights, basis) - dot(weights, m.multiply(next, basis));
    if (!(left * Number(k) == right)) return false;
  }
  return true;
}

int adjoint_order_of(const Method& m, const Row& weights, int limit) {
  int k = 0;
  while (k < limit && adjoint_condition(m, weights, k + 1)) ++k;
  return k;
}

/// Trees left by C(eta): c^m A g, g left as well and of order > eta. False if one fails.
bool chains_hold(const Method& m, const Row& weights, int order, int eta) {
  struct Piece {
    Row function;
    rational density;
    int order;
  };
  std::vector<Piece> roots;  // A g for every chain g of order > eta found so far
  for (int n = 1; n <= order; ++n) {
    std::vector<Piece> found;
    const auto test = [&](const Row& start, int powers, const rational& density) {
      Row u = start;
      for (int i = 0; i < powers; ++i) u = m.multiply(u, m.c);
      found.push_back({u, density * n, n});
      return dot(weights, u) == Number(rational(1) / rational(density * n));
    };
    if (!test(m.one, n - 1, 1)) return false;
    for (const Piece& root : roots) {
      if (!test(root.function, n - root.order - 1, root.density)) return false;
    }
    if (n <= eta) continue;
    for (Piece& piece : found) {
      roots.push_back({image(m.a, piece.function), piece.density, piece.order});
    }
  }
  return true;
}

}  // namespace

Levels levels_of(const std::string& text) {
  Levels out;
  std::size_t at = 0;
  parse_tree(text, at, 0, out);
  if (at != text.size()) throw std::invalid_argument("tree");
  return out;
}

bool all_trees_hold(const Method& method, const Row& weights, int order) {
  for (int n = 1; n <= order; ++n) {
    Levels levels;
    for (int i = 0; i < n; ++i) levels.push_back(i);
    do {
      rational target;
      Number weight;
      if (!residual(method, weights, levels, target, weight).is_zero()) return false;
    } while (n > 1 && advance(levels));
  }
  return true;
}

int stage_order_of(const Method& m, int limit) {
  int k = 0;
  while (k < limit && stage_condition(m, k + 1)) ++k;
  return k;
}

void check_order(const Reader& reader, const Json& order, const Method& method, const Row& weights,
                 Verdicts& out) {
  const int p = order.at("order").get<int>();
  const std::string route = order.at("route").get<std::string>();
  const int limit = 2 * static_cast<int>(method.b.size()) + 2;
  const int eta = stage_order_of(method, limit);
  if (route == "rooted trees") {
    out.require(p <= 12 && all_trees_hold(method, weights, p), "order: every tree");
  } else if (route == "simplifying assumptions") {
    const int zeta = adjoint_order_of(method, weights, limit);
    out.require(
        quadrature_order(method, weights, limit) >= p && p <= eta + zeta + 1 && p <= 2 * eta + 2,
        "order: Butcher's theorem");
  } else {
    out.require(p <= 2 * eta + 2 && chains_hold(method, weights, p, eta),
                "order: trees reduced by C");
  }
  if (order.at("failing_trees_of_that_order").get<int>() == 0) return;  // a lower bound only
  const Levels levels = levels_of(order.at("failing_tree").get<std::string>());
  rational target;
  Number weight;
  const Number gap = residual(method, weights, levels, target, weight);
  out.require(static_cast<int>(levels.size()) == p + 1 && !gap.is_zero() &&
                  weight == reader.number(order.at("weight")) &&
                  target == Reader::fraction(order.at("target")),
              "order: the failing tree");
}

void check_method(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Method m = read_method(reader, certificate);
  const int limit = 2 * static_cast<int>(m.b.size()) + 2;
  const int b = quadrature_order(m, m.b, limit), c = stage_order_of(m, limit);
  out.require(certificate.at("B").get<int>() == b, "B(p)");
  out.require(certificate.at("C").get<int>() == c, "C(eta)");
  out.require(certificate.at("D").get<int>() == adjoint_order_of(m, m.b, limit), "D(zeta)");
  out.require(certificate.at("stage_order").get<int>() == std::min(b, c), "stage order");
  out.require(certificate.at("row_sums_hold").get<bool>() == (image(m.a, m.one) == m.c),
              "row sums");
  check_order(reader, certificate.at("order"), m, m.b, out);
  check_stability(reader, certificate.at("stability"), m, m.b, out);

  const std::size_t s = m.b.size();
  Table gram(s, Row(s)), form = gram;
  for (std::size_t i = 0; i < s; ++i) {
    Row left(s), right(s);
    left[i] = 1;
    for (std::size_t j = 0; j < s; ++j) {
      right.assign(s, Number(0));
      right[j] = 1;
      gram[i][j] = dot(m.b, m.multiply(left, right));
      form[i][j] = dot(m.b, m.multiply(left, image(m.a, right))) +
                   dot(m.b, m.multiply(right, image(m.a, left))) - m.b[i] * m.b[j];
    }
  }
  out.require(certificate.at("algebraically_stable").get<bool>() ==
                  (positive_semidefinite(gram) && positive_semidefinite(form)),
              "algebraic stability");
  out.require(certificate.at("symplectic").get<bool>() == (form == Table(s, Row(s))), "symplectic");

  const Row embedded = reader.row(certificate.at("embedded"));
  if (embedded.empty()) return;
  check_order(reader, certificate.at("embedded_order"), m, embedded, out);
  check_stability(reader, certificate.at("embedded_stability"), m, embedded, out);
}

}  // namespace daemark::certcheck
