#include "analysis/exact/theory/half_explicit.hpp"

#include <algorithm>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/uncertain.hpp"
#include "base/linear/triangular.hpp"
#include "methods/core/tree_families.hpp"

namespace daemark::exact {

namespace {

constexpr int most_half_explicit = 6;  // one above the orders of known methods

/// Number of stages, all at the beginning, that take multipliers of the previous step.
int carried_stages(const std::vector<std::vector<wide>>& constraint) {
  int count = 0;
  while (constraint[count][count] == 0) ++count;
  return count;
}

}  // namespace

HalfExplicitOrders half_explicit_orders(const Coefficients& method) {
  const WideHalfExplicit form = half_explicit_numbers(method);
  const wide unit =
      method.decimal ? rounding_unit({pointers_to(method.rows("A")), pointers_to(method.rows("b")),
                                      pointers_to({&method.list("c"), &method.list("b_hat")}),
                                      pointers_to(method.rows("A_hat"))})
                     : exactly_zero();
  const int s = form.stages.stages(), first = carried_stages(form.constraint);
  const auto inverse = inverse_of_lower(form.constraint, first);  // of stages with own multipliers
  const auto A = sized(form.stages.A), constraint = sized(form.constraint), of_own = sized(inverse);
  static const RootedTrees all(most_half_explicit, index_two_trees());
  const std::vector<Tree>& trees = all.all();
  TreeWalk<SizedVector> walk(
      all, {SizedVector(s, Sized(1)),
            stage_by_stage<Sized>,
            {on_stages(A), on_stages(constraint)},
            [](int vertex, int branch, bool) { return branch == of_z ? -1 : vertex; },
            {nullptr, on_stages(of_own)}});
  std::vector<SizedVector> functions;
  for (std::size_t i = 0; i < trees.size(); ++i)
    functions.push_back(walk.stage(static_cast<int>(i)));
  const auto fails = [&](std::size_t i, const Sized& found) {
    return abs(wide(found.value - 1 / static_cast<wide>(trees[i].density))) >
           unit * (found.size + 1);
  };
  const auto misses = [&](std::size_t i, const std::vector<wide>& weights) {
    return fails(i, weight_of(sized(weights), functions[i]));
  };
  HalfExplicitOrders out;
  int q = most_half_explicit, v = most_half_explicit, z = most_half_explicit,
      embedded = most_half_explicit;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = trees[i];
    const int below = tree.order - 1;
    if (tree.type == of_z) {
      if (below < z && fails(i, functions[i][s - 1])) z = below;
      continue;
    }
    if (tree.marks & in_position && below < q && misses(i, form.stages.b)) q = below;
    if (!(tree.marks & in_velocity)) continue;
    if (below < v && misses(i, form.stages.b)) v = below, out.failing = tree.text;
    if (!form.stages.embedded.empty() && below < embedded && misses(i, form.stages.embedded))
      embedded = below;
  }
  out.multipliers = z + 1;
  out.embedded = form.stages.embedded.empty() ? 0 : embedded;
  if (first == 0) {
    out.q = q, out.v = v, out.lambda = v;
    return out;
  }
  wide carried = 0;  // Λ_s of Λ_carried alone
  for (int j = first; j < s; ++j)
    for (int k = 0; k < first; ++k) carried -= inverse[s - 1][j] * form.constraint[j][k];
  out.carried = to_double(wide(abs(carried)));
  out.q = std::min(q, out.multipliers + 1), out.v = std::min(v, out.multipliers + 1);
  out.lambda = std::min(v, out.multipliers);
  return out;
}

}  // namespace daemark::exact
