// A system whose equilibrium is taken between two points: rows of dynamics at
//   (1 − α_f)(y₊, t₊) + α_f (y, t),  acceleration (1 − α_m) ẏ₊ + α_m ẏ,
// rows of position and velocity constraints at the end. Multipliers are those of the equilibrium.
//
// On index 1 all rows are dynamics: G a = −γ belongs where the accelerations are.
#pragma once

#include "methods/core/stepper.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

template <class S>
class WeightedSystem final : public ImplicitSystem<S> {
 public:
  /// `inner` must outlive this object. Acceleration weight 1 − α_m and state weight 1 − α_f at the
  /// end.
  WeightedSystem(ImplicitSystem<S>& inner, const S& acceleration_weight, const S& state_weight);

  /// The point the step begins at: y, the accelerations a in the rates of velocities, t.
  void set_beginning(const S* y, const S* rate, const S& t);

  void evaluate(const SystemPoint<S>& end, S* r, S* jacobian_y, S* jacobian_rate) override;
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    return inner_.explicit_rates(y, rate, t, chart);
  }
  int chart_size() const override { return inner_.chart_size(); }
  EvaluationPoints points() const;  ///< constraints at the end are a second one

 private:
  void scale_dynamics(S* jacobian_y, S* jacobian_rate);

  ImplicitSystem<S>& inner_;
  ComponentLists lists_;
  S acceleration_weight_, state_weight_;
  int dynamics_;  ///< rows before it are dynamics
  S begin_t_{};
  std::vector<S> begin_y_, begin_rate_, y_, rate_, end_residual_, end_jacobian_y_,
      end_jacobian_rate_;
};

}  // namespace daemark
