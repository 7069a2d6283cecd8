#include "analysis/exact/theory/rosenbrock.hpp"

#include <algorithm>

#include "analysis/exact/theory/uncertain.hpp"
#include "methods/core/tableau.hpp"
#include "methods/core/tree_weights.hpp"

namespace daemark::exact {

namespace {

constexpr int most_order = 7;  // a tree of order 8 may fail where no method of that order is known

Vector row_product(const Vector& row, const Matrix& m) {
  Vector out(row.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j < row.size(); ++j) out[j] += row[i] * m[i][j];
  return out;
}

template <class T>
StageRules<T> rules_of(const SquareOf<T>& alpha, const SquareOf<T>& beta, const SquareOf<T>& omega,
                       const std::vector<T>& weights) {
  StageRules<T> rules;
  for (auto& kind : rules.branch)
    for (auto& branch : kind) branch[0] = &alpha, branch[1] = &beta;
  rules.of_z = &omega;
  rules.weights = weights;
  return rules;
}

/// Order by order until one fails.
OrderProof order_by_trees(const StageRules<Number>& rules) {
  OrderProof proof;
  proof.route = "rooted trees";
  proof.upper = most_order;
  const std::vector<DaeTree>& trees = DaeTrees::to(DaeTrees::Index::zero, most_order).all();
  const auto functions = stage_functions(trees, rules);
  for (std::size_t i = 0; i < trees.size() && trees[i].order <= proof.upper + 1; ++i) {
    const Number weight = weight_of(rules.weights, functions[i]);
    const rational target = rational(1) / trees[i].density;
    if (weight == Number(target) || proof.failing++ > 0) continue;
    proof.failing_tree = trees[i].text, proof.weight = weight, proof.target = target;
    proof.upper = trees[i].order - 1;
  }
  proof.order = proof.upper;
  return proof;
}

/// Largest p ≤ most with trees of y up to p, of z up to p − 1.
int order_on_index_one(const StageRules<Number>& rules, int most, std::string& failing) {
  const std::vector<DaeTree>& trees = DaeTrees::to(DaeTrees::Index::one, most).all();
  const auto functions = stage_functions(trees, rules);
  int order = most;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const int bound = trees[i].fat ? trees[i].order : trees[i].order - 1;
    if (bound >= order) continue;
    if (weight_of(rules.weights, functions[i]) == Number(rational(1) / trees[i].density)) continue;
    order = bound;
    failing = trees[i].text;
  }
  return order;
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

RosenbrockProof prove_rosenbrock(const Coefficients& method) {
  RosenbrockProof proof;
  proof.coefficients = import_rosenbrock(method);
  const auto& [alpha, beta, b, embedded, radicals] = proof.coefficients;
  const Matrix omega = inverse_of_lower(beta);
  const StageRules<Number> rules = rules_of(alpha, beta, omega, b);
  proof.order = order_by_trees(rules);
  proof.index_one = order_on_index_one(rules, proof.order.order, proof.index_one_tree);
  const Vector rows = multiply(beta, Vector(b.size(), Number(1)));
  proof.stability = prove_stability(stability_function(nodal_operators(beta, b, rows)));
  proof.stiffly_accurate = beta.back() == b;
  if (embedded.empty()) return proof;
  proof.embedded_order = order_by_trees(rules_of(alpha, beta, omega, embedded));
  proof.embedded_stability =
      prove_stability(stability_function(nodal_operators(beta, embedded, rows)));
  return proof;
}

namespace {

using Wides = SquareOf<wide>;

Wides absolute(Wides m) {
  for (auto& row : m)
    for (wide& x : row) x = abs(x);
  return m;
}

/// The weights of a method at 130 digits beside what their terms amount to.
class WideConditions {
 public:
  WideConditions(const RosenbrockNumbers<wide>& numbers, const std::vector<wide>& weights,
                 const wide& unit)
      : unit_(unit), alpha_(numbers.alpha), beta_(numbers.alpha) {
    for (std::size_t i = 0; i < beta_.size(); ++i)
      for (std::size_t j = 0; j < beta_.size(); ++j) beta_[i][j] += numbers.gammas[i][j];
    omega_ = inverse_of_lower(beta_);
    sizes_[0] = absolute(alpha_), sizes_[1] = absolute(beta_), sizes_[2] = absolute(omega_);
    rules_ = rules_of(alpha_, beta_, omega_, weights);
    size_rules_ = rules_of(sizes_[0], sizes_[1], sizes_[2], absolute({weights}).front());
  }

  /// Residuals over what decimals leave of their terms, by tree.
  std::vector<std::pair<wide, bool>> judge(const std::vector<DaeTree>& trees) const {
    const auto values = stage_functions(trees, rules_), sizes = stage_functions(trees, size_rules_);
    std::vector<std::pair<wide, bool>> out;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const wide gap =
          abs(wide(weight_of(rules_.weights, values[i]) - 1 / static_cast<wide>(trees[i].density)));
      out.emplace_back(gap, gap <= unit_ * weight_of(size_rules_.weights, sizes[i]));
    }
    return out;
  }

 private:
  wide unit_;
  Wides alpha_, beta_, omega_, sizes_[3];
  StageRules<wide> rules_, size_rules_;
};

}  // namespace

wide rosenbrock_unit(const Coefficients& method) {
  if (!method.decimal) return exactly_zero();
  std::vector<std::vector<const Expression*>> groups;
  for (const std::string& name : schema_of(method).sequence())
    groups.push_back(pointers_to(method.rows(name)));
  return rounding_unit(groups);
}

RosenbrockOrders rosenbrock_orders(const Coefficients& method, const wide& unit) {
  const RosenbrockNumbers<wide> numbers = rosenbrock_numbers<wide>(method);
  RosenbrockOrders out;
  const std::vector<DaeTree>& plain = DaeTrees::to(DaeTrees::Index::zero, most_order).all();
  const auto order_of = [&](const std::vector<wide>& weights, wide* residual, wide* next) {
    const auto judged = WideConditions(numbers, weights, unit).judge(plain);
    int order = most_order;
    for (std::size_t i = 0; i < plain.size(); ++i)
      if (!judged[i].second) order = std::min(order, plain[i].order - 1);
    for (std::size_t i = 0; residual && i < plain.size(); ++i)
      if (plain[i].order <= order + 1) {
        wide& largest = plain[i].order <= order ? *residual : *next;
        largest = std::max(largest, judged[i].first);
      }
    return order;
  };
  out.order = order_of(numbers.b, &out.residual, &out.next);
  if (!numbers.embedded.empty()) out.embedded = order_of(numbers.embedded, nullptr, nullptr);
  const std::vector<DaeTree>& trees = DaeTrees::to(DaeTrees::Index::one, out.order).all();
  const auto judged = WideConditions(numbers, numbers.b, unit).judge(trees);
  out.index_one = out.order;
  for (std::size_t i = 0; i < trees.size(); ++i)
    if (!judged[i].second)
      out.index_one = std::min(out.index_one, trees[i].fat ? trees[i].order : trees[i].order - 1);
  return out;
}

}  // namespace daemark::exact
