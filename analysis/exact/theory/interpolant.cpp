#include "analysis/exact/theory/interpolant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/numbers/ball.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {
namespace {

bool is_none(const Number& x) { return x.is_zero(); }
bool is_none(const Ball& x) { return x.may_vanish(); }
wide magnitude(const Number& x) { return abs(x.to_wide()); }
wide magnitude(const Ball& x) { return abs(static_cast<wide>(x.middle())); }

/// The stages of all, and behind them the end of the step and its start, by what is equal for every
/// equation: the coarsest classes whose members have equal sums of coefficients over each class.
template <class T>
std::vector<int> equal_points(const Interpolant<T>& m) {
  std::vector<std::vector<T>> rows = m.a;
  rows.push_back(m.b);
  rows.emplace_back(m.b.size(), T(0));
  std::vector<int> of(rows.size(), 0);
  for (int count = 1;;) {
    std::vector<std::vector<T>> sums;
    std::vector<std::size_t> first;  // of each class
    std::vector<int> next;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sums.emplace_back(count, T(0));
      for (std::size_t j = 0; j < m.b.size(); ++j) sums[i][of[j]] += rows[i][j];
      const auto same = std::find_if(first.begin(), first.end(), [&](std::size_t r) {
        bool equal = of[r] == of[i];
        for (int k = 0; k < count && equal; ++k) equal = is_none(sums[i][k] - sums[r][k]);
        return equal;
      });
      next.push_back(static_cast<int>(same - first.begin()));
      if (same == first.end()) first.push_back(i);
    }
    if (static_cast<int>(first.size()) == count) return next;
    count = static_cast<int>(first.size()), of = next;
  }
}

/// Σ weights_i f(Y_i) is f at the point of that place, for every f.
template <class T>
bool is_rate_at(const std::vector<T>& weights, const std::vector<int>& classes, std::size_t place) {
  std::vector<T> sums(classes.size(), T(0));
  for (std::size_t i = 0; i < weights.size(); ++i) sums[classes[i]] += weights[i];
  sums[classes[place]] -= T(1);
  return std::all_of(sums.begin(), sums.end(), [](const T& x) { return is_none(x); });
}

template <class T>
void meet_ends(const Interpolant<T>& m, InterpolantProof<T>& proof) {
  const std::size_t s = m.b.size();
  std::vector<T> at_end(s, T(0)), slope = at_end;
  for (std::size_t k = 0; k < m.weights.size(); ++k)
    for (std::size_t i = 0; i < s; ++i) {
      at_end[i] += m.weights[k][i];
      slope[i] += T(static_cast<int>(k) + 1) * m.weights[k][i];
    }
  const auto blame = [&](const char* what, std::size_t i, const T& gap) {
    if (is_none(gap) || !proof.defect.empty()) return;
    proof.defect = fmt::format(fmt::runtime(what), i + 1, magnitude(gap).str(6));
  };
  for (std::size_t i = 0; i < s; ++i) {
    const T gap = at_end[i] - m.b[i];
    proof.ends_in_b = proof.ends_in_b && is_none(gap);
    blame("it does not end in b: at theta = 1 the weight of stage {} is off by {}", i, gap);
  }
  for (std::size_t i = 0; i < s; ++i)
    blame("row {} of A and dense.A does not sum to its c, off by {}", i,
          weight_of(m.a[i], std::vector<T>(s, T(1))) - m.c[i]);
  const std::vector<int> classes = equal_points(m);
  proof.smooth_at_end = proof.ends_in_b && is_rate_at(slope, classes, s);
  proof.smooth_at_start = !m.weights.empty() && is_rate_at(m.weights[0], classes, s + 1);
}

}  // namespace

template <class T>
InterpolantProof<T> prove_interpolant(const Interpolant<T>& m) {
  InterpolantProof<T> proof;
  meet_ends(m, proof);
  const int degree = static_cast<int>(m.weights.size());
  const RootedTrees& trees = trees_to(max_tree_order);
  using Stages = std::vector<T>;
  TreeWalk<Stages> walk(trees, {Stages(m.b.size(), T(1)),
                                [](const Stages& x, const Stages& y) {
                                  Stages out = x;
                                  for (std::size_t i = 0; i < y.size(); ++i) out[i] *= y[i];
                                  return out;
                                },
                                {[&](const Stages& x) {
                                  Stages out;
                                  for (const Stages& row : m.a) out.push_back(weight_of(row, x));
                                  return out;
                                }}});
  TreeOrders found;
  const int last = std::min(degree + 1, max_tree_order);  // no interpolant has more than its degree
  for (int order = 1; order <= last && proof.failing_tree.empty(); ++order) {
    wide worst = 0;
    for (int i = trees.begin(order); i < trees.end(order); ++i) {
      const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      const Stages stage = walk.stage(i);
      for (int k = 1; k <= std::max(degree, order); ++k) {
        const T weight =
            k <= degree ? weight_of(m.weights[static_cast<std::size_t>(k) - 1], stage) : T(0);
        const rational target = k == order ? rational(1) / tree.density : rational(0);
        const T off = weight - T(target);
        if (magnitude(off) > exactly_zero()) worst = std::max(worst, magnitude(off));
        if (is_none(off) || !proof.failing_tree.empty()) continue;
        proof.failing_tree = tree.text, proof.power = k;
        proof.weight = weight, proof.target = target;
      }
    }
    found.add(worst, proof.failing_tree.empty());
  }
  proof.order = found.unbounded() ? RoundedOrder{found.holds, found.largest(found.holds), 0, true}
                                  : found.with_jump();
  return proof;
}

template InterpolantProof<Number> prove_interpolant(const Interpolant<Number>&);
template InterpolantProof<Ball> prove_interpolant(const Interpolant<Ball>&);

namespace {

/// Rows of weights by stages, turned to rows by powers; A, b and c of all stages.
template <class T>
Interpolant<T> with_further(std::vector<std::vector<T>> a, std::vector<T> b, std::vector<T> c,
                            const std::vector<std::vector<T>>& more_a, const std::vector<T>& more_c,
                            const std::vector<std::vector<T>>& weights) {
  Interpolant<T> out{std::move(a), std::move(b), std::move(c), {}};
  out.a.insert(out.a.end(), more_a.begin(), more_a.end());
  for (auto& row : out.a) row.resize(out.a.size(), T(0));
  out.b.resize(out.a.size(), T(0));
  out.c.insert(out.c.end(), more_c.begin(), more_c.end());
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t k = 0; k < weights[i].size(); ++k) {
      if (out.weights.size() <= k) out.weights.emplace_back(out.a.size(), T(0));
      out.weights[k][i] = weights[i][k];
    }
  return out;
}

}  // namespace

Interpolant<Number> interpolant_of(const TableauNumbers& numbers) {
  return with_further(numbers.a, numbers.b, numbers.c, numbers.dense.A, numbers.dense.c,
                      numbers.dense.weights);
}

Interpolant<Ball> enclosed_interpolant(const Tableau<Expression>& tableau) {
  std::vector<const Expression*> all = entries_of(tableau);
  for (const Expression* e : entries_of(tableau.dense)) all.push_back(e);
  const Digits digits = digits_of(all);
  const auto rows = [&](const std::vector<std::vector<Expression>>& lists) {
    BallMatrix out;
    for (const auto& list : lists) out.push_back(balls_of(list, digits));
    return out;
  };
  return with_further(rows(tableau.A), balls_of(tableau.b, digits),
                      balls_of(tableau.c, digits, false), rows(tableau.dense.A),
                      balls_of(tableau.dense.c, digits, false), rows(tableau.dense.weights));
}

}  // namespace daemark::exact
