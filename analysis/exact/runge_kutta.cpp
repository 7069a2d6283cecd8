#include "analysis/exact/runge_kutta.hpp"

#include <algorithm>

#include "analysis/exact/trees.hpp"

namespace daemark::exact {

namespace {

Vector row_times(const Vector& row, const Matrix& m) {
  Vector out(m.empty() ? 0 : m[0].size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (row[i].is_zero()) continue;
    for (std::size_t j = 0; j < out.size(); ++j) {
      if (!m[i][j].is_zero()) out[j] += row[i] * m[i][j];
    }
  }
  return out;
}

bool proportional(const Vector& x, const Vector& y, const Number& factor) {  // x = factor y
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] == factor * y[i])) return false;
  }
  return true;
}

Number inverse_of(int k) { return Number(rational(1) / rational(k)); }

/// Exact semidefiniteness by symmetric elimination; names the pivot that fails.
bool semidefinite(Matrix m, std::string& reason) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    const int sign = m[k][k].sign();
    if (sign < 0) {
      reason = "pivot " + std::to_string(k + 1) + " is " + m[k][k].decimal(6);
      return false;
    }
    if (sign == 0) {
      for (std::size_t j = k + 1; j < n; ++j) {
        if (m[k][j].is_zero()) continue;
        reason = "pivot " + std::to_string(k + 1) + " is 0 with entry " + m[k][j].decimal(6) +
                 " beside it";
        return false;
      }
      continue;
    }
    const Number scale = m[k][k].inverse();
    for (std::size_t i = k + 1; i < n; ++i) {
      if (m[i][k].is_zero()) continue;
      const Number factor = m[i][k] * scale;
      for (std::size_t j = k + 1; j < n; ++j) m[i][j] -= factor * m[k][j];
    }
  }
  return true;
}

}  // namespace

Operators nodal_operators(const Matrix& a, const Vector& b, const Vector& c) {
  Operators out;
  out.a = a;
  out.b = b;
  out.one.assign(b.size(), Number(1));
  out.c = identity(static_cast<int>(b.size()));
  out.gram = out.c;
  for (std::size_t i = 0; i < b.size(); ++i) {
    out.c[i][i] = c[i];
    out.gram[i][i] = b[i];
  }
  out.product = [](const Vector& f, const Vector& g) {
    Vector h;
    for (std::size_t i = 0; i < f.size(); ++i) h.push_back(f[i] * g[i]);
    return h;
  };
  return out;
}

int Assumptions::butcher() const { return std::min({b, c + d + 1, 2 * c + 2}); }

Assumptions assumptions(const Operators& method) {
  Assumptions out;
  const int s = method.stages(), last = 2 * s + 2;
  std::vector<Vector> powers{method.one};  // c^k
  for (int k = 1; k <= last; ++k) powers.push_back(multiply(method.c, powers.back()));
  while (out.b < last) {
    const Number sum = dot(method.b, powers[static_cast<std::size_t>(out.b)]);
    out.b_residual = sum - inverse_of(out.b + 1);
    if (!out.b_residual.is_zero()) break;
    ++out.b;
  }
  while (out.c < last) {
    const Vector left = multiply(method.a, powers[static_cast<std::size_t>(out.c)]);
    if (!proportional(left, powers[static_cast<std::size_t>(out.c) + 1], inverse_of(out.c + 1))) {
      break;
    }
    ++out.c;
  }
  Vector row = method.b;  // b c^(k-1)
  while (out.d < last) {
    const Vector left = row_times(row, method.a);
    const Vector next = row_times(row, method.c);
    Vector right;
    for (std::size_t j = 0; j < next.size(); ++j) right.push_back(method.b[j] - next[j]);
    if (!proportional(left, right, inverse_of(out.d + 1))) break;
    row = next;
    ++out.d;
  }
  return out;
}

namespace {

void record_failure(OrderProof& proof, const std::string& tree, const Number& weight,
                    const rational& density, const rational& symmetry, wide& sum) {
  const rational target = rational(1) / density;
  if (weight == Number(target)) return;
  if (proof.failing++ == 0) {
    proof.failing_tree = tree;
    proof.weight = weight;
    proof.target = target;
  }
  const wide residual = (weight - Number(target)).to_wide() / static_cast<wide>(symmetry);
  sum += residual * residual;
}

/// All rooted trees, order by order, to the first failing order or max_tree_order.
void order_by_trees(const Operators& method, OrderProof& proof) {
  static const RootedTrees trees(max_tree_order);
  proof.route = "rooted trees";
  std::vector<Vector> stage(trees.all().size());  // A u(t): what a child contributes
  for (int order = 1; order <= max_tree_order && proof.failing == 0; ++order) {
    wide sum = 0;
    for (int i = trees.begin(order); i < trees.end(order); ++i) {
      const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      Vector u = method.one;
      for (const int child : tree.children) {
        u = method.product(u, stage[static_cast<std::size_t>(child)]);
      }
      stage[static_cast<std::size_t>(i)] = multiply(method.a, u);
      record_failure(proof, tree.text, dot(method.b, u), tree.density, tree.symmetry, sum);
    }
    proof.checked = order;
    proof.error_norm = mp::sqrt(sum);
    if (proof.failing == 0) proof.order = order;
  }
}

/// c^m A g: what is left of a tree when C(eta) has turned every short bush into a power of c.
struct Chain {
  Vector value;
  rational density;
  std::string text;
};

std::string bush(int powers, const std::string& child) {
  std::string out = powers == 0 ? "" : powers == 1 ? "t" : "t^" + std::to_string(powers);
  if (!child.empty()) out += (out.empty() ? "" : ",") + child;
  return out.empty() ? "t" : "[" + out + "]";
}

/// Up to order 2 eta + 2 a vertex has at most one child that C(eta) does not reduce, so that the
/// trees left are chains (Hairer, Nørsett & Wanner I, II.7, the proof of Butcher's theorem).
void order_by_chains(const Operators& method, int eta, OrderProof& proof) {
  constexpr std::size_t most_chains = 8000;
  proof.route = "rooted trees reduced by C(" + std::to_string(eta) + ")";
  std::vector<std::vector<Chain>> chains(1);  // by order
  std::vector<Vector> images;                 // A g for g of order > eta, parallel to `sources`
  std::vector<std::pair<int, std::size_t>> sources;
  Vector power = method.one;
  for (int order = 1; order <= 2 * eta + 2 && sources.size() < most_chains; ++order) {
    wide sum = 0;
    std::vector<Chain> here{{power, order, bush(order - 1, "")}};
    power = multiply(method.c, power);
    for (std::size_t i = 0; i < sources.size(); ++i) {  // images[i] is kept times the right c^m
      const auto& [from, index] = sources[i];
      const Chain& child = chains[static_cast<std::size_t>(from)][index];
      here.push_back({images[i], child.density * order, bush(order - from - 1, child.text)});
      images[i] = multiply(method.c, images[i]);
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      record_failure(proof, here[i].text, dot(method.b, here[i].value), here[i].density, 1, sum);
      if (order <= eta) continue;
      sources.emplace_back(order, i);
      images.push_back(multiply(method.a, here[i].value));
    }
    chains.push_back(std::move(here));
    proof.checked = order;
    if (proof.failing > 0) return;
    proof.order = order;
  }
}

}  // namespace

OrderProof prove_order(const Operators& method, const Assumptions& found, bool prefer_trees) {
  OrderProof proof;
  const bool by_assumptions = found.butcher() == found.b;  // the quadrature bounds it from above
  if (by_assumptions && (!prefer_trees || found.b > max_tree_order)) {
    proof.order = found.b;
    proof.route = "simplifying assumptions";
    proof.failing_tree = bush(found.b, "");  // the bushy tree: B(p+1)
    proof.weight = found.b_residual + inverse_of(found.b + 1);
    proof.target = rational(1) / rational(found.b + 1);
    proof.failing = 1;
    return proof;
  }
  if (found.c + 1 < max_tree_order) order_by_trees(method, proof);
  if (proof.failing == 0 && 2 * found.c + 2 > max_tree_order) {
    proof = OrderProof();
    order_by_chains(method, found.c, proof);
  }
  return proof;
}

AlgebraicStability algebraic_stability(const Operators& method) {
  AlgebraicStability out;
  Matrix m = multiply(method.gram, method.a);
  const std::size_t n = m.size();
  const Matrix half = m;
  bool zero = true;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      m[i][j] = half[i][j] + half[j][i] - method.b[i] * method.b[j];
      zero = zero && m[i][j].is_zero();
    }
  }
  out.symplectic = zero;
  std::string reason;
  if (!semidefinite(method.gram, reason)) {
    out.reason = "negative weight: " + reason;
  } else if (!semidefinite(m, reason)) {
    out.reason = "M = BA + A'B - bb' is not positive semidefinite: " + reason;
  }
  out.holds = out.reason.empty();
  return out;
}

RationalFunction stability_function(const Operators& method) {
  Matrix shifted = method.a;  // N = det(I - z(A - 1 b'))
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    if (method.one[i].is_zero()) continue;
    for (std::size_t j = 0; j < shifted.size(); ++j) {
      shifted[i][j] -= method.one[i] * method.b[j];
    }
  }
  return reduced(resolvent_determinant(shifted), resolvent_determinant(method.a));
}

MethodProof prove_method(const std::string& id, const Operators& method, const Vector& embedded,
                         bool stiffly_accurate, bool prefer_trees) {
  MethodProof out;
  out.id = id;
  out.method = method;
  out.stiffly_accurate = stiffly_accurate;
  out.a_invertible = resolvent_determinant(method.a).degree() == method.stages();
  const Vector rows = multiply(method.a, method.one), nodes = multiply(method.c, method.one);
  for (std::size_t i = 0; i < rows.size() && out.row_sums_hold; ++i) {
    if (rows[i] == nodes[i]) continue;
    out.row_sums_hold = false;
    out.row_sum_failure = "row " + std::to_string(i + 1) + " of A sums to c" +
                          std::to_string(i + 1) + " plus " + (rows[i] - nodes[i]).decimal(6);
  }
  out.simplifying = assumptions(method);
  out.stage_order = std::min(out.simplifying.b, out.simplifying.c);
  out.order = prove_order(method, out.simplifying, prefer_trees);
  out.algebraic = algebraic_stability(method);
  out.stability = prove_stability(stability_function(method));
  if (!embedded.empty()) {
    Operators second = method;
    second.b = embedded;
    second.gram = Matrix();
    const Assumptions found = assumptions(second);
    out.embedded_order = prove_order(second, found, true);
    out.embedded_stability = prove_stability(stability_function(second));
  }
  return out;
}

}  // namespace daemark::exact
