// The interpolant of a tableau file: its conditions tree by tree and power by power, and the points
// of a step that no equation tells apart.
#include <algorithm>

#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

namespace {

constexpr int most_vertices = 10;

/// A class is named by its first member; split by the images of the indicators of all classes.
std::vector<std::size_t> equal_points(const Table& rows) {
  std::vector<std::size_t> of(rows.size(), 0);
  for (std::size_t name = 0; name < rows.size(); ++name) {
    Row indicator;
    for (std::size_t j = 0; j < rows[0].size(); ++j) indicator.emplace_back(of[j] == name ? 1 : 0);
    const Row at = image(rows, indicator);
    std::vector<std::size_t> split = of;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (of[j] == of[i] && at[j] == at[i]) {
          split[i] = j;
          break;
        }
    if (split == of) continue;
    of = split;
    name = static_cast<std::size_t>(-1);  // once more with the new classes
  }
  return of;
}

bool is_rate_at(std::size_t point, const Row& weights, const Table& rows) {
  const std::vector<std::size_t> of = equal_points(rows);
  Row sums(rows.size());
  for (std::size_t i = 0; i < weights.size(); ++i) sums[of[i]] += weights[i];
  sums[of[point]] -= Number(1);
  return std::all_of(sums.begin(), sums.end(), [](const Number& x) { return x.is_zero(); });
}

/// Row k: the coefficients of θ^(k+1).
Table by_powers(const Table& weights, std::size_t stages) {
  Table out;
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t k = 0; k < weights[i].size(); ++k) {
      if (k >= out.size()) out.emplace_back(stages);
      out[k][i] = weights[i][k];
    }
  return out;
}

/// The lowest power of θ whose condition of this tree fails; 0: none.
int failing_power(Weights& all, const Table& powers, const Levels& tree, Number& weight,
                  rational& target) {
  rational density;
  const int degree = static_cast<int>(powers.size()), order = static_cast<int>(tree.size());
  for (int k = 1; k <= std::max(degree, order); ++k) {
    const Row none(powers.empty() ? 0 : powers[0].size());
    weight =
        all.weight(k <= degree ? powers[static_cast<std::size_t>(k) - 1] : none, tree, density);
    target = k == order ? density : rational(0);
    if (!(weight == Number(target))) return k;
  }
  return 0;
}

void check_order_inside(const Reader& reader, const Json& order, const Method& m,
                        const Table& powers) {
  Weights all(m);
  Number weight;
  rational target;
  const auto fails = [&](const Levels& tree) {
    return failing_power(all, powers, tree, weight, target) > 0;
  };
  const bool exact = order.is_object() && order.contains("order");
  const std::string name = exact ? "order" : "at_least";
  require_keys(order, "dense: order",
               exact ? Keys{name, "failing_tree", "power", "weight", "target"} : Keys{name});
  const int p = whole(order, name);
  require(p >= 0 && (exact ? p < most_vertices : p == most_vertices), "dense: order: not tried");
  for (int n = 1; n <= p; ++n) {
    Levels levels;
    for (int i = 0; i < n; ++i) levels.push_back(i);
    do require(!fails(levels), "dense: order: a condition of this order does not hold");
    while (n > 1 && advance(levels));
  }
  if (!exact) return;
  const Levels stated = levels_of(text(order, "failing_tree"));
  require(static_cast<int>(stated.size()) == p + 1, "dense: failing_tree: not of the next order");
  require_named(stated, fails);
  require_value(order, "power", failing_power(all, powers, stated, weight, target));
  require(weight == reader.number(order, "weight"), "dense: weight: derived " + weight.text());
  require(target == fraction(order, "target"), "dense: target: derived " + target.str());
}

}  // namespace

void check_interpolant(const Reader& reader, const Json& dense, const Method& method) {
  require_keys(dense, "dense",
               {"A", "c", "weights", "order", "ends_in_b", "smooth_at_start", "smooth_at_end"});
  Method m = method;
  const Table more = reader.rows(dense, "A"), weights = reader.rows(dense, "weights");
  const Row c = reader.row(dense, "c", more.size());
  const std::size_t s = m.b.size(), n = s + more.size();
  require(weights.size() == n, "dense: weights: not a list for each stage");
  m.a.insert(m.a.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < n; ++i) {
    require(i < s || m.a[i].size() == i, "dense: A: not the stages before");
    m.a[i].resize(n);
  }
  m.b.resize(n), m.one.assign(n, Number(1));
  m.c.insert(m.c.end(), c.begin(), c.end());
  const Row sums = image(m.a, m.one);
  require(std::equal(sums.begin() + static_cast<long>(s), sums.end(), c.begin()),
          "dense: c: not the row sums of A");
  const Table powers = by_powers(weights, n);
  check_order_inside(reader, dense.at("order"), m, powers);

  Row end(n), slope(n), start(n);
  for (std::size_t k = 0; k < powers.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      end[i] += powers[k][i];
      slope[i] += powers[k][i] * Number(static_cast<long>(k) + 1);
    }
  if (!powers.empty()) start = powers[0];
  Table rows = m.a;
  rows.push_back(m.b);
  rows.emplace_back(n);
  require_value(dense, "ends_in_b", end == m.b);
  require_value(dense, "smooth_at_start", is_rate_at(n + 1, start, rows));
  require_value(dense, "smooth_at_end", end == m.b && is_rate_at(n, slope, rows));
}

}  // namespace daemark::certcheck
