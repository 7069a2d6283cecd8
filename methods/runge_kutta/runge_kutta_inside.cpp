// Values inside the steps of Runge–Kutta methods.
#include "methods/runge_kutta/runge_kutta_stepper.hpp"
#include "methods/stages/step_interpolant.hpp"

namespace daemark {

/// Where ẏ and the multipliers follow from the state alone, values inside a step need nothing but
/// its two ends. On charts no step can be seen from another chart than that of its beginning. Of
/// methods above order 6 (their weights integrate t⁶) the values would be worse than their steps.
template <class S>
int RungeKuttaStepper<S>::dense_order() const {
  if constexpr (is_exact<S>) return 0;
  if (published_order_ > 0) return published_order_;
  wide sixth = -wide(1) / 7;
  for (int i = 0; i < s_; ++i) sixth += form_.tableau.b[i] * pow(form_.tableau.c[i], 6);
  const bool is_higher = abs(sixth) < wide("1e-10");
  if (!target_.rates_follow() || !state_.chart.empty() || is_higher) return 0;
  return lists_.integral.empty() ? 4 : 6;
}

// Between the step's beginning, which accept() left in next_, and its end; multipliers and ẏ are
// those of the state there.
template <class S>
void RungeKuttaStepper<S>::inside(const S& theta, State<S>& at) const {
  if constexpr (!is_exact<S>) {
    if (published_order_ > 0) return inside_by_weights(theta, at);
    interpolate_step(lists_, next_, state_, theta, at);

    ++this->counts_.residual_evals;
    ++this->counts_.factorizations;
    target_.system->explicit_rates(at.y.data(), at.rate.data(), at.t, at.chart.data());
  }
}

template int RungeKuttaStepper<double>::dense_order() const;
template int RungeKuttaStepper<quad>::dense_order() const;
template int RungeKuttaStepper<real50>::dense_order() const;
template int RungeKuttaStepper<rational>::dense_order() const;
template void RungeKuttaStepper<double>::inside(const double&, State<double>&) const;
template void RungeKuttaStepper<quad>::inside(const quad&, State<quad>&) const;
template void RungeKuttaStepper<real50>::inside(const real50&, State<real50>&) const;
template void RungeKuttaStepper<rational>::inside(const rational&, State<rational>&) const;

}  // namespace daemark
