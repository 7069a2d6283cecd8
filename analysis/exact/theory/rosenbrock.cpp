#include "analysis/exact/theory/rosenbrock.hpp"

#include <algorithm>

#include "analysis/exact/theory/uncertain.hpp"
#include "base/linear/triangular.hpp"
#include "methods/core/tableau.hpp"
#include "methods/core/tree_families.hpp"

namespace daemark::exact {

namespace {

constexpr int most_order = 7;  // a tree of order 8 may fail where no method of that order is known

Vector row_product(const Vector& row, const Matrix& m) {
  Vector out(row.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j < row.size(); ++j) out[j] += row[i] * m[i][j];
  return out;
}

/// A method in numbers T, which are exact or have an uncertainty.
template <class T>
struct Rules {
  std::vector<std::vector<T>> alpha, beta, omega;
  TreeWalk<std::vector<T>> walk(const RootedTrees& trees) const {
    return {trees,
            {std::vector<T>(alpha.size(), T(1)),
             stage_by_stage<T>,
             {on_stages(alpha), on_stages(beta)},
             by_branches,
             {nullptr, on_stages(omega)}}};
  }
};

/// The largest order, up to `most`, with all conditions of trees of y up to it, of z below it.
template <class T, class Holds>
int order_where(const RootedTrees& trees, const Rules<T>& rules, const std::vector<T>& weights,
                int most, Holds holds, std::string* failing = nullptr) {
  auto walk = rules.walk(trees);
  int order = most;
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    const Tree& tree = trees.all()[i];
    const int bound = tree.type == of_z ? tree.order : tree.order - 1;
    if (bound >= order || holds(weight_of(weights, walk.stage(static_cast<int>(i))), tree))
      continue;
    order = bound;
    if (failing) *failing = tree.text;
  }
  return order;
}

/// The largest order, up to `most`, with all conditions of W-methods.
template <class T, class Holds>
int w_order_where(const std::vector<std::vector<T>>& alpha,
                  const std::vector<std::vector<T>>& gammas, const std::vector<T>& weights,
                  int most, Holds holds, std::string* failing = nullptr) {
  const RootedTrees trees(most, w_trees());
  TreeWalk<std::vector<T>> walk(trees, {std::vector<T>(alpha.size(), T(1)),
                                        stage_by_stage<T>,
                                        {on_stages(alpha), on_stages(gammas)},
                                        [](int vertex, int, bool) { return vertex; }});
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    const Tree& tree = trees.all()[i];
    const rational target = tree.marks == with_matrix ? rational(0) : rational(1 / tree.density);
    if (holds(weight_of(weights, walk.stage(static_cast<int>(i))), target)) continue;
    if (failing) *failing = tree.text;
    return tree.order - 1;
  }
  return most;
}

/// Order by order until one fails.
OrderProof order_by_trees(const Rules<Number>& rules, const Vector& weights) {
  auto walk = rules.walk(trees_to(most_order));
  OrderProof proof = order_of_walk(walk, {weights}, most_order);
  proof.error_norm.reset();
  return proof;
}

}  // namespace

RosenbrockCoefficientsExact import_rosenbrock(const Coefficients& method) {
  RosenbrockCoefficientsExact out;
  const std::vector<Number> flat = import_numbers(entries_of(method), method.id, {}, &out.radicals);
  const std::size_t s = method.list("b").size();
  auto at = flat.begin();
  const Number gamma = *at++;
  const auto rows = [&] {
    Matrix m;
    for (std::size_t i = 0; i < s; ++i, at += static_cast<long>(s)) m.emplace_back(at, at + s);
    return m;
  };
  out.alpha = rows();
  Matrix gammas = rows();
  out.b.assign(at, at + s);
  out.embedded.assign(at + s, flat.end());
  if (is_transformed(method)) {  // Γ = (1/γ − C)⁻¹, α = A Γ
    for (std::size_t i = 0; i < s; ++i) {
      for (Number& x : gammas[i]) x = -x;
      gammas[i][i] = gamma.inverse();
    }
    gammas = inverse_of_lower(gammas);
    out.alpha = multiply(out.alpha, gammas);
    out.b = row_product(out.b, gammas);
    if (!out.embedded.empty()) out.embedded = row_product(out.embedded, gammas);
  } else {
    for (std::size_t i = 0; i < s; ++i) gammas[i][i] = gamma;
  }
  out.beta = out.alpha;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) out.beta[i][j] += gammas[i][j];
  return out;
}

bool is_blind_on_linear(const Coefficients& method) {
  if (method.decimal) return false;
  const RosenbrockCoefficientsExact exact = import_rosenbrock(method);
  if (exact.embedded.empty()) return false;
  Vector stages(exact.b.size(), Number(1));
  for (std::size_t k = 0; k < exact.b.size(); ++k, stages = multiply(exact.beta, stages)) {
    Number difference;
    for (std::size_t i = 0; i < stages.size(); ++i)
      difference += (exact.b[i] - exact.embedded[i]) * stages[i];
    if (!(difference == Number(0))) return false;
  }
  return true;
}

RosenbrockProof prove_rosenbrock(const Coefficients& method) {
  RosenbrockProof proof;
  proof.coefficients = import_rosenbrock(method);
  const auto& [alpha, beta, b, embedded, radicals] = proof.coefficients;
  const Matrix omega = inverse_of_lower(beta);
  const Rules<Number> rules{alpha, beta, omega};
  proof.order = order_by_trees(rules, b);
  proof.index_one = order_where(
      RootedTrees(proof.order.order, index_one_trees()), rules, b, proof.order.order,
      [](const Number& weight, const Tree& tree) {
        return weight == Number(rational(1) / tree.density);
      },
      &proof.index_one_tree);
  Matrix gammas = beta;
  for (std::size_t i = 0; i < gammas.size(); ++i)
    for (std::size_t j = 0; j < gammas.size(); ++j) gammas[i][j] -= alpha[i][j];
  proof.w_order = w_order_where(
      alpha, gammas, b, proof.order.order,
      [](const Number& weight, const rational& target) { return weight == Number(target); },
      &proof.w_tree);
  const Vector rows = multiply(beta, Vector(b.size(), Number(1)));
  proof.stability = prove_stability(stability_function(nodal_operators(beta, b, rows)));
  proof.stiffly_accurate = beta.back() == b;
  if (embedded.empty()) return proof;
  proof.embedded_order = order_by_trees(rules, embedded);
  proof.embedded_stability =
      prove_stability(stability_function(nodal_operators(beta, embedded, rows)));
  return proof;
}

wide rosenbrock_unit(const Coefficients& method) {
  if (!method.decimal) return exactly_zero();
  std::vector<std::vector<const Expression*>> groups;
  for (const std::string& name : schema_of(method).sequence())
    groups.push_back(pointers_to(method.rows(name)));
  return rounding_unit(groups);
}

RosenbrockOrders rosenbrock_orders(const Coefficients& method, const wide& unit) {
  const RosenbrockNumbers<wide> numbers = rosenbrock_numbers<wide>(method);
  auto beta = numbers.alpha;
  for (std::size_t i = 0; i < beta.size(); ++i)
    for (std::size_t j = 0; j < beta.size(); ++j) beta[i][j] += numbers.gammas[i][j];
  const Rules<Sized> rules{sized(numbers.alpha), sized(beta), sized(inverse_of_lower(beta))};
  const SizedVector b = sized(numbers.b);
  const auto off = [](const Sized& weight, const rational& target) {
    return wide(abs(wide(weight.value - static_cast<wide>(target))));
  };
  const auto gap = [&](const Sized& weight, const Tree& tree) {
    return off(weight, 1 / tree.density);
  };
  const auto holds = [&](const Sized& weight, const Tree& tree) {
    return gap(weight, tree) <= unit * weight.size;
  };
  RosenbrockOrders out;
  const RootedTrees& plain = trees_to(most_order);
  out.order = order_where(plain, rules, b, most_order, holds);
  auto walk = rules.walk(plain);
  for (std::size_t i = 0; i < plain.all().size() && plain.all()[i].order <= out.order + 1; ++i) {
    const Tree& tree = plain.all()[i];
    wide& largest = tree.order <= out.order ? out.residual : out.next;
    largest = std::max(largest, gap(weight_of(b, walk.stage(static_cast<int>(i))), tree));
  }
  if (!numbers.embedded.empty())
    out.embedded = order_where(plain, rules, sized(numbers.embedded), most_order, holds);
  out.w_order = w_order_where(sized(numbers.alpha), sized(numbers.gammas), b, out.order,
                              [&](const Sized& weight, const rational& target) {
                                return off(weight, target) <= unit * weight.size;
                              });
  out.index_one =
      order_where(RootedTrees(out.order, index_one_trees()), rules, b, out.order, holds);
  return out;
}

}  // namespace daemark::exact
