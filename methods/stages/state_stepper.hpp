// Steppers whose memory is the state, its rates and, for some, further vectors that do not depend
// on the chart.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "methods/core/stepper.hpp"

namespace daemark {

/// The state before the step, the attempted one, and what all steppers do at a step end.
template <class S>
class OneStateStepper : public Stepper<S> {
 public:
  explicit OneStateStepper(const Target<S>& target) : target_(target) {}

  void start(const State<S>& initial, const S& h) override {
    state_ = next_ = initial;
    this->step_size_ = h;
    clock_.start(initial.t, h);
    begin_run(h);
    next_own_ = own_;
  }
  State<S>& candidate() override { return next_; }
  void accept() override {
    std::swap(state_.y, next_.y), std::swap(state_.rate, next_.rate);
    std::swap(state_.chart, next_.chart), std::swap(own_, next_own_);
    state_.t = next_.t;
    if (!state_.chart.empty()) {
      points_y_.assign(1, state_.y.data()), points_rate_.assign(1, state_.rate.data());
      target_.system->rebase(state_.chart.data(), points_y_, points_rate_);
    }
    std::copy(state_.chart.begin(), state_.chart.end(), next_.chart.begin());
    clock_.advance();
    ++this->counts_.steps;
  }
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override {
    std::vector<S> all = state_.y;
    for (const std::vector<S>* part : {&state_.rate, &state_.chart, &own_})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    for (std::vector<S>* part : {&state_.y, &state_.rate, &state_.chart, &own_})
      for (S& x : *part) x = *from++;
    next_.chart = state_.chart;
  }

 protected:
  /// Resizes own_ and fills it for a first step.
  virtual void begin_run(const S& h) { (void)h; }
  /// The time of next_, for a step of size h.
  void set_time(const S& h) {
    clock_.change(state_.t, h);
    next_.t = clock_.next();
  }

  Target<S> target_;
  State<S> state_, next_;
  std::vector<S> own_, next_own_;

 private:
  StepClock<S> clock_;
  std::vector<S*> points_y_, points_rate_;
};

/// Steppers of mechanisms that compute q and v at the step end.
template <class S>
class StateStepper : public OneStateStepper<S> {
 public:
  explicit StateStepper(const Target<S>& target)
      : OneStateStepper<S>(target),
        n_(target.mechanism ? target.mechanism->coordinates() : 0),
        m_(target.mechanism ? target.mechanism->constraints() : 0) {}

  StepReport attempt(const S& h) override {
    this->set_time(h);
    const StepReport report = advance(h);
    if (report.status != Status::ok) return report;
    const bool solved = end_rates();
    double size = 0;
    if constexpr (!is_exact<S>)
      for (const S& y : next_.y) size += std::abs(to_double(y));
    if (!std::isfinite(size)) return {Status::not_finite, "the state is not finite"};
    if (!solved) return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
    return {};
  }

 protected:
  using OneStateStepper<S>::target_, OneStateStepper<S>::state_, OneStateStepper<S>::next_,
      OneStateStepper<S>::own_, OneStateStepper<S>::next_own_;

  /// Writes q and v of next_, whose time is set and whose chart is that of the state.
  virtual StepReport advance(const S& h) = 0;
  /// Accelerations and multipliers of next_.
  virtual bool end_rates() {
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    return target_.system->explicit_rates(next_.y.data(), next_.rate.data(), next_.t,
                                          next_.chart.data());
  }

  int n_, m_;  ///< of the mechanism; 0 without one
};

}  // namespace daemark
