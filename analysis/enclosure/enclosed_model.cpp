#include "analysis/enclosure/enclosed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {
namespace {

using Recorded = EnclosedModel::Recorded;

/// Whether the graph describes the model completely: everything integrated is recorded, and no
/// force depends on multipliers.
std::shared_ptr<Recorded> recorded_model(const MechanismMakers& makers) {
  if (!makers.in_real50) throw EnclosureFailure("the problem exists in double only");
  auto model = std::dynamic_pointer_cast<Recorded>(makers.in_real50());
  if (!model) throw EnclosureFailure("a model that is not recorded");
  if (model->forces_of_multipliers()) throw EnclosureFailure("forces that depend on multipliers");
  return model;
}

/// The first rows of G that do not follow from those before at the start: as many as its rank.
std::vector<int> independent_rows(Recorded& system, const rational& start) {
  const int n = system.coordinates(), m = system.constraints();
  std::vector<int> all(m), chosen;
  std::iota(all.begin(), all.end(), 0);
  if (system.rank() == m) return all;
  const EnclosureBits coarse(64);          // less than the digits to which rows follow from others
  ConstraintSet constraints(system, all);  // rates of positions come first
  std::vector<RealBall> state;
  for (const auto* part : {&system.mechanism().q0, &system.mechanism().v0})
    for (const wide& x : *part) state.push_back(from_wide<RealBall>(x));
  constraints.evaluate(ball_of(start), state);
  const std::vector<RealBall> entries = constraints.jacobian();
  std::vector<std::pair<int, std::vector<RealBall>>> reduced;  // each with its pivot
  for (const int row : all) {
    const auto first = entries.begin() + static_cast<long>(row) * 2 * n + n;
    std::vector<RealBall> x(first, first + n);
    for (const auto& [pivot, y] : reduced) {
      const RealBall factor = x[pivot] / y[pivot];
      for (int i = 0; i < n; ++i) x[i] = x[i] - factor * y[i];
    }
    int pivot = 0;
    for (int i = 1; i < n; ++i)
      if (std::abs(near_middle(x[i])) > std::abs(near_middle(x[pivot]))) pivot = i;
    if (arb_is_nonzero(x[pivot].raw()) == 0) continue;
    chosen.push_back(row), reduced.emplace_back(pivot, std::move(x));
  }
  if (static_cast<int>(chosen.size()) != system.rank())
    throw EnclosureFailure(
        fmt::format("{} constraints are independent at the start, not {} as the problem says",
                    chosen.size(), system.rank()));
  return chosen;
}

/// The rotation vector of a quaternion with positive scalar part: v 2 atan(s)/(s p0), s = |v|/p0,
/// and 1 − s²/3 <= atan(s)/s <= 1 near zero.
rotation::Vec3<RealBall> rotation_vector(const rotation::Quaternion<RealBall>& p) {
  const rotation::Vec3<RealBall> v{p[1], p[2], p[3]};
  const RealBall square = rotation::dot(v, v) / (p[0] * p[0]), s = sqrt(square);
  RealBall ratio = atan(s) / s;
  if (!ratio.finite()) {
    ratio = RealBall(1);
    add_error(ratio, outward(magnitude(square) / 3));
  }
  const RealBall factor = 2 * ratio / p[0];
  return {factor * v[0], factor * v[1], factor * v[2]};
}

}  // namespace

EnclosedModel::EnclosedModel(const Problem& problem)
    : own_(recorded_model(problem.absolute)),
      system_(problem.series.in_real50 ? recorded_model(problem.series) : own_) {
  if (!problem.start.is_rational()) throw EnclosureFailure("a start at a time that is no fraction");
  for (const Chart& chart : system_->mechanism().charts)
    if (chart.kind != Chart::Kind::rotation)
      throw EnclosureFailure("a chart of place and orientation in one");
  start_ = problem.start.as_rational();
  rows_ = independent_rows(*system_, start_);
  const int n = system_->coordinates(), m = own_->constraints();
  if (const auto& shown = system_->mechanism().shown) {
    const std::vector<Var> state = graph_.inputs(2 * n);
    states_ = shown(state.data(), state.data() + n);
    function_ = std::make_unique<BallFunction>(graph_, std::vector<std::vector<Var>>{states_});
  }
  if (own_->rank() < m) return;  // they are not unique
  if (system_->constraints() >= m) {
    multipliers_ = system_->rank() == system_->constraints() ? m : 0;
  } else if (own_->has_record() && !own_->mechanism().shown) {
    std::vector<int> rows(m);
    std::iota(rows.begin(), rows.end(), 0);
    multipliers_of_own_ = std::make_unique<MotionSeries<RealBall>>(*own_, rows, 1);
    multipliers_ = m;
  }
}

ShownState EnclosedModel::shown(const EnclosedState& from) {
  ShownState to{from.q, from.v, {}};
  if (function_) show(from, to);
  show_charts(to);
  if (multipliers_of_own_) multipliers_of_own_->start(ball_of(from.t), to.q.data(), to.v.data());
  for (int i = 0; i < multipliers_; ++i)
    to.lambda.push_back(multipliers_of_own_ ? multipliers_of_own_->lambda(i)[0] : from.lambda[i]);
  return to;
}

void EnclosedModel::show(const EnclosedState& from, ShownState& to) {
  const auto n = static_cast<int>(from.q.size()), half = static_cast<int>(states_.size() / 2);
  for (int i = 0; i < n; ++i) function_->input(i) = from.q[i], function_->input(n + i) = from.v[i];
  function_->evaluate();
  to.q.clear(), to.v.clear();
  for (int i = 0; i < 2 * half; ++i) {
    if (!function_->output(0, i).finite())
      throw EnclosureFailure("the coordinates that are shown branch within the enclosure");
    (i < half ? to.q : to.v).push_back(function_->output(0, i));
  }
}

// As Charts::to_reference, with the charts of the start.
void EnclosedModel::show_charts(ShownState& to) const {
  using namespace rotation;
  for (const Chart& chart : system_->mechanism().charts) {
    Quaternion<RealBall> from;
    for (int i = 0; i < 4; ++i) from[i] = from_wide<RealBall>(chart.numbers[i]);
    RealBall *const g = &to.q[chart.first], *const rate = &to.v[chart.first];
    Quaternion<RealBall> p = product(cayley_quaternion(g), from);
    if (arb_is_positive(p[0].raw()) == 0)
      for (RealBall& x : p) x = -x;
    if (arb_is_positive(p[0].raw()) == 0)
      throw EnclosureFailure("an orientation half a turn from that of rotation vector 0");
    const Vec3<RealBall> psi = rotation_vector(p);
    const Vec3<RealBall> spin =
        rotate(conjugate(from), cayley_spin_transposed(vector(g), vector(rate)));
    std::copy(psi.begin(), psi.end(), g);
    std::copy(spin.begin(), spin.end(), rate);
  }
}

}  // namespace daemark
