// The stepper of half-explicit methods; half_explicit.hpp has the equations.
#pragma once

#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"
#include "methods/half_explicit/constrained_solve.hpp"
#include "methods/loop/error_size.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {

template <class S>
class HalfExplicitStepper final : public OneStateStepper<S> {
  using OneStateStepper<S>::target_, OneStateStepper<S>::state_, OneStateStepper<S>::next_;

 public:
  /// `estimate_order`: the power of h with which its estimate falls.
  HalfExplicitStepper(const WideHalfExplicit& form, int estimate_order, const Target<S>& target,
                      const Settings& settings);

  StepReport attempt(const S& h) override;
  StepAdvice advice() const override { return advice_; }
  double first_step(double span) override;

 private:
  /// h Σ_j a_j (V_j, V'_j) over the stages whose weight is not zero.
  struct Sum {
    std::vector<S> weights, scaled;
    std::vector<int> offsets;
  };
  struct Stage {
    bool carried = false;
    bool there = false;  ///< at the point where the constraints of the stage before held
    bool at_end = false, constraint_at_end = false;  ///< its times are that of the step end
    S c{}, constraint_c{}, own{};                    ///< c_i, ĉ_i, â_ii
    Sum values, constraint;  ///< by rows of A and Â, without the stage itself
  };

  Sum sum_of(const std::vector<wide>& weights, int count) const;
  void begin_run(const S& h) override { set_step(h); }
  void set_step(const S& h);
  void add(const Sum& sum, const S* base, S* to) const;
  StepReport run(const Stage& stage, int i);
  StepReport finish();
  void estimate();
  bool project_difference();
  /// point_ at a time of the step.
  MotionPoint<S> at(const S& t) const {
    return {t, point_.data(), point_.data() + n_, nullptr, nullptr, state_.chart.data()};
  }
  S* rates(int i) { return &rates_[static_cast<std::size_t>(i) * 2 * n_]; }
  S* multipliers(int i) { return multipliers_.data() + static_cast<std::size_t>(i) * m_; }

  MechanicalSystem<S>& mechanism_;
  int n_, m_, s_, estimate_order_;
  bool estimates_, end_stage_;
  ComponentLists lists_;
  ErrorSize<S> error_size_;
  std::vector<Stage> stages_;
  Sum end_, error_, lower_;
  ConstrainedSolve<S> solve_;
  S h_{};
  std::vector<S> rates_, multipliers_;  ///< (V_i, V'_i) and Λ_i by stage
  std::vector<S> point_, zeros_, difference_, lower_difference_;
  StepAdvice advice_;
};

}  // namespace daemark
