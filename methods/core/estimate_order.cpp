#include "methods/core/estimate_order.hpp"

#include <algorithm>

#include "base/linear/triangular.hpp"
#include "methods/core/tree_families.hpp"

namespace daemark {
namespace {

using Stages = std::vector<real50>;  ///< double loses the stages that cancel
using Action = std::function<Stages(const Stages&)>;

/// Above what round-off and published decimals leave of a sum of terms of size 1.
constexpr double vanishing = 1e-10;
constexpr int highest_inside = 10;
constexpr std::size_t most_trees = 60000;  ///< those of one type up to order 14

/// Φ_i of a tree of q vertices and density γ is c_i^(q−1) q/γ where stages are exact; it may vanish
/// by cancellation, as in the stages that Feagin's estimates compare.
bool differs(const Stages& weights, const Stages& function, const exact::Tree& tree,
             real50 sum = 0) {
  real50 size = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * function[i], size += abs(weights[i]);
  return abs(sum) > vanishing * size * tree.order / to_double(tree.density);
}

/// Order by order until a tree tells `weights`, by type of the root, from zero.
int first_order_seen(const exact::TreeFamily& family, const exact::TreeActions<Stages>& actions,
                     const std::vector<Stages>& weights) {
  for (int last = 6, order = 1;; last += 2, order = 1) {
    const exact::RootedTrees trees(last, family);
    exact::TreeWalk<Stages> walk(trees, actions);
    for (; order <= last; ++order) {
      for (int i = trees.begin(order); i < trees.end(order); ++i) {
        const exact::Tree& tree = trees.all()[static_cast<std::size_t>(i)];
        if (differs(weights[static_cast<std::size_t>(tree.type)], walk.stage(i), tree))
          return order;
      }
    }
    if (8 * trees.all().size() > most_trees) return order;
  }
}

Stages rounded(const std::vector<wide>& list) {
  Stages out;
  for (const wide& x : list) out.push_back(from_wide<real50>(x));
  return out;
}
Stages difference(const std::vector<wide>& b, const std::vector<wide>& embedded) {
  Stages out;
  for (std::size_t i = 0; i < embedded.size(); ++i)
    out.push_back(from_wide<real50>(wide(b[i] - embedded[i])));
  return out;
}

Action multiply(const std::vector<std::vector<wide>>& A) {
  std::vector<Stages> rows;
  for (const auto& row : A) rows.push_back(rounded(row));
  return [rows](const Stages& u) {
    Stages out;
    for (const Stages& row : rows) {
      real50 sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] != 0) sum += row[j] * u[j];
      out.push_back(sum);
    }
    return out;
  };
}

}  // namespace

int order_of_difference(const WideTableau& t) {
  if (t.embedded.empty()) return 0;
  return first_order_seen(
      {}, {Stages(t.b.size(), real50(1)), exact::stage_by_stage<real50>, {multiply(t.A)}},
      {difference(t.b, t.embedded)});
}

int order_of_interpolant(const WideTableau& t) {
  const Dense<wide>& dense = t.dense;
  std::vector<std::vector<wide>> A = t.A;
  A.insert(A.end(), dense.A.begin(), dense.A.end());
  std::vector<Stages> powers;  // the weights of θ, θ², …
  for (std::size_t i = 0; i < dense.weights.size(); ++i) {
    real50 end = from_wide<real50>(i < t.b.size() ? t.b[i] : wide(0));
    for (std::size_t k = 0; k < dense.weights[i].size(); ++k) {
      if (k == powers.size()) powers.emplace_back(A.size(), real50(0));
      end -= powers[k][i] = from_wide<real50>(dense.weights[i][k]);
    }
    if (abs(end) > vanishing) return 0;  // it does not end in b
  }
  const int degree = static_cast<int>(powers.size());
  const exact::RootedTrees trees(std::min(degree, highest_inside));
  exact::TreeWalk<Stages> walk(
      trees, {Stages(A.size(), real50(1)), exact::stage_by_stage<real50>, {multiply(A)}});
  for (int order = 1; order <= std::min(degree, highest_inside); ++order) {
    for (int i = trees.begin(order); i < trees.end(order); ++i) {
      const exact::Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      const Stages stage = walk.stage(i);
      for (int k = 1; k <= degree; ++k) {
        const wide target = k == order ? 1 / static_cast<wide>(tree.density) : wide(0);
        if (differs(powers[k - 1], stage, tree, from_wide<real50>(wide(-target)))) return order - 1;
      }
    }
  }
  return std::min(degree, highest_inside);
}

int order_of_difference(const Coefficients& pair) {
  const WideTableau first = tableau_of<wide>(pair, 0), second = tableau_of<wide>(pair, 1);
  if (first.embedded.empty() && second.embedded.empty()) return 0;
  const exact::PairShape shape(pair);
  return first_order_seen(
      exact::pair_trees(shape),
      exact::actions_of<Stages>(shape, Stages(first.b.size(), real50(1)),
                                exact::stage_by_stage<real50>, multiply(first.A),
                                multiply(second.A), rounded(first.c)),
      exact::by_root(shape, difference(first.b, first.embedded),
                     difference(second.b, second.embedded)));
}

int order_of_difference(const RosenbrockNumbers<wide>& method) {
  if (method.embedded.empty()) return 0;
  std::vector<std::vector<wide>> beta = method.alpha;
  for (std::size_t i = 0; i < beta.size(); ++i)
    for (std::size_t j = 0; j < beta.size(); ++j) beta[i][j] += method.gammas[i][j];
  return first_order_seen({},
                          {Stages(beta.size(), real50(1)),
                           exact::stage_by_stage<real50>,
                           {multiply(method.alpha), multiply(beta)},
                           exact::by_branches},
                          {difference(method.b, method.embedded)});
}

IndexTwoOrders index_two_orders(const RosenbrockNumbers<wide>& method) {
  using Column = std::vector<wide>;
  using Square = std::vector<Column>;
  constexpr int highest_tried = 5;  // one above the orders of known methods
  Square beta = method.alpha;
  for (std::size_t i = 0; i < beta.size(); ++i)
    for (std::size_t j = 0; j < beta.size(); ++j) beta[i][j] += method.gammas[i][j];
  const Square inverse = inverse_of_lower(beta);
  const auto divided = exact::on_stages(inverse);
  const Column ones(beta.size(), wide(1));
  const bool damped = abs(wide(1 - exact::weight_of(method.b, divided(ones)))) < 1 - vanishing;
  static const exact::RootedTrees trees(highest_tried, exact::index_two_trees());
  exact::TreeWalk<Column> walk(trees,
                               {ones,
                                exact::stage_by_stage<wide>,
                                {exact::on_stages(method.alpha), exact::on_stages(beta)},
                                exact::by_branches,
                                {nullptr, [&](const Column& x) { return divided(divided(x)); }}});
  IndexTwoOrders out{highest_tried, highest_tried, method.embedded.empty() ? 0 : highest_tried};
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    const exact::Tree& tree = trees.all()[i];
    const Column function = walk.stage(static_cast<int>(i));
    const wide value = exact::weight_of(method.b, function);
    const bool fails = abs(wide(value - 1 / static_cast<wide>(tree.density))) > vanishing;
    const bool normal = exact::Branches{trees, tree.children}.only(exact::of_z) != nullptr;
    if (tree.type == exact::of_z) {
      if (fails) out.multipliers = std::min(out.multipliers, tree.order);
      continue;
    }
    if (fails) out.motion = std::min(out.motion, normal && damped ? tree.order : tree.order - 1);
    if (!normal && !method.embedded.empty() &&
        abs(wide(value - exact::weight_of(method.embedded, function))) > vanishing)
      out.difference = std::min(out.difference, tree.order);
  }
  return out;
}

}  // namespace daemark
