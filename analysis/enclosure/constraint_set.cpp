#include "analysis/enclosure/constraint_set.hpp"

namespace daemark {

ConstraintSet::Recorded::Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows)
    : groups(2) {
  const int n = system.coordinates(), m = system.constraints();
  std::vector<Var> residual(n), all(m), positions;
  std::vector<Var> state = graph.inputs(2 * n);
  const auto a = graph.inputs(n), lambda = graph.inputs(m);
  const Var t = graph.input();
  const Var *const q = state.data(), *const v = q + n;
  system.record(graph, q, v, a.data(), lambda.data(), t, residual.data(), all.data());
  std::vector<Var>& values = groups[0];
  for (const int row : rows)
    (system.row_level(row) == RowLevel::velocity ? values : positions).push_back(all[row]);
  std::vector<Var> arguments(q, q + n), rates(v, v + n);
  arguments.push_back(t), rates.emplace_back(1);
  for (const Var& rate : graph::directional(positions, arguments, rates)) values.push_back(rate);
  values.insert(values.end(), positions.begin(), positions.end());
  for (const auto& [row, column, value] : graph::jacobian(values, state)) {
    places.emplace_back(row, column);
    groups[1].push_back(value);
  }
}

ConstraintSet::ConstraintSet(MechanicalSystem<real50>& system, const std::vector<int>& rows)
    : ConstraintSet(system.coordinates(), Recorded(system, rows)) {}

ConstraintSet::ConstraintSet(int coordinates, Recorded&& recorded)
    : n_(coordinates),
      size_(static_cast<int>(recorded.groups[0].size())),
      time_(recorded.graph.input_count() - 1),
      places_(std::move(recorded.places)),
      function_(recorded.graph, recorded.groups) {}

void ConstraintSet::evaluate(const RealBall& t, const std::vector<RealBall>& state) {
  for (int i = 0; i < 2 * n_; ++i) function_.input(i) = state[i];
  function_.input(time_) = t;
  function_.evaluate();
}

std::vector<RealBall> ConstraintSet::jacobian() const {
  std::vector<RealBall> entries(static_cast<std::size_t>(size_) * 2 * n_);
  for (std::size_t e = 0; e < places_.size(); ++e)
    entries[static_cast<std::size_t>(places_[e].first) * 2 * n_ + places_[e].second] =
        function_.output(1, static_cast<int>(e));
  return entries;
}

}  // namespace daemark
