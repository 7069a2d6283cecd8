// The order of a Runge–Kutta method by rooted trees or by the simplifying assumptions; bounded from
// above by the quadrature and by the order of R.
#include <algorithm>

#include "analysis/exact/theory/runge_kutta.hpp"

namespace daemark::exact {

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
    if (order > 1) walk.grow(order - 1);
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

}  // namespace daemark::exact
