// Values inside the steps of Runge–Kutta methods.
#include "methods/runge_kutta/runge_kutta_stepper.hpp"

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

// Hermite's interpolants between the step's beginning, which accept() left in next_, and its end:
// of degree 5 through q, q̇ = v and v̇ for positions, its derivative for v, of degree 3 for what has
// no second derivative. Multipliers and ẏ are those of the state there.
template <class S>
void RungeKuttaStepper<S>::inside(const S& theta, State<S>& at) const {
  if constexpr (!is_exact<S>) {
    if (published_order_ > 0) return inside_by_weights(theta, at);
    const State<S>&from = next_, &to = state_;
    const S h = to.t - from.t, x = theta, x2 = x * x, x3 = x2 * x, left = S(1) - x;
    at = to;
    at.t = from.t + x * h;
    // Cubic, as the part of the way that is gone and what the rates at the ends add.
    const S gone = x2 * (S(3) - S(2) * x), first = x * left * left, last = -x2 * left;
    for (const int c : lists_.differential)
      at.y[c] =
          from.y[c] + gone * (to.y[c] - from.y[c]) + h * (first * from.rate[c] + last * to.rate[c]);
    const S way = x3 * (S(10) - x * (S(15) - S(6) * x)),
            v0 = x - x3 * (S(6) - x * (S(8) - S(3) * x)), v1 = -x3 * (S(4) - x * (S(7) - S(3) * x)),
            a0 = x2 * left * left * left / S(2), a1 = x3 * left * left / S(2);
    const S way_rate = S(30) * x2 * left * left,
            v0_rate = S(1) - x2 * (S(18) - x * (S(32) - S(15) * x)),
            v1_rate = -x2 * (S(12) - x * (S(28) - S(15) * x)),
            a0_rate = x * left * left * (S(2) - S(5) * x) / S(2),
            a1_rate = x2 * left * (S(3) - S(5) * x) / S(2);
    for (const auto& [q, v] : lists_.integral) {
      const S moved = to.y[q] - from.y[q];
      at.y[q] = from.y[q] + way * moved +
                h * (v0 * from.y[v] + v1 * to.y[v] + h * (a0 * from.rate[v] + a1 * to.rate[v]));
      at.y[v] = way_rate * moved / h + v0_rate * from.y[v] + v1_rate * to.y[v] +
                h * (a0_rate * from.rate[v] + a1_rate * to.rate[v]);
    }
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
