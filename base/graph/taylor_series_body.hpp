// What every scalar of a series is compiled from; included where one is instantiated.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "base/graph/derivative.hpp"
#include "base/graph/operation.hpp"
#include "base/graph/taylor_series.hpp"

namespace daemark::graph {
namespace {

// sum += x y; without temporaries that are initialised and moved for each product.
template <class S>
void accumulate(S& sum, const S& x, const S& y, S& scratch) {
  if constexpr (std::is_same_v<S, real50>) {
    mpfr_mul(scratch.backend().data(), x.backend().data(), y.backend().data(), MPFR_RNDN);
    mpfr_add(sum.backend().data(), sum.backend().data(), scratch.backend().data(), MPFR_RNDN);
  } else {
    sum += x * y;
  }
}

// sum over 0 < j < k of x_j y_{k-j}
template <class S>
S interior_product(const S* x, const S* y, int k) {
  if constexpr (requires { dot_reversed(x, y, k); }) return dot_reversed(x + 1, y + 1, k - 1);
  S sum(0), scratch(0);
  for (int j = 1; j < k; ++j) accumulate(sum, x[j], y[k - j], scratch);
  return sum;
}

// sum over 0 < j < k of x_j x_{k-j}
template <class S>
S interior_square(const S* x, int k) {
  if constexpr (requires { dot_reversed(x, x, k); }) return dot_reversed(x + 1, x + 1, k - 1);
  S sum(0), scratch(0);
  for (int j = 1; 2 * j < k; ++j) accumulate(sum, x[j], x[k - j], scratch);
  sum += sum;
  if (k % 2 == 0) accumulate(sum, x[k / 2], x[k / 2], scratch);
  return sum;
}

std::vector<Var> flat(const std::vector<std::vector<Var>>& groups) {
  std::vector<Var> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

namespace {

/// Functions of one or two arguments that the groups need, and their slopes. Slopes are nodes that
/// must be live too, and may bring functions of their own.
struct Slopes {
  Slopes(Graph& graph, const std::vector<std::vector<Var>>& groups) {
    for (bool grown = true; grown;) {
      grown = false;
      std::vector<Var> needed = flat(groups);
      needed.insert(needed.end(), values.begin(), values.end());
      const std::vector<char> live = live_nodes(graph, needed);
      for (std::size_t i = 0; i < live.size(); ++i) {
        const int node = static_cast<int>(i);
        if (!live[i] || !is_elementary(graph.node(node).op) || of.contains(node)) continue;
        for (const Var& slope : partial_derivatives(graph, node)) {
          of[node].push_back(static_cast<int>(values.size()));
          values.push_back(slope);
        }
        grown = true;
      }
    }
  }
  std::vector<Var> values;
  std::map<int, std::vector<int>> of;  ///< by the function's node: numbers of its slopes
};

using SlopeSlots = std::map<int, std::vector<int>>;  // by the function's slot

/// Sine and cosine apart.
std::vector<Instruction> single_results(const Code& code) {
  std::vector<Instruction> list;
  for (const Instruction& i : code.list) {
    list.push_back(i);
    if (i.op != Op::sin || i.b < 0) continue;
    list.back().b = -1;
    list.push_back({Op::cos, i.b, i.a, -1, -1});
  }
  return list;
}

/// The first group that needs each slot, slopes of its functions included.
std::vector<int> first_groups(const std::vector<Instruction>& list, int slots,
                              const std::vector<std::vector<int>>& outputs,
                              const SlopeSlots& slopes) {
  const int groups = static_cast<int>(outputs.size());
  std::vector<int> group_of(slots, groups);
  std::map<int, const Instruction*> by_slot;
  for (const Instruction& i : list) by_slot[i.to] = &i;
  for (int g = 0; g < groups; ++g) {
    std::vector<int> open = outputs[g];
    while (!open.empty()) {
      const int slot = open.back();
      open.pop_back();
      const auto found = by_slot.find(slot);
      if (found == by_slot.end() || group_of[slot] <= g) continue;
      group_of[slot] = g;
      for (const int argument : {found->second->a, found->second->b, found->second->c})
        if (argument >= 0) open.push_back(argument);
      if (const auto slope = slopes.find(slot); slope != slopes.end())
        open.insert(open.end(), slope->second.begin(), slope->second.end());
    }
  }
  return group_of;
}

}  // namespace

template <class S>
TaylorSeries<S>::TaylorSeries(Graph& graph, const std::vector<std::vector<Var>>& groups,
                              int max_order)
    : stride_(max_order + 1), steps_(groups.size()), outputs_(groups.size()) {
  if (max_order < 0) throw std::logic_error("a series needs an order >= 0");
  if (!has_series(graph, groups)) throw std::logic_error("no series of what branches");
  const Slopes slopes(graph, groups);
  std::vector<Var> functions;
  for (const auto& [node, numbers] : slopes.of) functions.push_back(graph.var(node));
  std::vector<std::vector<Var>> asked = groups;
  asked.push_back(slopes.values), asked.push_back(functions);
  const Code code = compile(graph, asked, false);
  inputs_ = code.inputs, first_computed_ = code.first_computed(), slots_ = code.slots;
  outputs_.assign(code.outputs.begin(), code.outputs.begin() + static_cast<long>(groups.size()));
  SlopeSlots slope_slots;
  std::size_t number = 0;
  for (const auto& [node, numbers] : slopes.of) {
    const int slot = code.outputs.back()[number++];
    for (const int n : numbers) slope_slots[slot].push_back(code.outputs[groups.size()][n]);
  }
  const std::vector<Instruction> list = single_results(code);
  const std::vector<int> group_of = first_groups(list, code.slots, outputs_, slope_slots);
  weight_.assign(code.slots, -1);
  // Group by group, so that a weight belongs to the first that needs it.
  for (int g = 0; g < static_cast<int>(groups.size()); ++g)
    for (const Instruction& i : list)
      if (group_of[i.to] == g) add_step(i, slope_slots[i.to], g);
  series_.assign(static_cast<std::size_t>(slots_) * stride_, S(0));
  for (std::size_t i = 0; i < code.constants.size(); ++i)
    *at(code.inputs + static_cast<int>(i)) = from_wide<S>(code.constants[i]);
}

template <class S>
int TaylorSeries<S>::weight_of(int slot, int group) {
  if (weight_[slot] >= 0) return weight_[slot];
  Step step{Kind::weight, Op::multiply, slots_++, slot};
  steps_[group].push_back(step);
  return weight_[slot] = step.to;
}

template <class S>
void TaylorSeries<S>::add_step(const Instruction& i, const std::vector<int>& slopes, int group) {
  static const std::map<Op, Kind> arithmetic = {
      {Op::add, Kind::add},           {Op::subtract, Kind::subtract}, {Op::negate, Kind::negate},
      {Op::multiply, Kind::multiply}, {Op::square, Kind::square},     {Op::divide, Kind::divide},
      {Op::sqrt, Kind::sqrt}};
  const auto known = arithmetic.find(i.op);
  Step step{known == arithmetic.end() ? Kind::function : known->second, i.op, i.to, i.a, i.b};
  if (step.kind == Kind::function) {
    step.slope_a = slopes[0], step.weight_a = weight_of(i.a, group);
    if (i.b >= 0) step.slope_b = slopes[1], step.weight_b = weight_of(i.b, group);
  }
  const auto is_constant = [this](int slot) { return slot >= inputs_ && slot < first_computed_; };
  if (step.kind == Kind::multiply && (is_constant(i.a) || is_constant(i.b))) {
    step.kind = Kind::scale;
    if (is_constant(i.a)) std::swap(step.a, step.b);
  }
  steps_[group].push_back(step);
}

template <class S>
void TaylorSeries<S>::evaluate_order(int group, int k) {
  if (k < 0 || k >= stride_) throw std::logic_error("order outside the series' range");
  for (Step& step : steps_[group]) set_interior(step, k);
  update_order(group, k);
}

template <class S>
void TaylorSeries<S>::update_order(int group, int k) {
  if (k == 0) {
    for (const Step& step : steps_[group]) set_first(step);
  } else {
    for (const Step& step : steps_[group]) set_coefficient(step, k);
  }
}

template <class S>
void TaylorSeries<S>::set_interior(Step& step, int k) const {
  switch (step.kind) {
    case Kind::multiply:
      step.interior = interior_product(at(step.a), at(step.b), k);
      break;
    case Kind::square:
      step.interior = interior_square(at(step.a), k);
      break;
    case Kind::divide:
      step.interior = interior_product(at(step.to), at(step.b), k);
      break;
    case Kind::sqrt:
      step.interior = interior_square(at(step.to), k);
      break;
    case Kind::function:
      step.interior = interior_product(at(step.weight_a), at(step.slope_a), k);
      if (step.slope_b >= 0)
        step.interior += interior_product(at(step.weight_b), at(step.slope_b), k);
      if (k > 0) step.interior /= k;
      break;
    default:
      break;
  }
}

template <class S>
void TaylorSeries<S>::set_first(const Step& step) {
  *at(step.to) = step.kind == Kind::weight
                     ? S(0)
                     : operation_value<S>(step.op, *at(step.a), at(step.b < 0 ? step.a : step.b));
}

template <class S>
void TaylorSeries<S>::set_coefficient(const Step& step, int k) {
  S* z = at(step.to);
  const S* x = at(step.a);
  const S* y = step.b >= 0 ? at(step.b) : nullptr;
  switch (step.kind) {
    case Kind::add:
      z[k] = x[k] + y[k];
      break;
    case Kind::subtract:
      z[k] = x[k] - y[k];
      break;
    case Kind::negate:
      z[k] = -x[k];
      break;
    case Kind::scale:
      z[k] = x[k] * y[0];
      break;
    case Kind::multiply:
      z[k] = step.interior + x[0] * y[k] + x[k] * y[0];
      break;
    case Kind::square:
      z[k] = step.interior + 2 * (x[0] * x[k]);
      break;
    case Kind::divide:
      z[k] = (x[k] - step.interior - z[0] * y[k]) / y[0];
      break;
    case Kind::sqrt:
      z[k] = (x[k] - step.interior) / (2 * z[0]);
      break;
    case Kind::weight:
      z[k] = k * x[k];
      break;
    case Kind::function:
      z[k] = step.interior + x[k] * *at(step.slope_a);
      if (step.slope_b >= 0) z[k] += y[k] * *at(step.slope_b);
      break;
  }
}

}  // namespace daemark::graph
