#include "base/graph/graph.hpp"

#include <utility>

#include "base/graph/operation.hpp"

namespace daemark::graph {
namespace {

Graph* common(const Var& x, const Var& y) {
  if (x.graph() && y.graph() && x.graph() != y.graph())
    throw std::logic_error("operation on variables of two graphs");
  return x.graph() ? x.graph() : y.graph();
}

bool is(const Var& x, Op op) { return x.graph() && x.graph()->node(x.node()).op == op; }
Var first(const Var& x) { return x.graph()->var(x.graph()->node(x.node()).a); }
Var second(const Var& x) { return x.graph()->var(x.graph()->node(x.node()).b); }
/// A product with a constant, which then is its first argument.
bool is_scaled(const Var& x) { return is(x, Op::multiply) && first(x).is_constant(); }
bool same(const Var& x, const Var& y) {
  return x.graph() && x.graph() == y.graph() && x.node() == y.node();
}

Var node(Op op, const Var& x) { return {x.graph(), x.graph()->intern(op, x.node())}; }
Var node(Op op, const Var& x, const Var& y, bool symmetric) {
  Graph* const g = common(x, y);
  int a = g->node_of(x), b = g->node_of(y);
  if (symmetric && a > b) std::swap(a, b);
  return {g, g->intern(op, a, b)};
}
/// The constant first, whatever its number.
Var scaled(const wide& factor, const Var& x) {
  if (factor == 0) return {};
  if (factor == 1) return x;
  if (factor == -1) return -x;
  if (is(x, Op::negate)) return scaled(-factor, first(x));
  if (is_scaled(x)) return scaled(factor * first(x).constant(), second(x));
  return {x.graph(), x.graph()->intern(Op::multiply, x.graph()->node_of(factor), x.node())};
}

Var shifted(const wide& offset, const Var& x) {
  if (offset == 0) return x;
  if (is(x, Op::add))
    for (const auto& [constant, rest] : {std::pair(first(x), second(x)), {second(x), first(x)}})
      if (constant.is_constant()) return shifted(offset + constant.constant(), rest);
  return node(Op::add, x, offset, true);
}

Var add(const Var& x, const Var& y) {
  if (x.is_constant()) return shifted(x.constant(), y);
  if (y.is_constant()) return shifted(y.constant(), x);
  if (is(y, Op::negate)) return x - first(y);
  if (is(x, Op::negate)) return y - first(x);
  if (same(x, y)) return scaled(2, x);
  return node(Op::add, x, y, true);
}

Var subtract(const Var& x, const Var& y) {
  if (y.is_constant()) return shifted(-y.constant(), x);
  if (x.is_zero()) return -y;
  if (same(x, y)) return {};
  if (is(y, Op::negate)) return x + first(y);
  if (is(x, Op::negate)) return -(first(x) + y);
  return node(Op::subtract, x, y, false);
}

// Signs and constant factors are pulled out, so that products equal up to them are shared.
Var multiply(const Var& x, const Var& y) {
  if (x.is_constant()) return scaled(x.constant(), y);
  if (y.is_constant()) return scaled(y.constant(), x);
  if (is(x, Op::negate)) return -(first(x) * y);
  if (is(y, Op::negate)) return -(x * first(y));
  if (is_scaled(x)) return scaled(first(x).constant(), second(x) * y);
  if (is_scaled(y)) return scaled(first(y).constant(), x * second(y));
  if (same(x, y)) return square(x);
  return node(Op::multiply, x, y, true);
}

Var divide(const Var& x, const Var& y) {
  if (y.is_constant())
    return is_scaled(x) ? scaled(first(x).constant() / y.constant(), second(x))
                        : scaled(wide(1) / y.constant(), x);
  if (x.is_zero()) return {};
  if (is(y, Op::negate)) return -(x / first(y));
  if (is_scaled(y)) return scaled(wide(1) / first(y).constant(), x / second(y));
  // A constant numerator is recorded as 1: reciprocals of one node are shared.
  if (x.is_constant() && !x.is(1)) return scaled(x.constant(), Var(1) / y);
  if (is(x, Op::negate)) return -(first(x) / y);
  if (is_scaled(x)) return scaled(first(x).constant(), second(x) / y);
  if (same(x, y)) return 1;
  return node(Op::divide, x, y, false);
}

Var negated(const Var& x) {
  if (is(x, Op::negate)) return first(x);
  if (is(x, Op::subtract)) return second(x) - first(x);
  if (is_scaled(x)) return scaled(-first(x).constant(), second(x));
  return node(Op::negate, x);
}

}  // namespace

int arity(Op op) {
  switch (op) {
    case Op::input:
    case Op::constant:
      return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::atan2:
      return 2;
    case Op::select:
      return 3;
    default:
      return 1;
  }
}

bool is_elementary(Op op) { return op >= Op::sin && op <= Op::atan2; }

Var apply(Op op, const Var& x, const Var& y, const Var& z) {
  const int arguments = arity(op);
  if (x.is_constant() && (arguments < 2 || y.is_constant()) && (arguments < 3 || z.is_constant()))
    return operation_value(op, x.constant(), &y.constant(), &z.constant());
  switch (op) {
    case Op::add:
      return add(x, y);
    case Op::subtract:
      return subtract(x, y);
    case Op::negate:
      return negated(x);
    case Op::multiply:
      return multiply(x, y);
    case Op::divide:
      return divide(x, y);
    case Op::square:
      if (is(x, Op::negate)) return square(first(x));
      if (is_scaled(x)) return scaled(first(x).constant() * first(x).constant(), square(second(x)));
      return node(op, x);
    case Op::sin:
      if (is(x, Op::negate)) return -sin(first(x));
      return node(op, x);
    case Op::cos:
      if (is(x, Op::negate)) return cos(first(x));
      return node(op, x);
    case Op::atan2:
      return node(op, x, y, false);
    case Op::select: {
      if (x.is_constant()) return x.constant() > 0 ? y : z;
      Graph* const g = common(x, common(y, z) ? (y.graph() ? y : z) : x);
      return {g, g->intern(op, g->node_of(x), g->node_of(y), g->node_of(z))};
    }
    default:
      return node(op, x);
  }
}

Var::operator double() const {
  if (!is_constant()) throw std::logic_error("graph: the value of a node that is not a constant");
  return static_cast<double>(constant_);
}

Var operator-(const Var& x) { return apply(Op::negate, x); }
Var operator+(const Var& x, const Var& y) { return apply(Op::add, x, y); }
Var operator-(const Var& x, const Var& y) { return apply(Op::subtract, x, y); }
Var operator*(const Var& x, const Var& y) { return apply(Op::multiply, x, y); }
Var operator/(const Var& x, const Var& y) { return apply(Op::divide, x, y); }
Var square(const Var& x) { return apply(Op::square, x); }
Var sqrt(const Var& x) { return apply(Op::sqrt, x); }
Var sin(const Var& x) { return apply(Op::sin, x); }
Var cos(const Var& x) { return apply(Op::cos, x); }
Var tan(const Var& x) { return sin(x) / cos(x); }
Var exp(const Var& x) { return apply(Op::exp, x); }
Var log(const Var& x) { return apply(Op::log, x); }
Var tanh(const Var& x) { return apply(Op::tanh, x); }
Var asin(const Var& x) { return apply(Op::asin, x); }
Var acos(const Var& x) { return apply(Op::acos, x); }
Var atan(const Var& x) { return apply(Op::atan, x); }
Var atan2(const Var& y, const Var& x) { return apply(Op::atan2, y, x); }
Var abs(const Var& x) { return apply(Op::abs, x); }
Var select(const Var& condition, const Var& above, const Var& below) {
  return apply(Op::select, condition, above, below);
}

std::size_t Graph::Hash::operator()(const Node& n) const {
  std::size_t hash = static_cast<std::size_t>(n.op);
  for (const int x : {n.a, n.b, n.c})
    hash = hash * 0x9e3779b97f4a7c15ULL + static_cast<unsigned>(x) + (hash >> 29);
  return hash;
}

Var Graph::input() {
  nodes_.push_back({Op::input, input_count()});
  inputs_.push_back(size() - 1);
  return {this, size() - 1};
}

std::vector<Var> Graph::inputs(int count) {
  std::vector<Var> result;
  result.reserve(count);
  for (int i = 0; i < count; ++i) result.push_back(input());
  return result;
}

Var Graph::var(int node) {
  if (nodes_[node].op == Op::constant) return constants_[nodes_[node].a];
  return {this, node};
}

int Graph::intern(Op op, int a, int b, int c) {
  const auto [entry, is_new] = known_.try_emplace({op, a, b, c}, size());
  if (is_new) nodes_.push_back({op, a, b, c});
  return entry->second;
}

int Graph::node_of(const Var& x) {
  if (!x.is_constant()) {
    if (x.graph() != this) throw std::logic_error("operation on variables of two graphs");
    return x.node();
  }
  // NaN would also break the ordering of the map.
  if (!isfinite(x.constant())) throw std::domain_error("recorded function: constant is not finite");
  const auto [entry, is_new] = constant_node_.try_emplace(x.constant(), size());
  if (is_new) {
    nodes_.push_back({Op::constant, static_cast<int>(constants_.size())});
    constants_.push_back(x.constant());
  }
  return entry->second;
}

std::vector<Var> Graph::call(const std::vector<Var>& functions,
                             const std::vector<Var>& arguments) const {
  if (static_cast<int>(arguments.size()) < input_count())
    throw std::logic_error("graph: fewer arguments than inputs");
  const std::vector<char> live = live_nodes(*this, functions);
  std::vector<Var> moved(live.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    const Node& n = nodes_[i];
    const auto argument = [&](int at) { return at < 0 ? Var() : moved[at]; };
    moved[i] = n.op == Op::input      ? arguments[n.a]
               : n.op == Op::constant ? Var(constants_[n.a])
                                      : apply(n.op, argument(n.a), argument(n.b), argument(n.c));
  }
  std::vector<Var> result;
  result.reserve(functions.size());
  for (const Var& f : functions) result.push_back(f.is_constant() ? f : moved[f.node()]);
  return result;
}

std::vector<char> live_nodes(const Graph& graph, const std::vector<Var>& outputs) {
  std::vector<char> live(graph.size(), 0);
  for (const Var& y : outputs) {
    if (y.is_constant()) continue;
    if (y.graph() != &graph) throw std::logic_error("output of another graph");
    live[y.node()] = 1;
  }
  for (int i = graph.size() - 1; i >= 0; --i) {
    const Node& n = graph.node(i);
    if (!live[i] || arity(n.op) == 0) continue;
    for (const int argument : {n.a, n.b, n.c})
      if (argument >= 0) live[argument] = 1;
  }
  return live;
}

}  // namespace daemark::graph
