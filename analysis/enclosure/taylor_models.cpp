#include "analysis/enclosure/taylor_models.hpp"

#include <algorithm>

namespace daemark {

TaylorModels::TaylorModels(graph::Graph& graph, const std::vector<std::vector<Var>>& groups,
                           int order)
    : groups_(static_cast<int>(groups.size())),
      stride_(order + 1),
      series_(graph, groups, order),
      sizes_(static_cast<std::size_t>(series_.slots()) * stride_),
      sum_(series_.slots()),
      rest_(series_.slots()),
      fixed_(groups.size()) {}

void TaylorModels::evaluate() {
  for (int group = 0; group < groups_; ++group)
    for (int k = 0; k <= order(); ++k) series_.evaluate_order(group, k);
  for (int slot = 0; slot < series_.slots(); ++slot) {
    sum_[slot] = 0;
    for (int k = 0; k <= order(); ++k) {
      double& size = sizes_[static_cast<std::size_t>(slot) * stride_ + k];
      size = magnitude(coefficients(slot)[k]);
      sum_[slot] += size;
    }
    sum_[slot] = outward(sum_[slot]);
  }
  std::fill(rest_.begin(), rest_.end(), 0);
  for (int group = 0; group < groups_; ++group) {
    fixed_[group].clear();
    for (const Step& step : series_.steps(group)) fixed_[group].push_back(fixed(step));
  }
}

double TaylorModels::cross(const double* x, const double* y) const {
  double above = 0, sum = 0;  // Σ |y_j| over j > K − i
  for (int i = 1; i <= order(); ++i) above += y[order() + 1 - i], sum += x[i] * above;
  return outward(sum);
}

TaylorModels::Fixed TaylorModels::fixed(const Step& step) const {
  Fixed known;
  switch (step.kind) {
    case Kind::multiply:
      known.tail = cross(sizes(step.a), sizes(step.b));
      break;
    case Kind::square:
      known.tail = cross(sizes(step.a), sizes(step.a));
      break;
    case Kind::divide:
      known.tail = cross(sizes(step.to), sizes(step.b));
      approximate_reciprocal(step.b, known);
      break;
    case Kind::sqrt:
      known.tail = cross(sizes(step.to), sizes(step.to));
      approximate_reciprocal(step.to, known);
      break;
    case Kind::function:
      known.tail = cross(sizes(step.weight_a), sizes(step.slope_a));
      if (step.slope_b >= 0) known.tail += cross(sizes(step.weight_b), sizes(step.slope_b));
      known.tail = outward(known.tail / (order() + 1));
      break;
    default:
      break;
  }
  return known;
}

// Any polynomial w is right: where |1 − w z| < 1, z has no zero and |1/z| <= |w|/(1 − |1 − w z|).
void TaylorModels::approximate_reciprocal(int slot, Fixed& to) const {
  const ComplexDisc* const z = coefficients(slot);
  std::vector<ComplexDisc> w;
  std::vector<double> w_sizes;
  double off = 0;
  for (int k = 0; k <= order(); ++k) {
    const ComplexDisc sum = dot_reversed(z + 1, w.data(), k);
    const double value = ((k == 0 ? 1 : 0) - sum.middle) / z[0].middle;
    w.emplace_back(value, 0);
    w_sizes.push_back(std::abs(value));
    to.inverse += std::abs(value);
    off += magnitude(dot_reversed(z, w.data(), k + 1) - ComplexDisc(k == 0 ? 1 : 0));
  }
  to.inverse = outward(to.inverse);
  to.gap = (1 - outward(off + cross(w_sizes.data(), sizes(slot)))) * (1 - 1e-9);
}

bool TaylorModels::bound() {
  std::vector<std::pair<int, double>> supposed;  // rests of derivatives
  for (int group = 0; group < groups_; ++group)
    for (std::size_t i = 0; i < fixed_[group].size(); ++i) {
      const Step& step = series_.steps(group)[i];
      for (const int slope : {step.slope_a, step.slope_b})
        if (slope >= 0) supposed.emplace_back(slope, rest_[slope]);
      rest_[step.to] = outward(bound(step, fixed_[group][i]));
    }
  bool right = true;
  for (const auto& [slope, rest] : supposed)
    if (!(rest_[slope] <= rest)) right = false;
  if (!right)
    for (const auto& [slope, rest] : supposed) rest_[slope] = 1.2 * larger(rest_[slope], rest);
  return right;
}

double TaylorModels::bound(const Step& step, const Fixed& known) const {
  const double x = rest_[step.a], y = step.b < 0 ? 0 : rest_[step.b];
  switch (step.kind) {
    case Kind::add:
    case Kind::subtract:
      return x + y;
    case Kind::negate:
      return x;
    case Kind::scale:
      return x * sizes(step.b)[0];
    case Kind::multiply:
      return known.tail + sum_[step.a] * y + x * sum_[step.b] + x * y;
    case Kind::square:
      return known.tail + 2 * sum_[step.a] * x + x * x;
    case Kind::divide: {  // z y = x: y b_z = b_x − tail − z_p b_y
      const double gap = known.gap - outward(known.inverse * y);
      return gap > 0 ? (x + known.tail + sum_[step.to] * y) * known.inverse / (gap * (1 - 1e-9))
                     : INFINITY;
    }
    case Kind::sqrt: {  // z² = x: 2 z_p b = b_x − tail − s^{K+1} b², of which |b| <= 2 c admits b
      if (!(known.gap > 0)) return INFINITY;
      const double half = outward(known.inverse / (2 * known.gap * (1 - 1e-9)));
      const double c = outward(half * (x + known.tail));
      return 4 * c * half < 0.9 ? c * (1 + 4 * c * half) : INFINITY;
    }
    case Kind::weight:
      return 0;  // of the polynomial alone
    case Kind::function:
      return function_rest(step, known);
  }
  return INFINITY;
}

// z = f(x), w = f'(x): along the polynomial z' = w x_p', whose integral beyond degree K is bounded
// by tail and by the rest of w; then what the rest of x changes, along s x_p + σ rest, σ in [0, 1].
double TaylorModels::function_rest(const Step& step, const Fixed& known) const {
  double rest = known.tail;
  const auto add = [&](int x, int weight, int slope) {
    rest += sum_[weight] * rest_[slope] / (order() + 2) + (sum_[slope] + rest_[slope]) * rest_[x];
  };
  add(step.a, step.weight_a, step.slope_a);
  if (step.slope_b >= 0) add(step.b, step.weight_b, step.slope_b);
  return rest;
}

}  // namespace daemark
