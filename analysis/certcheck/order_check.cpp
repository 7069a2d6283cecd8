// Order conditions over rooted trees as level sequences (Beyer & Hedetniemi 1980), a different
// enumeration from the prover's, without any table of trees.
#include <algorithm>

#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

bool advance(Levels& levels) {
  int p = static_cast<int>(levels.size()) - 1;
  while (p > 0 && levels[p] == 1) --p;
  if (p <= 0) return false;
  int q = p - 1;
  while (levels[q] != levels[p] - 1) --q;
  for (int i = p; i < static_cast<int>(levels.size()); ++i) levels[i] = levels[i - (p - q)];
  return true;
}

namespace {

constexpr std::size_t most_vertices = 200, longest_text = 1000, vertices_to_search = 10,
                      most_to_search = 14;

void parse_tree(const std::string& text, std::size_t& at, int depth, Levels& out) {
  require(at < text.size() && out.size() < most_vertices, "failing_tree: no tree");
  if (text[at] == 't') {
    out.push_back(depth);
    ++at;
    return;
  }
  require(text[at] == '[', "failing_tree: no tree");
  out.push_back(depth);
  do {
    parse_tree(text, ++at, depth + 1, out);
  } while (at < text.size() && text[at] == ',');
  require(at < text.size() && text[at] == ']', "failing_tree: no tree");
  ++at;
}

rational density_of(const Levels& levels) {
  rational out = 1;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    std::size_t end = at + 1;
    while (end < levels.size() && levels[end] > levels[at]) ++end;
    out *= static_cast<long>(end - at);
  }
  return out;
}

/// A tree with its branches in the order of FORMAT.md.
struct Shape {
  std::size_t size = 1;
  std::vector<Shape> branches;
};

/// Fewer vertices first; of equally many, that whose last branch that differs stands later.
bool stands_before(const Shape& x, const Shape& y) {
  if (x.size != y.size) return x.size < y.size;
  for (std::size_t i = 1; i <= std::min(x.branches.size(), y.branches.size()); ++i) {
    const Shape &a = x.branches[x.branches.size() - i], &b = y.branches[y.branches.size() - i];
    if (stands_before(b, a)) return true;
    if (stands_before(a, b)) return false;
  }
  return false;
}

/// Of the vertex at `at`, which goes behind its subtree.
Shape shape_of(const Levels& levels, std::size_t& at) {
  Shape out;
  const int depth = levels[at++];
  while (at < levels.size() && levels[at] > depth) out.branches.push_back(shape_of(levels, at));
  std::sort(out.branches.begin(), out.branches.end(), stands_before);
  for (const Shape& branch : out.branches) out.size += branch.size;
  return out;
}
Shape shape_of(const Levels& levels) {
  std::size_t at = 0;
  return shape_of(levels, at);
}

std::string spelled(const Shape& tree) {
  std::string out;
  for (const Shape& branch : tree.branches) out += (out.empty() ? "[" : ",") + spelled(branch);
  return out.empty() ? "t" : out + "]";
}

}  // namespace

Levels levels_of(const std::string& text) {
  Levels out;
  std::size_t at = 0;
  require(text.size() <= longest_text, "failing_tree: no tree");
  parse_tree(text, at, 0, out);
  require(at == text.size() && spelled(shape_of(out)) == text, "failing_tree: not spelled so");
  return out;
}

void require_named(const Levels& stated, const std::function<bool(const Levels&)>& fails) {
  const std::size_t n = stated.size();
  Levels bushy(n, 1), tall, levels;
  bushy[0] = 0;
  for (std::size_t i = 0; i < n; ++i) tall.push_back(static_cast<int>(i));
  require(fails(stated), "failing_tree: it holds");
  if (n > vertices_to_search && (fails(bushy) || fails(tall))) {
    require(stated == (fails(bushy) ? bushy : tall), "failing_tree: another one is to be named");
    return;
  }
  require(n <= most_to_search, "failing_tree: of too many vertices");
  const Shape named = shape_of(stated);
  levels = tall;
  do {
    require(!stands_before(shape_of(levels), named) || !fails(levels),
            "failing_tree: one before it fails");
  } while (n > 1 && advance(levels));
}

Row Weights::function_of(const Levels& levels, std::size_t from, std::size_t end) {
  Row u = method_.one;
  for (std::size_t at = from + 1; at < end;) {
    std::size_t next = at + 1;
    while (next < end && levels[next] > levels[at]) ++next;
    u = method_.multiply(u, image_of(levels, at, next));
    at = next;
  }
  return u;
}

const Row& Weights::image_of(const Levels& levels, std::size_t from, std::size_t end) {
  std::string key;
  for (std::size_t i = from; i < end; ++i) key += static_cast<char>(levels[i] - levels[from]);
  const auto found = images_.find(key);
  if (found != images_.end()) return found->second;
  Row value = image(method_.a, function_of(levels, from, end));
  return images_.emplace(key, std::move(value)).first->second;
}

Number Weights::weight(const Row& b, const Levels& levels, rational& target) {
  target = rational(1) / density_of(levels);
  return dot(b, function_of(levels, 0, levels.size()));
}

bool Weights::all_hold(const Row& b, int order) {
  for (int n = 1; n <= order; ++n) {
    Levels levels;
    for (int i = 0; i < n; ++i) levels.push_back(i);
    do {
      rational target;
      const Number found = weight(b, levels, target);
      if (!(found == Number(target))) return false;
    } while (n > 1 && advance(levels));
  }
  return true;
}

namespace {

/// Trees left by C(eta): c^m A g, g left as well and of order > eta; up to order 2 eta + 2.
bool chains_hold(const Method& m, const Row& weights, int order, int eta) {
  struct Piece {
    Row function;
    rational density;
    int order;
  };
  constexpr std::size_t most = 8000;
  std::vector<Piece> roots;  // A g for every chain g of order > eta found so far
  for (int n = 1; n <= order; ++n) {
    if (roots.size() >= most) return false;
    std::vector<Piece> found;
    const auto holds = [&](const Row& start, int powers, const rational& density) {
      Row u = start;
      for (int i = 0; i < powers; ++i) u = m.multiply(u, m.c);
      found.push_back({u, density * n, n});
      return dot(weights, u) == Number(rational(1) / rational(density * n));
    };
    if (!holds(m.one, n - 1, 1)) return false;
    for (const Piece& root : roots)
      if (!holds(root.function, n - root.order - 1, root.density)) return false;
    if (n <= eta) continue;
    for (Piece& piece : found)
      roots.push_back({image(m.a, piece.function), piece.density, piece.order});
  }
  return true;
}

/// Butcher's theorem, the trees that C(eta) leaves, or all trees.
bool order_holds(const Method& m, const Row& weights, int p) {
  const int limit = 2 * static_cast<int>(m.b.size()) + 2;
  if (quadrature_order(m, weights, std::max(p, 1)) < p) return false;
  const int eta = stage_order_of(m, limit), zeta = adjoint_order_of(m, weights, limit);
  if (p <= eta + zeta + 1 && p <= 2 * eta + 2) return true;
  if (p <= 2 * eta + 2 && chains_hold(m, weights, p, eta)) return true;
  return p <= tree_limit(m) && Weights(m).all_hold(weights, p);
}

}  // namespace

int tree_limit(const Method& m) {
  constexpr double most = 3e7;
  constexpr int trees[] = {4766, 12486, 32973};  // of order 12, 13, 14
  double degree = 1;
  for (const Row& row : m.a) {
    for (const Number& x : row)
      if (!x.is_rational()) degree = x.field()->degree();
  }
  const double size = degree * static_cast<double>(m.b.size());
  int limit = 10;
  if (1842 * size * size <= most) limit = 11;
  for (int i = 0; limit == 11 + i && i < 3; ++i)
    if (trees[i] * size * size <= most) ++limit;
  return limit;
}

void check_order(const Reader& reader, const Json& order, const Method& method,
                 const Row& weights) {
  const bool exact = order.is_object() && order.contains("order");
  const std::string name = exact ? "order" : "at_least";
  require_keys(order, "order", {name, "failing_tree", "weight", "target"});
  const int p = whole(order, name);
  const Levels levels = levels_of(text(order, "failing_tree"));
  const int next = static_cast<int>(levels.size());
  require(p >= 0 && (exact ? next == p + 1 : next > p + 1),
          name + ": the failing tree is not of the order after it");
  rational target;
  Weights all(method);
  const Number weight = all.weight(weights, levels, target);
  require(target == fraction(order, "target"), "target: derived " + target.str());
  require(weight == reader.number(order, "weight"), "weight: derived " + weight.text());
  require_named(levels, [&](const Levels& tree) {
    rational wanted;
    const Number found = all.weight(weights, tree, wanted);
    return !(found == Number(wanted));
  });
  require(order_holds(method, weights, p), name + ": a condition of this order does not hold");
  if (!exact) {
    require(p >= tree_limit(method), "at_least: trees of the next order can be tried");
    require(!order_holds(method, weights, p + 1), "at_least: the next order holds");
  }
}

}  // namespace daemark::certcheck
