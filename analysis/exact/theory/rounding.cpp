#include "analysis/exact/theory/rounding.hpp"

#include <algorithm>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/pair.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {

namespace {

constexpr int shallowest = 11;

struct Judged {
  std::vector<Uncertain> a;
  Uncertain b, c, embedded, one;

  Judged(const Tableau<Expression>& t, const Digits& file)
      : b(t.b, of_group(t.b, file)),
        c(t.c, of_group(t.c, file), false),
        embedded(t.embedded, of_group(t.embedded, file)),
        one(Uncertain::ones(t.b.size())) {
    const Digits own = digits_of_group(pointers_to(t.A), file);
    for (const auto& row : t.A) a.emplace_back(row, own);
  }
  static Digits of_group(const std::vector<Expression>& group, const Digits& file) {
    return digits_of_group(pointers_to({&group}), file);
  }
  explicit Judged(const Tableau<Expression>& t) : Judged(t, digits_of(entries_of(t))) {}
};

/// B(k) for k <= most, C(k) likewise, within rounding.
int quadrature(const Judged& k, int most) {
  Uncertain power = k.one;
  for (int q = 1; q <= most; ++q) {
    if (!condition(k.b, power, wide(1) / q).holds()) return q - 1;
    power = product(power, k.c);
  }
  return most;
}

int stage_conditions(const Judged& k, int most) {
  Uncertain power = k.one;
  for (int q = 1; q <= most; ++q) {
    const Uncertain left = applied(k.a, power), right = product(power, k.c);
    for (std::size_t i = 0; i < k.a.size(); ++i) {
      const Condition gap{left.value[i] - right.value[i] / q, left.excess[i] + right.excess[i] / q};
      if (!gap.holds()) return q - 1;
    }
    power = right;
  }
  return most;
}

/// b'C^(q-1)A = b'(1 - C^q)/q, within rounding.
int adjoint_conditions(const Judged& k, int most) {
  const std::size_t s = k.a.size();
  Uncertain power = k.one;
  for (int q = 1; q <= most; ++q) {
    const Uncertain weights = product(k.b, power), next = product(power, k.c);
    for (std::size_t j = 0; j < s; ++j) {
      Uncertain column;
      for (std::size_t i = 0; i < s; ++i) {
        column.value.push_back(k.a[i].value[j]);
        column.size.push_back(k.a[i].size[j]);
        column.excess.push_back(k.a[i].excess[j]);
      }
      Condition gap = condition(weights, column, 0);
      gap.residual -= k.b.value[j] * (1 - next.value[j]) / q;
      gap.bound +=
          (k.b.excess[j] * (1 + next.size[j] + next.excess[j]) + k.b.size[j] * next.excess[j]) / q;
      if (!gap.holds()) return q - 1;
    }
    power = next;
  }
  return most;
}

/// The highest order whose trees are tried, 11 to deepest_trees: bounds the products with A, one
/// for every tree of a lower order.
int tree_limit(const Judged& k) {
  constexpr double most = 6e7;
  constexpr int trees[] = {3047, 7813, 20299};  // of order 11, 12, 13 and below
  const double size = static_cast<double>(k.a.size());
  int limit = shallowest;
  for (const int count : trees) {
    if (count * size * size > most) break;
    ++limit;
  }
  return limit;
}

/// `weights`: by the type of the root, as order_of_walk has them.
TreeOrders orders_of(TreeWalk<Uncertain>& walk, const std::vector<Uncertain>& weights, int limit) {
  const RootedTrees& trees = walk.trees();
  TreeOrders out;
  for (int order = 1; order == out.holds + 1 && order <= limit; ++order) {
    bool all = true;
    wide worst = 0;
    for (int i = trees.begin(order); i < trees.end(order); ++i) {
      const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      const Uncertain& b = weights[static_cast<std::size_t>(tree.type)];
      if (b.count() == 0) continue;
      const Condition c = condition(b, walk.stage(i), 1 / static_cast<wide>(tree.density));
      all = all && c.holds();
      if (abs(c.residual) > exactly_zero()) worst = std::max(worst, wide(abs(c.residual)));
    }
    out.add(worst, all);
  }
  return out;
}

/// Of B(q), with the row sums for c: the bushy tree of order q.
wide bushy_residual(const Judged& k, const Uncertain& weights, int q) {
  const Uncertain c = applied(k.a, k.one);
  Uncertain power = k.one;
  for (int i = 1; i < q; ++i) power = product(power, c);
  return abs(condition(weights, power, wide(1) / q).residual);
}

RoundedOrder order_of(const Judged& k, const Uncertain& weights, int by_theorem) {
  const auto try_to = [&](int limit) {
    TreeWalk<Uncertain> walk(
        trees_to(limit), {k.one, product, {[&](const Uncertain& u) { return applied(k.a, u); }}});
    return orders_of(walk, {weights}, limit);
  };
  TreeOrders found = try_to(shallowest);  // few need the trees of order 14
  if (const int limit = tree_limit(k); found.unbounded() && limit > shallowest)
    found = try_to(limit);
  if (!found.unbounded()) return found.with_jump();
  const wide residual = found.largest(found.holds);  // the trees end before the order does
  const int holds = std::max(found.holds, by_theorem);
  const wide next = bushy_residual(k, weights, holds + 1);
  return {holds, residual, next, next < 10 * residual || next <= exactly_zero()};
}

/// Row sums of A against c.
void check_row_sums(const std::vector<Uncertain>& a, const Judged& k, const char* name,
                    RoundedTableau& out) {
  const Uncertain sums = applied(a, k.one);
  wide worst = 0, largest = 0;
  std::string failure;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Condition gap{sums.value[i] - k.c.value[i], sums.excess[i] + k.c.excess[i]};
    largest = std::max(largest, wide(abs(gap.residual)));
    if (gap.holds() || abs(gap.residual) <= worst) continue;
    worst = abs(gap.residual);
    failure = std::string("row sums: row ") + std::to_string(i + 1) + " of " + name + " sums to c" +
              std::to_string(i + 1) + " plus " + gap.residual.str(6, std::ios_base::scientific);
  }
  out.sums_hold = out.sums_hold && failure.empty();
  if (!failure.empty()) out.defects.push_back(failure + ", beyond the rounding");
  out.row_sums = largest <= exactly_zero()
                     ? "row sums: exact"
                     : "row sums: off by at most " + largest.str(3, std::ios_base::scientific);
}

void check_weights(const Uncertain& b, const wide& target, const char* name, RoundedTableau& out) {
  if (b.count() == 0) return;
  const Condition c = condition(b, Uncertain::ones(b.count()), target);
  if (!c.holds())
    out.defects.push_back(std::string("consistency: ") + name + " sum to " + target.str(3) +
                          " plus " + c.residual.str(6, std::ios_base::scientific) +
                          ", beyond the rounding");
}

}  // namespace

void TreeOrders::add(const wide& residual, bool all_hold) {
  const int order = static_cast<int>(worst.size());
  worst.push_back(residual);
  if (residual == 0 && exact == order - 1) ++exact;
  if (all_hold) ++holds;
}

wide TreeOrders::largest(int order) const {
  return *std::max_element(worst.begin(), worst.begin() + order + 1);
}

RoundedOrder TreeOrders::with_jump() const {
  int order = holds;
  const auto at = [this](int q) { return worst[static_cast<std::size_t>(q)]; };
  while (order > exact && at(order + 1) < 10 * largest(order)) --order;
  return {order, largest(order), at(order + 1)};
}

bool approximates(const Tableau<Expression>& tableau) { return any_uncertain(entries_of(tableau)); }
bool approximates(const Coefficients& method) { return any_uncertain(entries_of(method)); }

RoundedTableau rounded(const Tableau<Expression>& tableau) {
  const Judged k(tableau);
  RoundedTableau out;
  check_row_sums(k.a, k, "A", out);
  check_weights(k.b, 1, "the weights", out);
  check_weights(k.embedded, 1, "the embedded weights", out);
  const int most = 2 * tableau.stages() + 2;
  out.b = quadrature(k, most);
  out.c = stage_conditions(k, most);
  out.d = adjoint_conditions(k, most);
  const int butcher = std::min({out.b, out.c + out.d + 1, 2 * out.c + 2});
  out.order = order_of(k, k.b, out.sums_hold ? butcher : 0);
  if (!tableau.embedded.empty()) out.embedded = order_of(k, k.embedded, 0);
  if (out.sums_hold) out.b = std::max(out.b, out.order.order);  // implied: of bushy trees
  return out;
}

RoundedTableau rounded_pair(const Coefficients& pair) {
  const Digits file = digits_of(entries_of(pair));
  const Judged first(tableau_of<Expression>(pair, 0), file),
      second(tableau_of<Expression>(pair, 1), file);
  const PairShape shape(pair);
  const bool nystrom = shape.nystrom();
  RoundedTableau out;
  if (!nystrom) check_row_sums(first.a, first, "the first A", out);
  if (!second.a.empty() && pair.kind != MethodKind::partitioned)
    check_row_sums(second.a, second, "the second A", out);
  check_weights(first.b, nystrom ? wide(1) / 2 : wide(1), "the first weights", out);
  check_weights(second.b, 1, "the second weights", out);
  const int limit = pair_tree_limit(shape, 1);
  const RootedTrees trees(limit, pair_trees(shape));
  const auto order = [&](const Uncertain& b, const Uncertain& other) {
    TreeWalk<Uncertain> walk(
        trees,
        actions_of<Uncertain>(
            shape, first.one, product, [&](const Uncertain& u) { return applied(first.a, u); },
            [&](const Uncertain& u) { return applied(second.a, u); }, first.c));
    const TreeOrders found = orders_of(walk, by_root(shape, b, other), limit);
    return found.unbounded() ? RoundedOrder{found.holds, found.largest(found.holds), 0, true}
                             : found.with_jump();
  };
  out.order = order(first.b, second.b);
  if (first.embedded.count() + second.embedded.count() > 0)
    out.embedded = order(first.embedded, second.embedded);
  return out;
}

bool within_rounding_symplectic(const Tableau<Expression>& tableau) {
  const Judged k(tableau);
  const auto gap = [&](std::size_t i, std::size_t j) {
    const auto term = [](const Uncertain& x, std::size_t m, const Uncertain& y, std::size_t n) {
      return Condition{x.value[m] * y.value[n], x.size[m] * y.excess[n] + x.excess[m] * y.size[n] +
                                                    x.excess[m] * y.excess[n]};
    };
    const Condition one = term(k.b, i, k.a[i], j), two = term(k.b, j, k.a[j], i),
                    three = term(k.b, i, k.b, j);
    return Condition{one.residual + two.residual - three.residual,
                     one.bound + two.bound + three.bound};
  };
  for (std::size_t i = 0; i < k.a.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!gap(i, j).holds()) return false;
  return true;
}

RoundedOrder rounded(const Coefficients& formula, std::vector<std::string>& defects) {
  const Digits file = digits_of(entries_of(formula));
  const std::vector<Expression>&alpha = formula.list("alpha"), &beta = formula.list("beta");
  const std::vector<wide> of_alpha = uncertainties(alpha, file),
                          of_beta = uncertainties(beta, file);
  RoundedOrder out{-1, 0, 0};
  wide factorial = 1;
  for (int q = 0; q <= 2 * static_cast<int>(alpha.size()); ++q) {
    if (q > 0) factorial *= q;
    wide defect = 0, bound = exactly_zero();
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      const wide node = static_cast<int>(j);
      const wide power = q == 0 ? wide(1) : wide(mp::pow(node, q));
      const wide before = q == 0 ? wide(0) : q == 1 ? wide(1) : wide(q * mp::pow(node, q - 1));
      defect += power * alpha[j].eval<wide>() - before * beta[j].eval<wide>();
      bound += power * of_alpha[j] + before * of_beta[j];
    }
    const wide residual = abs(defect) / factorial;
    if (abs(defect) > bound) {
      out.next = residual;
      break;
    }
    out.order = q;
    out.residual = std::max(out.residual, residual);
  }
  if (out.order < 1) {
    defects.push_back("consistency: C_" + std::to_string(out.order + 1) + " = " +
                      out.next.str(6, std::ios_base::scientific) + ", beyond the rounding");
  }
  return out;
}

}  // namespace daemark::exact
