#include "methods/core/index_two_orders.hpp"

#include <algorithm>

#include "methods/core/tree_weights.hpp"

namespace daemark {
namespace {

using Square = exact::SquareOf<wide>;

constexpr int highest_tried = 5;            ///< one above the orders of known methods
constexpr double left_by_decimals = 1e-10;  ///< above what published decimals leave

Square square_of(const Square& m) {
  Square out = m;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) {
      out[i][j] = 0;
      for (std::size_t k = 0; k < m.size(); ++k) out[i][j] += m[i][k] * m[k][j];
    }
  return out;
}

}  // namespace

IndexTwoOrders index_two_orders(const RosenbrockNumbers<wide>& method) {
  Square beta = method.alpha;
  for (std::size_t i = 0; i < beta.size(); ++i)
    for (std::size_t j = 0; j < beta.size(); ++j) beta[i][j] += method.gammas[i][j];
  const Square inverse = exact::inverse_of_lower(beta), of_z = square_of(inverse);
  exact::StageRules<wide> rules;
  for (auto& kind : rules.branch)
    for (auto& branch : kind) branch[0] = &method.alpha, branch[1] = &beta;
  rules.of_z = &of_z, rules.weights = method.b;
  const std::vector<wide> ones(beta.size(), wide(1));
  const bool damped = abs(wide(1 - exact::weight_of(method.b, exact::image_of(&inverse, ones)))) <
                      1 - left_by_decimals;
  const auto& trees = exact::DaeTrees::to(exact::DaeTrees::Index::two, highest_tried).all();
  const auto functions = exact::stage_functions(trees, rules);
  IndexTwoOrders out{highest_tried, highest_tried, method.embedded.empty() ? 0 : highest_tried};
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const exact::DaeTree& tree = trees[i];
    const wide value = exact::weight_of(method.b, functions[i]);
    const bool fails = abs(wide(value - 1 / static_cast<wide>(tree.density))) > left_by_decimals;
    const bool normal = tree.children.size() == 1 && trees[tree.children[0]].fat;
    if (tree.fat) {
      if (fails) out.multipliers = std::min(out.multipliers, tree.order);
      continue;
    }
    if (fails) out.motion = std::min(out.motion, normal && damped ? tree.order : tree.order - 1);
    if (!normal && !method.embedded.empty() &&
        abs(wide(value - exact::weight_of(method.embedded, functions[i]))) > left_by_decimals)
      out.difference = std::min(out.difference, tree.order);
  }
  return out;
}

}  // namespace daemark
