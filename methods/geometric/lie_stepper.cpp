#include "methods/geometric/lie_stepper.hpp"

namespace daemark {

/// Index 3, or stabilised index 2 where the formulation has multipliers for positions too (ggl).
template <class S>
bool is_stabilised(const Target<S>& target) {
  return target.formulation != nullptr && !target.formulation->info.second_order;
}

template <class S>
LieStepper<S>::LieStepper(const Target<S>& target, const Settings& settings)
    : StateStepper<S>(target),
      stabilised_(is_stabilised(target)),
      frames_(*target.mechanism),
      solver_(target, settings.newton, stabilised_),
      body_v_(this->n_, S(0)),
      rate_(this->n_, S(0)) {
  for (std::vector<S>* x : {&known_.u, &known_.v, &known_.rate}) x->assign(this->n_, S(0));
}

template <class S>
StepReport LieStepper<S>::advance(const S& h) {
  const int n = this->n_, m = this->m_;
  const State<S>& from = this->state_;
  State<S>& to = this->next_;
  frames_.to_body(from.chart.data(), from.y.data() + n, body_v_.data());
  fill_known(h);
  solver_.begin([&](auto& equations) { equations.begin(from, h, known_); });
  LieEquations<S>& step = solver_.equations();
  S* const x = solver_.x();
  std::copy_n(this->own_.begin(), n, x + step.acceleration());  // a, or v̇, of the last step
  for (int k = 0; k < n; ++k)
    x[step.increment() + k] = known_.u[k] + h * known_.c_w * x[step.acceleration() + k];
  std::copy_n(from.y.begin() + 2 * n, m, x + step.multiplier());
  if (stabilised_) std::fill_n(x + step.stabiliser(), m, S(0));
  const StepReport report = solver_.solve(this->counts_);
  if (report.status != Status::ok) return report;
  step.settle(x);
  frames_.to_chart(from.chart.data(), step.position().data(), step.chart().data(),
                   step.velocity().data(), step.velocity_rate().data(), to.y.data(),
                   to.y.data() + n, to.rate.data() + n);
  std::copy_n(to.y.begin() + n, n, to.rate.begin());
  std::copy_n(x + step.multiplier(), m, to.y.begin() + 2 * n);
  if (stabilised_) std::copy_n(x + step.stabiliser(), m, to.y.begin() + 2 * n + m);
  keep(x + step.acceleration(), x + step.increment());
  return {};
}

template <class S>
bool LieStepper<S>::solve_rate(const S* w, const S* v, const S& t, S* rate) {
  const int n = this->n_;
  probe_ = this->state_;
  probe_.t = t;
  frames_.move(this->state_.y.data(), this->state_.chart.data(), w, probe_.y.data(),
               probe_.chart.data());
  frames_.to_space(probe_.chart.data(), v, probe_.y.data() + n);
  ++this->counts_.residual_evals, ++this->counts_.factorizations;
  if (!this->target_.system->explicit_rates(probe_.y.data(), probe_.rate.data(), t,
                                            probe_.chart.data()))
    return false;
  frames_.to_body(probe_.chart.data(), probe_.rate.data() + n, rate);
  return true;
}

std::string lie_refusal(const SystemTraits& system) {
  if (!system.mechanism) return refusals::needs_mechanism;
  if (system.index == 0 && !system.second_order) return refusals::second_order_only;
  const bool stabilised = system.index == 2 && !system.second_order;
  if (system.index != 0 && system.index != 3 && !stabilised)
    return "it holds positions (index3), or positions and velocities with a multiplier more (ggl); "
           "accepted: index3, ggl, minimal";
  if (system.velocity_rows > 0)
    return std::string("its positions follow from constraints on them: ") +
           refusals::needs_positions;
  if (system.index > 0 && !system.full_rank) return refusals::redundant;
  return "";
}

std::optional<StatedOrders> lie_orders(int index, const char* reason) {
  if (index == 1) return std::nullopt;
  return StatedOrders{2, 2, 2, false, reason};
}

template class LieStepper<double>;
template class LieStepper<real50>;

}  // namespace daemark
