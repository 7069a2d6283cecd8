// The stepper of Runge–Kutta methods; runge_kutta.hpp has the equations.
#pragma once

#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/stages/stage_system.hpp"

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
  RungeKuttaStepper(const RungeKuttaForm& form, const Target<S>& target, const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  StepReport attempt(const S& h) override;
  State<S>& candidate() override { return next_; }
  const std::vector<S>& error_estimate() const override { return error_; }
  void accept() override;
  InsideOrders dense_orders() const override;
  void inside(const S& theta, State<S>& at) const override;
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override;
  void set_memory(const std::vector<S>& memory) override;

  /// Points of another stepper that every later change of chart re-expresses too.
  void carry_along(const std::vector<S*>& points_y, const std::vector<S*>& points_rate) {
    carried_y_ = points_y;
    carried_rate_ = points_rate;
  }

 private:
  using F = FactorScalar<S>;
  /// Σ_j a_j ẏ_j over the stages whose weight is not zero.
  struct Sum {
    std::vector<S> weights, scaled;  ///< a_j, h a_j
    std::vector<int> offsets;        ///< where rate(j) begins
  };

  Sum sum_of(const std::vector<wide>& weights, const std::vector<rational>* exact, int count) const;
  void build_sums(bool with_error);
  void build_blocks(const Settings& settings);
  void build_extrapolation();
  void set_step(const S& h);
  void add_rates(const Sum& sum, const S* base, S* to) const;
  void estimate_error();
  StepReport explicit_stage(int stage);
  StepReport implicit_block(StageBlock<S>& block);
  void build_hermite(Predictor predictor);
  bool hermite_guess(StageBlock<S>& block);
  void guess(StageBlock<S>& block);
  void extrapolate(StageBlock<S>& block);
  StepReport finish();
  void rebase();
  void build_dense();
  void extend() const;
  S* y(int i) { return &stage_y_[static_cast<std::size_t>(i) * size_]; }
  S* rate(int i) { return &stage_rate_[static_cast<std::size_t>(i) * size_]; }
  /// ẏ of stage i, which may be a further one.
  const S* further(int i) const {
    return i < s_ ? rate(i) : &further_rate_[static_cast<std::size_t>(i - s_) * size_];
  }
  const S* rate(int i) const { return &stage_rate_[static_cast<std::size_t>(i) * size_]; }

  RungeKuttaForm form_;
  Target<S> target_;
  StageLayoutPtr layout_;
  const ComponentLists& lists_;
  int s_, size_;
  bool explicit_, stiffly_accurate_, explicit_first_, carry_, extrapolate_;
  std::vector<Sum> stage_sums_;  ///< by stage: over the stages of the blocks before its own
  Sum end_sum_, error_sum_;      ///< b, and b − b̂ where the error is estimated
  std::vector<char> unused_;     ///< explicit stages that only an embedded formula would use
  std::vector<S> c_;
  /// s × s: stage values of the last step → guesses of this one, which need no more than 16 digits.
  std::vector<F> extrapolation_, rounded_y_, rounded_rate_, guess_, zeros_;
  /// Weights of y and ẏ at the points before a stage, newest first: earlier stages, then the step's
  /// beginning (point −1); empty where a stage has the constant guess.
  struct HermiteGuess {
    std::vector<int> points;
    std::vector<S> m, n;
  };
  std::vector<HermiteGuess> hermite_;
  bool has_history_ = false;
  S h_{}, last_h_{};  ///< of the attempt, and of the last step
  State<S> state_, next_;
  std::vector<S> error_, zero_state_;  ///< empty where no error is estimated
  std::vector<S> stage_y_, stage_rate_, last_y_, last_rate_;
  std::vector<S*> chart_points_y_, chart_points_rate_;  ///< scratch of rebase()
  std::vector<S*> carried_y_, carried_rate_;
  // Values inside steps by published weights, and further stages of the last accepted step.
  int published_order_ = 0;  ///< 0: there are none, or those of Hermite are as good
  std::vector<std::vector<S>> dense_A_, dense_weights_;
  mutable bool extended_ = false;
  mutable std::vector<S> further_rate_, further_y_, dense_at_;
  std::vector<StageBlock<S>> blocks_;
  StepClock<S> clock_;
};

}  // namespace daemark
