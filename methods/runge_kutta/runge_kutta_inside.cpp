// Values inside the steps of explicit Runge–Kutta methods by their published interpolants,
//
//   y(t_0 + θh) = y_0 + h Σ_i w_i(θ) Ẏ_i,   w_i(θ) = Σ_k w_ik θ^k,
//
// over the stages and further ones, which are evaluated when a value is first asked for in a step.
#include "methods/runge_kutta/runge_kutta_stepper.hpp"
#include "methods/stages/step_interpolant.hpp"

namespace daemark {

template <class S>
void RungeKuttaStepper<S>::build_dense() {
  const Dense<wide>& dense = form_.tableau.dense;
  if (is_exact<S> || !dense.given() || !explicit_ || target_.system->chart_size() > 0) return;
  const int order = form_.interpolant_order + 1;  // power of h in the errors of one step
  if (order <= hermite_orders(lists_).q) return;  // these need no stages
  published_order_ = order;
  if constexpr (!is_exact<S>) {
    const auto narrowed = [](const std::vector<std::vector<wide>>& rows) {
      std::vector<std::vector<S>> out;
      for (const auto& row : rows) {
        out.emplace_back();
        for (const wide& x : row) out.back().push_back(from_wide<S>(x));
      }
      return out;
    };
    dense_A_ = narrowed(dense.A), dense_weights_ = narrowed(dense.weights);
  }
  further_rate_.assign(dense_A_.size() * size_, S(0));
  further_y_.assign(size_, S(0));
  unused_.assign(s_, false);
}

/// The further stages of the step from next_ to state_.
template <class S>
void RungeKuttaStepper<S>::extend() const {
  if constexpr (!is_exact<S>) {
    extended_ = true;
    const State<S>&from = next_, &to = state_;
    const S h = to.t - from.t;
    for (std::size_t e = 0; e < dense_A_.size(); ++e) {
      const std::vector<S>& row = dense_A_[e];
      S* const rate_e = &further_rate_[e * size_];
      const wide& c = form_.tableau.dense.c[e];
      further_y_ = to.y;
      bool is_end = c == 1;
      for (int i = 0; i < s_ && is_end; ++i)
        is_end = form_.tableau.dense.A[e][i] == form_.tableau.b[i];
      if (is_end) {
        std::copy(to.rate.begin(), to.rate.end(), rate_e);
        continue;
      }
      for (const ComponentRun& run : lists_.state_runs)
        for (int k = run.to; k < run.to + run.length; ++k) {
          S sum(0);
          for (std::size_t j = 0; j < row.size(); ++j)
            sum += row[j] * further(static_cast<int>(j))[k];
          further_y_[k] = from.y[k] + h * sum;
        }
      ++this->counts_.residual_evals;
      ++this->counts_.factorizations;
      target_.system->explicit_rates(further_y_.data(), rate_e, S(from.t + from_wide<S>(c) * h),
                                     to.chart.data());
    }
  }
}

template <class S>
InsideOrders RungeKuttaStepper<S>::dense_orders() const {
  return {published_order_, published_order_, published_order_};
}

template <class S>
void RungeKuttaStepper<S>::inside(const S& theta, State<S>& at) const {
  if constexpr (!is_exact<S>) {
    if (!extended_) extend();
    const State<S>& from = next_;
    const S h = state_.t - from.t;
    at = state_;
    at.t = from.t + theta * h;
    std::vector<S>& weights = dense_at_;
    weights.clear();
    for (const std::vector<S>& powers : dense_weights_) {
      S weight(0);
      for (std::size_t k = powers.size(); k-- > 0;) weight = theta * (weight + powers[k]);
      weights.push_back(weight);
    }
    for (const ComponentRun& run : lists_.state_runs)
      for (int k = run.to; k < run.to + run.length; ++k) {
        S sum(0);
        for (std::size_t j = 0; j < weights.size(); ++j)
          sum += weights[j] * further(static_cast<int>(j))[k];
        at.y[k] = from.y[k] + h * sum;
      }
    ++this->counts_.residual_evals;
    ++this->counts_.factorizations;
    target_.system->explicit_rates(at.y.data(), at.rate.data(), at.t, at.chart.data());
  }
}

template InsideOrders RungeKuttaStepper<double>::dense_orders() const;
template InsideOrders RungeKuttaStepper<real50>::dense_orders() const;
template InsideOrders RungeKuttaStepper<rational>::dense_orders() const;
template void RungeKuttaStepper<double>::build_dense();
template void RungeKuttaStepper<real50>::build_dense();
template void RungeKuttaStepper<rational>::build_dense();
template void RungeKuttaStepper<double>::inside(const double&, State<double>&) const;
template void RungeKuttaStepper<real50>::inside(const real50&, State<real50>&) const;
template void RungeKuttaStepper<rational>::inside(const rational&, State<rational>&) const;

}  // namespace daemark
