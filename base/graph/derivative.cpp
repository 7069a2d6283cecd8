#include "base/graph/derivative.hpp"

#include <array>
#include <stdexcept>

namespace daemark::graph {
namespace {

Graph* graph_of(const std::vector<Var>& outputs) {
  for (const Var& y : outputs)
    if (!y.is_constant()) return y.graph();
  return nullptr;
}

/// Node of each input, −1 elsewhere: which input a node is.
std::vector<int> numbers(const Graph& graph, const std::vector<Var>& inputs) {
  std::vector<int> number(graph.size(), -1);
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    if (inputs[j].is_constant() || graph.node(inputs[j].node()).op != Op::input)
      throw std::logic_error("derivative: with respect to a node that is not an input");
    number[inputs[j].node()] = static_cast<int>(j);
  }
  return number;
}

std::array<int, 3> arguments(const Node& n) { return {n.a, n.b, n.c}; }

/// Which live nodes depend on an input that has a number.
std::vector<char> dependent_nodes(const Graph& g, const std::vector<char>& live,
                                  const std::vector<int>& number) {
  std::vector<char> depends(live.size(), 0);
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    const Node& n = g.node(static_cast<int>(i));
    depends[i] = number[i] >= 0;
    if (arity(n.op) == 0) continue;
    for (const int argument : arguments(n))
      if (argument >= 0 && depends[argument]) depends[i] = 1;
  }
  return depends;
}

using Sparse = std::vector<std::pair<int, Var>>;  // by input, in its order

/// sum + factor x
Sparse combined(const Sparse& sum, const Var& factor, const Sparse& x) {
  Sparse result;
  result.reserve(sum.size() + x.size());
  std::size_t i = 0, j = 0;
  while (i < sum.size() || j < x.size()) {
    if (j == x.size() || (i < sum.size() && sum[i].first < x[j].first)) {
      result.push_back(sum[i++]);
    } else if (i == sum.size() || x[j].first < sum[i].first) {
      result.emplace_back(x[j].first, factor * x[j].second), ++j;
    } else {
      result.emplace_back(x[j].first, sum[i].second + factor * x[j].second), ++i, ++j;
    }
  }
  return result;
}

}  // namespace

std::vector<Var> partial_derivatives(Graph& g, int node) {
  const Node n = g.node(node);
  const Var z = g.var(node), x = g.var(n.a);
  const Var y = n.b < 0 ? Var() : g.var(n.b);
  switch (n.op) {
    case Op::add:
      return {1, 1};
    case Op::subtract:
      return {1, -1};
    case Op::negate:
      return {-1};
    case Op::multiply:
      return {y, x};
    case Op::divide: {
      const Var inverse = Var(1) / y;
      return {inverse, -(z * inverse)};
    }
    case Op::square:
      return {Var(2) * x};
    case Op::sqrt:
      return {Var(1) / (Var(2) * z)};
    case Op::sin:
      return {cos(x)};
    case Op::cos:
      return {-sin(x)};
    case Op::exp:
      return {z};
    case Op::log:
      return {Var(1) / x};
    case Op::tanh:
      return {Var(1) - square(z)};
    case Op::asin:
      return {Var(1) / sqrt(Var(1) - square(x))};
    case Op::acos:
      return {Var(-1) / sqrt(Var(1) - square(x))};
    case Op::atan:
      return {Var(1) / (Var(1) + square(x))};
    case Op::atan2: {
      const Var scale = square(x) + square(y);
      return {y / scale, -x / scale};
    }
    case Op::abs:
      return {select(x, 1, -1)};
    case Op::select:
      return {0, select(x, 1, 0), select(x, 0, 1)};
    default:
      return {};
  }
}

std::vector<Entry> jacobian(const std::vector<Var>& outputs, const std::vector<Var>& inputs) {
  Graph* const g = graph_of(outputs);
  if (!g) return {};
  const std::vector<int> number = numbers(*g, inputs);
  const std::vector<char> live = live_nodes(*g, outputs),
                          depends = dependent_nodes(*g, live, number);
  std::vector<Sparse> of(live.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (!depends[i]) continue;
    if (number[i] >= 0) {
      of[i] = {{number[i], 1}};
      continue;
    }
    const std::array<int, 3> at = arguments(g->node(static_cast<int>(i)));
    const std::vector<Var> partial = partial_derivatives(*g, static_cast<int>(i));
    for (std::size_t k = 0; k < partial.size(); ++k)
      if (depends[at[k]] && !partial[k].is_zero()) of[i] = combined(of[i], partial[k], of[at[k]]);
  }
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < outputs.size(); ++row) {
    if (outputs[row].is_constant()) continue;
    for (const auto& [column, value] : of[outputs[row].node()])
      if (!value.is_zero()) entries.push_back({static_cast<int>(row), column, value});
  }
  return entries;
}

std::vector<Var> directional(const std::vector<Var>& outputs, const std::vector<Var>& inputs,
                             const std::vector<Var>& rates) {
  std::vector<Var> result(outputs.size());
  Graph* const g = graph_of(outputs);
  if (!g) return result;
  const std::vector<int> number = numbers(*g, inputs);
  const std::vector<char> live = live_nodes(*g, outputs),
                          depends = dependent_nodes(*g, live, number);
  std::vector<Var> rate(live.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (!depends[i]) continue;
    if (number[i] >= 0) {
      rate[i] = rates[number[i]];
      continue;
    }
    const std::array<int, 3> at = arguments(g->node(static_cast<int>(i)));
    const std::vector<Var> partial = partial_derivatives(*g, static_cast<int>(i));
    for (std::size_t k = 0; k < partial.size(); ++k)
      if (depends[at[k]]) rate[i] += partial[k] * rate[at[k]];
  }
  for (std::size_t row = 0; row < outputs.size(); ++row)
    if (!outputs[row].is_constant()) result[row] = rate[outputs[row].node()];
  return result;
}

std::vector<Var> gradient(const Var& output, const std::vector<Var>& inputs) {
  std::vector<Var> result(inputs.size());
  if (output.is_constant()) return result;
  Graph& g = *output.graph();
  const std::vector<int> number = numbers(g, inputs);
  const std::vector<char> depends = dependent_nodes(g, live_nodes(g, {output}), number);
  std::vector<Var> adjoint(depends.size());
  adjoint[output.node()] = 1;
  for (int i = output.node(); i >= 0; --i) {
    if (!depends[i] || adjoint[i].is_zero()) continue;
    if (number[i] >= 0) {
      result[number[i]] = adjoint[i];
      continue;
    }
    const std::array<int, 3> at = arguments(g.node(i));
    const std::vector<Var> partial = partial_derivatives(g, i);
    for (std::size_t k = 0; k < partial.size(); ++k)
      if (depends[at[k]]) adjoint[at[k]] += adjoint[i] * partial[k];
  }
  return result;
}

}  // namespace daemark::graph
