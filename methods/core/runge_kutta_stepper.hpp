// The stepper behind runge_kutta.hpp; its equations stand there.
#pragma once

#include "methods/core/runge_kutta.hpp"
#include "methods/core/stage_system.hpp"

namespace daemark {

/// Consecutive stages solved together; an explicit one has no system.
template <class S>
struct StageBlock {
  int first = 0, count = 1;
  std::unique_ptr<StageSystem<S>> system;
};

template <class S>
class RungeKuttaStepper final : public Stepper<S> {
 public:
  RungeKuttaStepper(const RungeKuttaForm& form, SystemPair<S> pair, const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  StepReport step() override;
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override;
  void set_memory(const std::vector<S>& memory) override;

  /// Points of another stepper on the same system that changes of chart re-express too, from the
  /// next step on.
  void carry_along(const std::vector<S*>& points_y, const std::vector<S*>& points_rate) {
    carried_y_ = points_y;
    carried_rate_ = points_rate;
  }

 private:
  void build_blocks(const Settings& settings);
  void build_extrapolation();
  void base_of(int stage, int block_begin, S* base) const;
  StepReport explicit_stage(int stage);
  StepReport implicit_block(StageBlock<S>& block);
  void build_hermite(Predictor predictor);
  bool hermite_guess(StageBlock<S>& block);
  void guess(StageBlock<S>& block);
  StepReport finish();
  void rebase();
  S* y(int i) { return &stage_y_[static_cast<std::size_t>(i) * size_]; }
  S* rate(int i) { return &stage_rate_[static_cast<std::size_t>(i) * size_]; }
  const S* rate(int i) const { return &stage_rate_[static_cast<std::size_t>(i) * size_]; }

  RungeKuttaForm form_;
  SystemPair<S> pair_;
  ComponentLists lists_;
  std::vector<int> state_components_;  ///< differential and integral ones
  int s_, size_;
  bool explicit_, stiffly_accurate_, explicit_first_, carry_, extrapolate_;
  std::vector<S> A_, b_, c_, hA_, hb_;
  std::vector<S> extrapolation_;  ///< s × s: stage values of the last step → guesses of this one
  /// Weights of y and ẏ at the points before a stage, newest first: earlier stages, then the step's
  /// beginning (point −1); empty where a stage has the constant guess.
  struct HermiteGuess {
    std::vector<int> points;
    std::vector<S> m, n;
  };
  std::vector<HermiteGuess> hermite_;
  bool has_history_ = false;
  S h_{};
  State<S> state_, next_;
  std::vector<S> stage_y_, stage_rate_, last_y_, last_rate_, zeros_;
  std::vector<S*> chart_points_y_, chart_points_rate_;  ///< scratch of rebase()
  std::vector<S*> carried_y_, carried_rate_;
  std::vector<StageBlock<S>> blocks_;
  long step_index_ = 0;
  S t0_{};
};

}  // namespace daemark
