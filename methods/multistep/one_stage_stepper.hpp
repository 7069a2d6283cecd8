// What multistep steppers and their single-step forms share: one equation y = base + (hβ_0) ẏ in
// each step.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "methods/core/method.hpp"
#include "methods/stages/point_history.hpp"

namespace daemark {

template <class S>
class OneStageStepper : public Stepper<S> {
 public:
  /// `depth`: how many points are kept.
  OneStageStepper(const Target<S>& target, const Settings& settings, const NewtonSettings& newton,
                  int depth)
      : target_(target),
        layout_(std::make_shared<const StageLayout>(*target.factor_system)),
        lists_(layout_->lists),
        history_(*target.system, lists_, depth, settings.predictor),
        past_(std::max(1, depth - 1)),
        // B = 1 and the step hβ_0: one system serves every formula of the start, exactly in S.
        stage_(target, DenseMatrix<wide>{{wide(1)}}, newton, layout_) {
    state_components_ = lists_.differential;
    for (const auto& [c, source] : lists_.integral) state_components_.push_back(c);
  }

  void start(const State<S>& initial, const S& h) override {
    state_ = next_ = initial;
    this->step_size_ = h_ = h;
    clock_.start(initial.t, h);
    std::fill(past_.begin(), past_.end(), h);
    history_.restart(initial);
  }
  StepReport attempt(const S& h) final {
    if (h != h_) {
      if (!variable_)
        throw std::logic_error("a multistep formula was given another step than its own");
      clock_.change(state_.t, h);
      h_ = h;
    }
    return attempt_step();
  }
  State<S>& candidate() override { return next_; }
  void accept() override {
    take_candidate();
    std::rotate(past_.begin(), past_.end() - 1, past_.end());
    past_.front() = h_;
    history_.push(next_.y.data(), next_.rate.data());
    state_.t = next_.t;
    move_chart();
    std::copy_n(history_.y(0), state_.y.size(), state_.y.begin());
    std::copy_n(history_.rate(0), state_.rate.size(), state_.rate.begin());
    clock_.advance();
    ++this->counts_.steps;
  }
  const State<S>& state() const override { return state_; }

 protected:
  virtual StepReport attempt_step() = 0;
  /// What else the candidate changes, before it becomes the newest point.
  virtual void take_candidate() {}
  /// The new point becomes the origin of the chart, earlier ones follow.
  virtual void move_chart() {
    if (state_.chart.empty()) return;
    chart_points_y_.clear(), chart_points_rate_.clear();
    history_.add_to(chart_points_y_, chart_points_rate_);
    add_auxiliary(chart_points_y_, chart_points_rate_);
    target_.system->rebase(state_.chart.data(), chart_points_y_, chart_points_rate_);
  }
  /// What else a change of chart re-expresses.
  virtual void add_auxiliary(std::vector<S*>&, std::vector<S*>&) {}

  /// Where Newton's iteration begins.
  virtual void guess(S* y, S* rate) const { history_.guess(h_, y, rate); }

  /// Solves with the base filled in; on success the stage is the candidate.
  StepReport solve(const S& beta0) {
    stage_.time(0) = clock_.next();
    stage_.set_chart(state_.chart);
    const StepReport report =
        stage_.solve(S(h_ * beta0), this->counts_, [this] { guess(stage_.y(0), stage_.rate(0)); },
                     {{history_.y(0), history_.rate(0), h_}});
    if (report.status != Status::ok) return report;
    return propose(stage_.y(0), stage_.rate(0));
  }
  StepReport propose(const S* y, const S* rate) {
    if constexpr (!is_exact<S>)
      for (int c : state_components_)
        if (!std::isfinite(to_double(y[c]))) return {Status::not_finite, "the state is not finite"};
    next_.t = clock_.next();
    std::copy_n(y, next_.y.size(), next_.y.begin());
    std::copy_n(rate, next_.rate.size(), next_.rate.begin());
    return {};
  }
  void append_common(std::vector<S>& memory) const {
    history_.append_to(memory);
    if (variable_) memory.insert(memory.end(), past_.begin(), past_.end());
    memory.insert(memory.end(), state_.chart.begin(), state_.chart.end());
  }
  void take_common(typename std::vector<S>::const_iterator& from) {
    history_.take_from(from);
    if (variable_)
      for (S& h : past_) h = *from++;
    for (S& x : state_.chart) x = *from++;
    std::copy_n(history_.y(0), state_.y.size(), state_.y.begin());
    std::copy_n(history_.rate(0), state_.rate.size(), state_.rate.begin());
  }

  Target<S> target_;
  StageLayoutPtr layout_;
  const ComponentLists& lists_;
  std::vector<int> state_components_;
  PointHistory<S> history_;
  std::vector<S> past_;  ///< steps between the points, the one to the newest first
  StageSystem<S> stage_;
  State<S> state_, next_;  ///< next_.chart is not used: the candidate is on the chart of the state
  std::vector<S*> chart_points_y_, chart_points_rate_;  ///< scratch of move_chart()
  bool variable_ = false;                               ///< steps may change
  S h_{};                                               ///< of the attempt
  StepClock<S> clock_;
};

template <class Derived>
class OneStageMethod : public MethodOf<Derived> {
 public:
  using MethodOf<Derived>::MethodOf;
  int cost_stages() const override { return 1; }
  bool constant_step() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    return system.index > 0 && !system.full_rank ? refusals::redundant : "";
  }
};

}  // namespace daemark
