// What multistep steppers and their single-step forms share: one equation y = base + (hβ_0) ẏ a
// step.
#pragma once

#include <algorithm>
#include <cmath>

#include "methods/core/registry.hpp"
#include "methods/multistep/point_history.hpp"

namespace daemark {

template <class S>
class OneStageStepper : public Stepper<S> {
 public:
  OneStageStepper(SystemPair<S> pair, const Settings& settings, int depth)
      : pair_(pair),
        lists_(*pair.system),
        history_(*pair.system, lists_, depth, settings.predictor),
        // B = 1 and the step hβ_0: one system serves every formula of the start, exactly in S.
        stage_(pair, {{wide(1)}}, settings.newton) {
    state_components_ = lists_.differential;
    for (const auto& [c, source] : lists_.integral) state_components_.push_back(c);
  }

  void start(const State<S>& initial, const S& h) override {
    state_ = initial;
    t0_ = initial.t;
    step_index_ = 0;
    h_ = h;
    pair_.set_chart(initial.chart);
    history_.restart(initial);
  }
  const State<S>& state() const override { return state_; }

 protected:
  S next_time() const { return t0_ + S(static_cast<double>(step_index_ + 1)) * h_; }

  /// Solves with the base filled in; on success the stage holds the next point.
  StepReport solve(const S& beta0) {
    stage_.time(0) = next_time();
    history_.guess(h_, stage_.y(0), stage_.rate(0));
    const StepReport report = stage_.solve(S(h_ * beta0), this->counts_);
    if (report.status != Status::ok) return report;
    return finite(stage_.y(0));
  }
  StepReport finite(const S* y) const {
    if constexpr (!is_exact<S>)
      for (int c : state_components_)
        if (!std::isfinite(to_double(y[c]))) return {Status::not_finite, "the state is not finite"};
    return {};
  }
  void accept(const S* y, const S* rate) {
    history_.push(y, rate);
    state_.t = next_time();
    if (!state_.chart.empty()) {  // the new point becomes the origin, earlier ones follow
      chart_points_y_.clear(), chart_points_rate_.clear();
      history_.add_to(chart_points_y_, chart_points_rate_);
      add_auxiliary(chart_points_y_, chart_points_rate_);
      pair_.rebase(chart_points_y_, chart_points_rate_, state_.chart);
    }
    show_newest();
    ++step_index_;
    ++this->counts_.steps;
  }
  /// What else a change of chart re-expresses.
  virtual void add_auxiliary(std::vector<S*>&, std::vector<S*>&) {}
  void show_newest() {
    std::copy_n(history_.y(0), state_.y.size(), state_.y.begin());
    std::copy_n(history_.rate(0), state_.rate.size(), state_.rate.begin());
  }
  void append_common(std::vector<S>& memory) const {
    history_.append_to(memory);
    memory.insert(memory.end(), state_.chart.begin(), state_.chart.end());
  }
  void take_common(typename std::vector<S>::const_iterator& from) {
    history_.take_from(from);
    for (S& x : state_.chart) x = *from++;
    pair_.set_chart(state_.chart);
    show_newest();
  }

  SystemPair<S> pair_;
  ComponentLists lists_;
  std::vector<int> state_components_;
  PointHistory<S> history_;
  StageSystem<S> stage_;
  State<S> state_;
  std::vector<S*> chart_points_y_, chart_points_rate_;  ///< scratch of accept()
  S h_{}, t0_{};
  long step_index_ = 0;
};

class OneStageMethod : public Method {
 public:
  int cost_stages() const override { return 1; }
  std::string refusal(int) const override { return ""; }
};

}  // namespace daemark
