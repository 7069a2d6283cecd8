// Rosenbrock methods: orders by level sequences whose vertices are of y or of z, each colouring of
// each tree, without any table of trees.
#include <algorithm>

#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

namespace {

struct Coefficients {
  Table alpha, beta, omega;  ///< α, β = α + Γ, β⁻¹
};

/// Column by column.
Table inverse_of(const Table& m) {
  const std::size_t s = m.size();
  Table out(s, Row(s));
  for (std::size_t j = 0; j < s; ++j) {
    Row unit(s);
    unit[j] = 1;
    const Row column = solution(m, unit);
    require(!column.empty(), "gamma: alpha + gamma is singular");
    for (std::size_t i = 0; i < s; ++i) out[i][j] = column[i];
  }
  return out;
}

/// A tree as levels, with a mark on vertices of z.
struct Marked {
  const Levels& levels;
  const std::vector<char>& of_z;
  std::size_t end_of(std::size_t at) const {
    std::size_t end = at + 1;
    while (end < levels.size() && levels[end] > levels[at]) ++end;
    return end;
  }
  std::vector<std::size_t> branches(std::size_t at) const {
    std::vector<std::size_t> out;
    for (std::size_t b = at + 1, end = end_of(at); b < end; b = end_of(b)) out.push_back(b);
    return out;
  }
  /// Vertices of y in the tree above.
  long weight(std::size_t at) const {
    return std::count(of_z.begin() + static_cast<long>(at),
                      of_z.begin() + static_cast<long>(end_of(at)), 0);
  }
  /// A vertex of z has two branches, or one of y.
  bool is_tree() const {
    for (std::size_t at = 0; at < levels.size(); ++at) {
      if (!of_z[at]) continue;
      const std::vector<std::size_t> above = branches(at);
      if (above.empty() || (above.size() == 1 && of_z[above[0]])) return false;
    }
    return true;
  }
  rational density() const {
    rational out = 1;
    for (std::size_t at = 0; at < levels.size(); ++at)
      if (!of_z[at]) out *= weight(at);
    return out;
  }
};

Row function_of(const Coefficients& k, const Marked& tree, std::size_t at) {
  Row u(k.alpha.size(), Number(1));
  const std::vector<std::size_t> above = tree.branches(at);
  for (const std::size_t b : above) {
    const Row branch = image(above.size() == 1 ? k.beta : k.alpha, function_of(k, tree, b));
    for (std::size_t i = 0; i < u.size(); ++i) u[i] *= branch[i];
  }
  return tree.of_z[at] ? image(k.omega, u) : u;
}

bool holds(const Coefficients& k, const Row& weights, const Marked& tree) {
  return dot(weights, function_of(k, tree, 0)) == Number(rational(1) / tree.density());
}

/// Calls `check` for every tree with so many vertices of y; `with_z`: and any of z.
template <class Check>
bool for_all(int order, bool with_z, Check check) {
  const int most = with_z ? 2 * order + 1 : order;  // vertices of z branch, or carry one of y
  for (int n = order; n <= most; ++n) {
    Levels levels;
    for (int i = 0; i < n; ++i) levels.push_back(i);
    do {
      std::vector<char> of_z(levels.size(), 0);
      std::fill(of_z.begin(), of_z.begin() + (n - order), 1);
      std::sort(of_z.begin(), of_z.end());
      do {
        const Marked tree{levels, of_z};
        if (tree.is_tree() && !check(tree)) return false;
      } while (std::next_permutation(of_z.begin(), of_z.end()));
    } while (n > 1 && advance(levels));
  }
  return true;
}

void check_plain_order(const Reader& reader, const Json& order, const Coefficients& k,
                       const Row& weights) {
  require_keys(order, "order", {"order", "failing_tree", "weight", "target"});
  const int p = whole(order, "order");
  const Levels levels = levels_of(text(order, "failing_tree"));
  require(static_cast<int>(levels.size()) == p + 1, "failing_tree: not of the order after it");
  const std::vector<char> plain(levels.size(), 0);
  const Marked tree{levels, plain};
  const Number weight = dot(weights, function_of(k, tree, 0));
  require(rational(1) / tree.density() == fraction(order, "target"), "target: not 1/density");
  require(weight == reader.number(order, "weight"), "weight: derived " + weight.text());
  require_named(levels, [&](const Levels& other) {
    return !holds(k, weights, Marked{other, plain});
  });
  for (int q = 1; q <= p; ++q)
    require(for_all(q, false, [&](const Marked& t) { return holds(k, weights, t); }),
            "order: a condition of this order does not hold");
}

/// p with trees of y up to p and of z up to p − 1, at most the plain order.
int order_on_index_one(const Coefficients& k, const Row& weights, int most) {
  for (int p = 1; p <= most; ++p) {
    const auto of_kind = [&](char z) {
      return [&k, &weights, z](const Marked& t) { return t.of_z[0] != z || holds(k, weights, t); };
    };
    if (!for_all(p, true, of_kind(0)) || (p > 1 && !for_all(p - 1, true, of_kind(1)))) return p - 1;
  }
  return most;
}

}  // namespace

void check_rosenbrock(const Reader& reader, const Json& certificate) {
  const Row b = reader.row(certificate, "b");
  const std::size_t s = b.size();
  require(s > 0, "b: empty");
  Coefficients k;
  k.alpha = reader.square(certificate, "A", s);
  const Table gamma = reader.square(certificate, "gamma", s);
  k.beta = k.alpha;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) {
      const bool lower = i > j ? true : i == j && k.alpha[i][j].is_zero();
      require(lower || (k.alpha[i][j].is_zero() && gamma[i][j].is_zero()),
              "A: stages do not follow each other");
      k.beta[i][j] += gamma[i][j];
    }
  for (std::size_t i = 0; i < s; ++i)
    require(gamma[i][i] == gamma[0][0] && gamma[0][0].sign() > 0, "gamma: not one on its diagonal");
  k.omega = inverse_of(k.beta);
  require_value(certificate, "stiffly_accurate", k.beta.back() == b);
  check_plain_order(reader, certificate.at("order"), k, b);
  require_value(certificate, "order_on_index_1",
                order_on_index_one(k, b, whole(certificate.at("order"), "order")));
  Method linear;
  linear.a = k.beta, linear.b = b, linear.one.assign(s, Number(1));
  linear.c = image(linear.a, linear.one);
  check_stability(reader, certificate.at("stability"), linear, b);
  const Row embedded = reader.row(certificate, "embedded");
  if (embedded.empty()) return;
  require(embedded.size() == s, "embedded: not of the size of b");
  check_plain_order(reader, certificate.at("embedded_order"), k, embedded);
  check_stability(reader, certificate.at("embedded_stability"), linear, embedded);
}

}  // namespace daemark::certcheck
