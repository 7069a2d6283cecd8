// One beam element alone, evaluated in double.
#pragma once

#include "problems/spatial/beam_element.hpp"

namespace daemark::test {

template <class Law>
class BeamPart {
 public:
  static constexpr int nodes = Law::nodes, k = 6 * nodes;
  using Vector = std::array<double, k>;
  using Chart = std::array<double, 4 * nodes>;

  explicit BeamPart(const Law& law)
      : part_(std::make_unique<Part>(
            sizes(), [law](const PartArguments& at) { return beam_element(law, at); })) {}

  Vector force(const Vector& q, const Chart& chart) {
    return run<k>(PartGroup::force, q, {}, chart);
  }
  /// −∂f/∂q, row by row.
  std::array<double, k * k> stiffness(const Vector& q, const Chart& chart) {
    const auto entries = run<k * k>(PartGroup::residual_q, q, {}, chart);
    std::array<double, k * k> by_q{};
    const auto& places = part_->places(PartGroup::residual_q);
    for (std::size_t i = 0; i < places.size(); ++i)
      by_q[places[i].first * k + places[i].second] = entries[i];
    return by_q;
  }
  double potential(const Vector& q, const Chart& chart) {
    return run<1>(PartGroup::potential, q, {}, chart)[0];
  }
  double power(const Vector& q, const Vector& v, const Chart& chart) {
    return run<1>(PartGroup::power, q, v, chart)[0];
  }

 private:
  static PartSizes sizes() {
    PartSizes sizes;
    sizes.k = k, sizes.chart = 4 * nodes;
    return sizes;
  }
  template <std::size_t count>
  std::array<double, count> run(PartGroup group, const Vector& q, const Vector& v,
                                const Chart& chart) {
    graph::Evaluator<double>& evaluator = evaluators_[static_cast<int>(group)];
    if (!evaluator) evaluator = graph::Evaluator<double>(part_->code(bit(group)));
    std::array<double, count> values{};
    double* x =
        std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), evaluator.inputs() + 1));
    std::copy(chart.begin(), chart.end(), x + k);  // after the accelerations
    double* groups[part_groups] = {};
    groups[static_cast<int>(group)] = values.data();
    evaluator.run(groups);
    return values;
  }

  std::unique_ptr<Part> part_;
  std::array<graph::Evaluator<double>, part_groups> evaluators_;
};

}  // namespace daemark::test
