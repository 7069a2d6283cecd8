// The free nodes of mssth: the box holds one stationary point of the error, a minimum.
//
// The weights of the trees of order n + 1 are grouped by what Ac = c²/2 leaves of them; derivatives
// to the second order by jets over intervals.
#include "analysis/certcheck/minimum_check.hpp"

#include <array>
#include <map>

#include "analysis/certcheck/free_nodes.hpp"

namespace daemark::certcheck {

namespace {

/// f, f_1, f_2, f_11, f_12, f_22 in two variables.
struct Jet {
  Interval f;
  std::array<Interval, 2> g;
  std::array<Interval, 3> h;

  Jet() : Jet(0) {}
  Jet(int constant) : Jet(rational(constant)) {}  // NOLINT: constants mix with variables
  Jet(const rational& constant) : Jet(Interval(constant)) {}  // NOLINT
  explicit Jet(const Interval& constant) : f(constant) {
    g.fill(Interval(0));
    h.fill(Interval(0));
  }
  static Jet variable(const Interval& x, std::size_t index) {
    Jet out(x);
    out.g[index] = Interval(1);
    return out;
  }
  Jet operator-() const { return Jet(0) - *this; }

  friend Jet operator+(Jet a, const Jet& b) {
    a.f += b.f;
    for (int i = 0; i < 2; ++i) a.g[i] += b.g[i];
    for (int i = 0; i < 3; ++i) a.h[i] += b.h[i];
    return a;
  }
  friend Jet operator-(Jet a, const Jet& b) {
    a.f -= b.f;
    for (int i = 0; i < 2; ++i) a.g[i] -= b.g[i];
    for (int i = 0; i < 3; ++i) a.h[i] -= b.h[i];
    return a;
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet out(a.f * b.f);
    for (int i = 0; i < 2; ++i) out.g[i] = a.f * b.g[i] + a.g[i] * b.f;
    for (int i = 0; i < 3; ++i) {
      const int p = i == 2, q = i > 0;
      out.h[i] = a.f * b.h[i] + a.h[i] * b.f + a.g[p] * b.g[q] + a.g[q] * b.g[p];
    }
    return out;
  }
  friend Jet operator/(const Jet& a, const Jet& b) {
    const Interval one = Interval(1) / b.f, two = one * one, three = Interval(2) * two * one;
    Jet inverse(one);
    for (int i = 0; i < 2; ++i) inverse.g[i] = -(two * b.g[i]);
    for (int i = 0; i < 3; ++i) {
      const int p = i == 2, q = i > 0;
      inverse.h[i] = three * b.g[p] * b.g[q] - two * b.h[i];
    }
    return a * inverse;
  }
};

/// A tree as "(" children ")" with its children sorted; and its symmetry.
std::string sorted(const std::string& tree, rational& symmetry) {
  std::map<std::string, int> children;
  std::size_t from = 1;
  int depth = 0;
  for (std::size_t i = 1; i + 1 < tree.size(); ++i) {
    depth += tree[i] == '(' ? 1 : -1;
    if (depth > 0) continue;
    const int copies = ++children[sorted(tree.substr(from, i + 1 - from), symmetry)];
    symmetry *= copies;  // those of equal children are counted once each
    from = i + 1;
  }
  std::string out = "(";
  for (const auto& [child, copies] : children)
    for (int i = 0; i < copies; ++i) out += child;
  return out + ")";
}

rational density(const std::string& tree) {
  rational out = 1;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree[i] == '(') open.push_back(i);
    if (tree[i] == '(') continue;
    out *= static_cast<long>((i + 1 - open.back()) / 2);
    open.pop_back();
  }
  return out;
}

/// Of the trees of one order: reduced tree -> Σ (2^-r / symmetry)², r reductions each.
std::map<std::string, rational> reduced_trees(int order) {
  std::map<std::string, rational> out;
  Levels levels;
  for (int i = 0; i < order; ++i) levels.push_back(i);
  do {
    std::string tree;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (int up = i == 0 ? 0 : levels[i - 1] - levels[i] + 1; up > 0; --up) tree += ")";
      tree += "(";
    }
    tree.append(static_cast<std::size_t>(levels.back()) + 1, ')');
    rational symmetry = 1, unused = 1;
    tree = sorted(tree, symmetry);
    rational factor = 1 / symmetry;
    for (auto at = tree.find("(())", 1); at != std::string::npos; at = tree.find("(())", 1)) {
      tree = sorted(tree.replace(at, 4, "()()"), unused);
      factor /= 2;
    }
    out[tree] += factor * factor;
  } while (advance(levels));
  return out;
}

Jet weight(const FreeNodes<Jet>& s, const std::string& tree) {
  std::vector<std::vector<Jet>> stack;  // stage functions of the open vertices
  for (const char c : tree) {
    if (c == '(') {
      stack.emplace_back(s.stages(), Jet(1));
      continue;
    }
    const std::vector<Jet> done = stack.back();
    stack.pop_back();
    if (stack.empty()) {
      Jet sum(0);
      for (std::size_t i = 0; i < done.size(); ++i) sum = sum + s.a.back()[i] * done[i];
      return sum;
    }
    const std::vector<Jet> image = s.apply(done);
    for (std::size_t i = 0; i < image.size(); ++i) stack.back()[i] = stack.back()[i] * image[i];
  }
  throw std::invalid_argument("tree");
}

/// What the nodes minimise; "published" are the sums of Zhang 2022, in which the tree b(Ac)² stands
/// for bA(c Ac) and, for n = 5, trees are missing.
Jet objective(const FreeNodes<Jet>& s, int n, bool published) {
  const auto square = [](const Jet& x) { return x * x; };
  const auto gap = [&](const std::string& tree) {
    return weight(s, tree) - Jet(rational(1 / density(tree)));
  };
  Jet sum(0);
  if (!published) {
    for (const auto& [tree, factor] : reduced_trees(n + 1))
      sum = sum + Jet(factor) * square(gap(tree));
    return sum;
  }
  const auto over = [](long p, long q) { return Jet(rational(p) / q); };
  if (n == 4) {
    const Jet e3 = gap("((()()()))");
    return over(37, 576) * square(gap("(()()()())")) + over(1, 2) * square(gap("((()())())")) +
           over(10, 36) * square(e3) + over(1, 16) * square(e3 - over(1, 20));
  }
  const Jet f3 = gap("((()()()()))");
  return over(101, 14400) * square(gap("(()()()()())")) + over(1, 8) * square(gap("((()())()())")) +
         over(37, 576) * square(f3) + square(over(1, 4) * f3 - over(1, 180)) +
         over(1, 2) * square(gap("(((()())()))"));
}

Jet objective_at(const NodeProblem& p, const IntervalRow& free) {
  std::vector<Jet> nodes;
  for (std::size_t i = 0; i < free.size(); ++i) nodes.push_back(Jet::variable(free[i], i));
  if (p.n == 5) nodes = {Jet(p.c3), nodes[0], Jet(p.c5)};
  return objective(free_nodes(p.n, Jet(p.gamma), nodes), p.n, p.published);
}

}  // namespace

bool holds_one_minimum(const NodeProblem& problem, const IntervalRow& box) {
  const std::size_t size = box.size();
  IntervalRow middle;
  for (const Interval& x : box) middle.emplace_back(x.middle());
  const Jet at = objective_at(problem, middle), over = objective_at(problem, box);
  const auto h = [&](std::size_t i, std::size_t j) { return over.h[i + j]; };
  const Interval det = size == 1 ? h(0, 0) : h(0, 0) * h(1, 1) - h(0, 1) * h(0, 1);
  if (!h(0, 0).positive() || !det.positive()) return false;
  const rational scale = 1 / det.middle();
  const auto inverse = [&](std::size_t i, std::size_t j) {
    if (size == 1) return Interval(scale);
    const rational entry = i == j ? h(1 - i, 1 - i).middle() : rational(-h(0, 1).middle());
    return Interval(rational(entry * scale));
  };
  for (std::size_t i = 0; i < size; ++i) {  // Krawczyk's operator maps the box into itself
    Interval x = middle[i];
    for (std::size_t j = 0; j < size; ++j) {
      x -= inverse(i, j) * at.g[j];
      Interval rest(i == j ? 1 : 0);
      for (std::size_t l = 0; l < size; ++l) rest -= inverse(i, l) * h(l, j);
      x += rest * (box[j] - middle[j]);
    }
    if (!x.inside(box[i])) return false;
  }
  return true;
}

}  // namespace daemark::certcheck
