#include "methods/loop/inside_steps.hpp"

#include "methods/stages/step_interpolant.hpp"

namespace daemark {

template <class S>
InsideSteps<S>::InsideSteps(const Method& method, Stepper<S>& stepper, const Target<S>& target)
    : stepper_(stepper),
      target_(target),
      lists_(*target.system),
      method_order_(method.error_order()) {}

template <class S>
int InsideSteps<S>::order() const {
  if (const int own = stepper_.dense_order(); own > 0) return own;
  const int hermite = hermite_order(lists_);
  return target_.system->chart_size() > 0 || method_order_ > hermite ? 0 : hermite;
}

template <class S>
void InsideSteps<S>::begin() {
  if (stepper_.dense_order() > 0) return;
  from_ = stepper_.state();
  known_ = false;
}

/// ẏ and the multipliers of a state.
template <class S>
void InsideSteps<S>::complete(State<S>& state) {
  ++evaluations_;
  target_.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
}

template <class S>
void InsideSteps<S>::at(const S& theta, State<S>& to) {
  if (stepper_.dense_order() > 0) return stepper_.inside(theta, to);
  if (!known_) {
    to_ = stepper_.state();
    if (!target_.rates_follow()) complete(from_), complete(to_);
    known_ = true;
  }
  interpolate_step(lists_, from_, to_, theta, to);
  complete(to);
}

template class InsideSteps<double>;
template class InsideSteps<quad>;
template class InsideSteps<real50>;

}  // namespace daemark
