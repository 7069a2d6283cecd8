#include "analysis/exact/theory/half_explicit.hpp"

#include <algorithm>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/uncertain.hpp"
#include "methods/core/tree_weights.hpp"

namespace daemark::exact {

namespace {

constexpr int most_half_explicit = 6;  // one above the orders of known methods

using Wides = SquareOf<wide>;

/// Stages that take multipliers of the step before, which stand first.
int carried_stages(const Wides& constraint) {
  int count = 0;
  while (constraint[count][count] == 0) ++count;
  return count;
}

/// Â⁻¹ of the stages with multipliers of their own, zeros elsewhere.
Wides inverse_of_own(const Wides& m, int first) {
  const int s = static_cast<int>(m.size());
  Wides out(s, std::vector<wide>(s, wide(0)));
  for (int j = first; j < s; ++j) {
    out[j][j] = 1 / m[j][j];
    for (int i = j + 1; i < s; ++i) {
      wide sum = 0;
      for (int k = j; k < i; ++k) sum += m[i][k] * out[k][j];
      out[i][j] = -sum / m[i][i];
    }
  }
  return out;
}

Wides magnitudes(Wides m) {
  for (auto& row : m)
    for (wide& x : row) x = abs(x);
  return m;
}

StageRules<wide> half_explicit_rules(const Wides& A, const Wides& constraint, const Wides& inverse,
                                     std::vector<wide> weights) {
  StageRules<wide> rules;
  for (const int single : {0, 1}) {
    rules.branch[0][0][single] = &A;
    rules.branch[1][0][single] = &constraint;
  }
  rules.of_z = &inverse;
  rules.weights = std::move(weights);
  return rules;
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
  const Wides inverse = inverse_of_own(form.constraint, first);
  const Wides sizes[] = {magnitudes(form.stages.A), magnitudes(form.constraint),
                         magnitudes(inverse)};
  const auto rules = half_explicit_rules(form.stages.A, form.constraint, inverse, form.stages.b);
  const std::vector<DaeTree>& trees = DaeTrees::to(DaeTrees::Index::two, most_half_explicit).all();
  const auto functions = stage_functions(trees, rules),
             bounds =
                 stage_functions(trees, half_explicit_rules(sizes[0], sizes[1], sizes[2],
                                                            magnitudes({form.stages.b}).front()));
  const auto fails = [&](std::size_t i, const wide& value, const wide& size) {
    return abs(wide(value - 1 / static_cast<wide>(trees[i].density))) > unit * (size + 1);
  };
  const auto misses = [&](std::size_t i, const std::vector<wide>& weights) {
    return fails(i, weight_of(weights, functions[i]),
                 weight_of(magnitudes({weights}).front(), bounds[i]));
  };
  HalfExplicitOrders out;
  int q = most_half_explicit, v = most_half_explicit, z = most_half_explicit,
      embedded = most_half_explicit;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const DaeTree& tree = trees[i];
    const int below = tree.order - 1;
    if (tree.fat) {
      if (below < z && fails(i, functions[i][s - 1], bounds[i][s - 1])) z = below;
      continue;
    }
    if (tree.of_position && below < q && misses(i, form.stages.b)) q = below;
    if (!tree.of_velocity) continue;
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
