// tangent_space(inner): the stepper of the inner method on the tangent-space system. Its states are
// (q, v, λ); inside, p and w of a step end are set to x and v, so that the history consists of
// points on the constraints.
#pragma once

#include "methods/catalogue/registry.hpp"
#include "methods/loop/first_step.hpp"
#include "methods/stages/stage_algebra.hpp"
#include "methods/tangent/tangent_system.hpp"

namespace daemark {

enum class TangentForm { bordered, null_space };

template <class S>
class TangentStepper final : public Stepper<S> {
 public:
  TangentStepper(const Method& inner, TangentForm form, const Target<S>& target,
                 const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  double first_step(double span) override {
    return automatic_first_step(state_, target_, error_size_, order_, span);
  }
  StepReport attempt(const S& h) override;
  State<S>& candidate() override { return next_; }
  const std::vector<S>& error_estimate() const override;
  void accept() override;
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<S>& memory) override;

 private:
  using F = FactorScalar<S>;
  void to_inside(const State<S>& outside, State<S>& inside) const;
  void to_outside(const State<S>& inside, State<S>& outside) const;
  void take_counts();

  Target<S> target_;
  ErrorSize<S> error_size_;
  int order_;  ///< of the inner estimate
  TangentSystem<S> system_;
  std::unique_ptr<TangentSystem<F>> twin_;  ///< wide scalars only
  std::unique_ptr<StageAlgebraMaker> algebra_;
  std::unique_ptr<Stepper<S>> inner_;
  State<S> state_, next_, inside_;
  mutable std::vector<S> error_;
};

}  // namespace daemark
