// mssth with n = 4, 5: order by trees reduced with Ac = c²/2 and on tableaus at exact sample nodes;
// regularity of the conditions and a minimum of the error in the box of the nodes.
#include <algorithm>
#include <set>

#include "analysis/certcheck/families.hpp"
#include "analysis/certcheck/free_nodes.hpp"
#include "analysis/certcheck/interval.hpp"
#include "analysis/certcheck/minimum_check.hpp"

namespace daemark::certcheck {

namespace {

/// The subtree at `at` with equal shapes brought to one text; `end` behind it.
std::string canonical(const Levels& levels, std::size_t at, std::size_t& end) {
  std::vector<std::string> children;
  for (end = at + 1; end < levels.size() && levels[end] > levels[at];)
    children.push_back(canonical(levels, end, end));
  std::sort(children.begin(), children.end());
  std::string out = "(";
  for (const std::string& child : children) out += child;
  return out + ")";
}

std::string canonical(const Levels& levels) {
  std::size_t end = 0;
  return canonical(levels, 0, end);
}

/// Trees up to the order without a vertex (other than the root) whose only child is a leaf.
std::set<std::string> irreducible(int order) {
  std::set<std::string> out;
  for (int n = 1; n <= order; ++n) {
    Levels levels;
    for (int i = 0; i < n; ++i) levels.push_back(i);
    do {
      const std::string text = canonical(levels);
      if (text.find("(())", 1) == std::string::npos) out.insert(text);
    } while (n > 1 && advance(levels));
  }
  return out;
}

Interval enclosure(const Number& x) {
  rational low, high;
  x.enclose(low, high, 500);
  return {low, high};
}

/// The sample tableau has every property claimed of all tableaus of the construction.
bool sample_holds(int n, const Number& gamma, const Row& nodes, const Row& num, const Row& den) {
  const FreeNodes<Number> s = free_nodes(n, gamma, nodes);
  Method m;
  m.a = s.a;
  m.b = s.a.back();
  m.c = s.c;
  m.one.assign(m.b.size(), Number(1));
  return image(m.a, m.one) == m.c && stage_order_of(m, n) == 2 && Weights(m).all_hold(m.b, n) &&
         equals_stability_function(num, den, m, m.b);
}

}  // namespace

void check_free_nodes(const Reader& reader, const Json& certificate, const Member& member,
                      const std::string& objective) {
  const int n = member.n;
  require(n == 4 || n == 5, "n: not 4 or 5");
  require_value(certificate, "n", n);
  require_value(certificate, "objective", objective.c_str());
  const Number gamma = reader.number(certificate, "gamma");
  require_value(certificate, "order", n);
  require_value(certificate, "stage_order", 2);
  require_value(certificate.at("stability"), "order_of_R", n);
  std::set<std::string> stated;
  const Json& conditions = certificate.at("conditions");
  require(conditions.is_array() && conditions.size() < 100, "conditions: no list of trees");
  for (const Json& tree : conditions) {
    require(tree.is_string(), "conditions: no list of trees");
    stated.insert(canonical(levels_of(tree.get<std::string>())));
  }
  require(stated == irreducible(n) && stated.size() == conditions.size(),
          "conditions: not the trees that C(2) leaves, each once");
  check_stability(reader, certificate.at("stability"));

  const Row num = reader.polynomial(certificate.at("stability"), "num");
  const Row den = reader.polynomial(certificate.at("stability"), "den");
  const Number c3(rational(1) / 10);
  const Number c5 = n == 5 ? reader.number(certificate, "c5") : Number(0);
  int held = 0;
  for (int i = 5; held < 4 && i < 40; ++i) {  // n = 5: degree 3 in c_4, four values decide
    const Number c4(rational(i) / 11);
    if (c4 == gamma + gamma || c4 == c5) continue;
    const Row nodes = n == 4 ? Row{c4, c4 + Number(rational(2) / 7)} : Row{c3, c4, c5};
    require(sample_holds(n, gamma, nodes, num, den), "order: it fails at sample nodes");
    ++held;
  }

  IntervalRow box;
  const Json& free = certificate.at("free_nodes");
  require(free.is_array() && static_cast<int>(free.size()) == 6 - n, "free_nodes: another number");
  for (const Json& x : free) box.push_back(cell(x, "free_nodes"));
  const NodeProblem problem{n, objective == "published", enclosure(gamma), enclosure(c3),
                            enclosure(c5)};
  bool minimum = false;
  try {  // every division is by a difference of nodes or by b_4, b_5: the conditions are regular
    minimum = holds_one_minimum(problem, box);
  } catch (const std::domain_error&) {
    minimum = false;
  }
  require(minimum, "free_nodes: not one minimum and regular conditions in the box");
}

}  // namespace daemark::certcheck
