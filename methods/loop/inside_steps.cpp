#include "methods/loop/inside_steps.hpp"

#include "methods/stages/step_interpolant.hpp"
#include "problems/geometry/rotation.hpp"

namespace daemark {

template <class S>
InsideSteps<S>::InsideSteps(const Method& method, Stepper<S>& stepper, const Target<S>& target)
    : stepper_(stepper),
      target_(target),
      lists_(*target.system),
      method_order_(method.error_order()) {}

template <class S>
InsideOrders InsideSteps<S>::orders() const {
  const InsideOrders own = stepper_.dense_orders(), hermite = hermite_orders(lists_);
  if (own.q > 0) return own;
  return own.q < 0 || method_order_ > hermite.q || !chart_carries() ? InsideOrders{} : hermite;
}

/// Whether there is no chart, or one that is nothing but orientations.
template <class S>
bool InsideSteps<S>::chart_carries() const {
  const auto size = static_cast<std::size_t>(target_.system->chart_size());
  return size == 0 || (target_.mechanism && size == 4 * target_.mechanism->rotations().size());
}

template <class S>
void InsideSteps<S>::begin() {
  if (stepper_.dense_orders().q > 0) return;
  from_ = stepper_.state();
  known_ = false;
}

/// Puts the beginning of the step on the chart of its end, by a third point that has the
/// orientations of the end and becomes the origin.
template <class S>
void InsideSteps<S>::see_from_end() {
  State<S> end = from_;
  const std::vector<int> rotations = target_.mechanism->rotations();
  for (std::size_t k = 0; k < rotations.size(); ++k) {
    const rotation::Quaternion<S> turned =
        rotation::product(rotation::quaternion(&to_.chart[4 * k]),
                          rotation::conjugate(rotation::quaternion(&from_.chart[4 * k])));
    for (int i = 0; i < 3; ++i) end.y[rotations[k] + i] = S(2) * turned[1 + i] / turned[0];
  }
  target_.system->rebase(from_.chart.data(), {end.y.data(), from_.y.data()},
                         {end.rate.data(), from_.rate.data()});
}

/// ẏ and the multipliers of a state.
template <class S>
void InsideSteps<S>::complete(State<S>& state) {
  ++evaluations_;
  target_.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
}

template <class S>
void InsideSteps<S>::at(const S& theta, State<S>& to) {
  if (stepper_.dense_orders().q > 0) return stepper_.inside(theta, to);
  if (!known_) {
    to_ = stepper_.state();
    if (!target_.rates_follow()) complete(from_), complete(to_);
    if (!to_.chart.empty()) see_from_end();
    known_ = true;
  }
  interpolate_step(lists_, from_, to_, theta, to);
  complete(to);
}

template class InsideSteps<double>;
template class InsideSteps<real50>;

}  // namespace daemark
