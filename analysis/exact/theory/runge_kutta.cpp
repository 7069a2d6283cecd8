#include "analysis/exact/theory/runge_kutta.hpp"

#include <algorithm>

namespace daemark::exact {

namespace {

Vector row_times(const Vector& row, const Matrix& m) {
  Vector out(m.empty() ? 0 : m[0].size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (row[i].is_zero()) continue;
    for (std::size_t j = 0; j < out.size(); ++j)
      if (!m[i][j].is_zero()) out[j] += row[i] * m[i][j];
  }
  return out;
}

bool proportional(const Vector& x, const Vector& y, const Number& factor) {  // x = factor y
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == factor * y[i])) return false;
  return true;
}

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
                 " in its row";
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
    if (!proportional(left, powers[static_cast<std::size_t>(out.c) + 1], inverse_of(out.c + 1)))
      break;
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

/// [t,…,t] and [[…t…]], as RootedTrees spells them.
std::string bushy_tree(int branches) {
  std::string out;
  for (int k = 0; k < branches; ++k) out += k == 0 ? "[t" : ",t";
  return out.empty() ? "t" : out + "]";
}
std::string tall_tree(int edges) {
  const auto n = static_cast<std::size_t>(edges);
  return std::string(n, '[') + "t" + std::string(n, ']');
}

void record_failure(OrderProof& proof, const std::string& tree, const Number& weight,
                    const rational& density) {
  const rational target = rational(1) / density;
  if (weight == Number(target)) return;
  if (proof.failing++ > 0) return;
  proof.failing_tree = tree;
  proof.weight = weight;
  proof.target = target;
}

/// The bushy tree of B(p+1), or the tall one of R where that is the stronger bound.
OrderProof bound_from_above(const Assumptions& found, const StabilityProof* r) {
  OrderProof proof;
  proof.failing = 1;
  if (r == nullptr || found.b <= r->order) {
    proof.upper = found.b;
    proof.failing_tree = bushy_tree(found.b);
    proof.target = rational(1) / rational(found.b + 1);
    proof.weight = found.b_residual + Number(proof.target);
    return proof;
  }
  proof.upper = r->order;
  proof.failing_tree = tall_tree(r->order);
  proof.target = 1;
  for (int k = 2; k <= r->order + 1; ++k) proof.target /= k;
  proof.weight = Number(proof.target) - r->error_constant;
  return proof;
}

/// Order by order until one fails, or to `last`.
OrderProof order_by_trees(const Operators& method, int last) {
  const RootedTrees& trees = trees_to(last <= max_tree_order ? max_tree_order : deepest_trees);
  TreeWalk<Vector> walk(
      trees,
      {method.one, method.product, {[&](const Vector& u) { return multiply(method.a, u); }}});
  return order_of_walk(walk, {method.b}, last);
}

}  // namespace

OrderProof order_of_walk(TreeWalk<Vector>& walk, const std::vector<Vector>& weights, int last) {
  OrderProof proof;
  proof.route = "rooted trees";
  const RootedTrees& trees = walk.trees();
  for (int order = 1; order <= last && proof.failing == 0; ++order) {
    wide sum = 0;
    for (int i = trees.begin(order); i < trees.end(order); ++i) {
      const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      const Vector& b = weights[static_cast<std::size_t>(tree.type)];
      if (b.empty()) continue;
      const Number weight = dot(b, walk.stage(i));
      record_failure(proof, tree.text, weight, tree.density);
      const Number gap = weight - Number(rational(1) / tree.density);
      if (gap.is_zero()) continue;
      const wide residual = gap.to_wide() / static_cast<wide>(tree.symmetry);
      sum += residual * residual;
    }
    if (proof.failing > 0) proof.error_norm = mp::sqrt(sum);
    if (proof.failing == 0) proof.order = order;
  }
  proof.upper = proof.order;
  return proof;
}

int tree_limit(const Operators& method) {
  constexpr double most = 3e7;
  constexpr int trees[] = {1842, 4766, 12486, 32973};  // of order 11 to 14
  double degree = 1;
  for (const Vector& row : method.a) degree = std::max<double>(degree, field_degree(row));
  const double size = degree * method.stages();
  int limit = max_tree_order;
  for (const int count : trees) {
    if (count * size * size > most) break;
    ++limit;
  }
  return limit;
}

OrderProof prove_order(const Operators& method, const Assumptions& found, bool prefer_trees,
                       const StabilityProof* r) {
  const OrderProof above = bound_from_above(found, r);
  const auto with_bound = [&](int order, const std::string& route) {
    OrderProof proof = above;
    proof.order = order;
    proof.route = route;
    return proof;
  };
  // Among more than 719 trees a checker need not look for the first: the bound's has a name.
  const auto named = [&](OrderProof proof) {
    if (proof.order < max_tree_order || proof.order < above.upper) return proof;
    proof.failing_tree = above.failing_tree, proof.weight = above.weight;
    proof.target = above.target;
    return proof;
  };
  const std::string theorem = "simplifying assumptions";
  if (found.butcher() >= above.upper && (!prefer_trees || above.upper > max_tree_order))
    return with_bound(above.upper, theorem);
  OrderProof best;
  if (found.c + 1 < max_tree_order) {
    best = order_by_trees(method, max_tree_order);
    if (best.failing > 0) return named(best);
  }
  const int limit = std::min(tree_limit(method), above.upper);
  if (best.order < limit) {
    best = order_by_trees(method, limit);
    if (best.failing > 0) return named(best);
  }
  if (found.butcher() > best.order) return with_bound(found.butcher(), theorem);
  return with_bound(std::min(best.order, above.upper), best.route);
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
  if (!semidefinite(method.gram, reason))
    out.reason = "negative weight: " + reason;
  else if (!semidefinite(m, reason))
    out.reason = "M = BA + A'B - bb' is not positive semidefinite: " + reason;
  out.holds = out.reason.empty();
  return out;
}

RationalFunction stability_function(const Operators& method) {
  Matrix shifted = method.a;  // N = det(I - z(A - 1 b'))
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    if (method.one[i].is_zero()) continue;
    for (std::size_t j = 0; j < shifted.size(); ++j) shifted[i][j] -= method.one[i] * method.b[j];
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
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Number gap = abs(rows[i] - nodes[i]);
    if (!(gap > out.row_sum_gap)) continue;
    out.row_sum_gap = gap;
    out.row_sums_hold = false;
    out.row_sum_failure = "row " + std::to_string(i + 1) + " of A sums to c" +
                          std::to_string(i + 1) + " plus " + (rows[i] - nodes[i]).decimal(6);
  }
  out.simplifying = assumptions(method);
  out.stage_order = std::min(out.simplifying.b, out.simplifying.c);
  out.stability = prove_stability(stability_function(method));
  out.order = prove_order(method, out.simplifying, prefer_trees, &out.stability);
  out.algebraic = algebraic_stability(method);
  if (!embedded.empty()) {
    Operators second = method;
    second.b = embedded;
    second.gram = Matrix();
    const Assumptions found = assumptions(second);
    out.embedded_stability = prove_stability(stability_function(second));
    out.embedded_order = prove_order(second, found, true, &*out.embedded_stability);
  }
  return out;
}

}  // namespace daemark::exact
