// The stepper of structural methods (equations in structural.hpp) and the system it solves.
#pragma once

#include "methods/core/stepper.hpp"
#include "methods/stages/point_history.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/structural/structural.hpp"

namespace daemark {

// A system whose equilibrium is taken between two points: rows of dynamics at
//   (1 − α_f)(y₊, t₊) + α_f (y, t),  acceleration (1 − α_m) ẏ₊ + α_m ẏ,
// rows of position and velocity constraints at the end. Multipliers are those of the equilibrium.
//
// On index 1 all rows are dynamics: G a = −γ belongs where the accelerations are.
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

template <class S>
class StructuralStepper final : public Stepper<S> {
 public:
  StructuralStepper(const StructuralForm& form, const Target<S>& target, const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  StepReport attempt(const S& h) override;
  State<S>& candidate() override { return next_; }
  void accept() override;
  const std::vector<S>& error_estimate() const override { return error_; }
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override;
  void set_memory(const std::vector<S>& memory) override;

 private:
  using F = FactorScalar<S>;
  /// Weights of what is known at the beginning: v and a are summed with h and h² put in by
  /// set_step().
  struct Weights {
    S v_q, v_v, a_q, a_v, rate_q, rate_v;
  };

  Target<S> solved_target(const Target<S>& target);
  void set_step(const S& h);
  void lead_accelerations();
  void fill_base();
  StepReport finish();
  void estimate_error();
  void move_chart();
  bool weighted() const { return form_.balance == StructuralForm::Balance::weighted; }
  bool own_acceleration() const { return !form_.newmark(); }

  StructuralForm form_;
  Target<S> target_;
  std::unique_ptr<WeightedSystem<S>> weighted_system_;
  std::unique_ptr<WeightedSystem<F>> weighted_twin_;
  StageLayoutPtr layout_;
  const ComponentLists& lists_;
  StageSystem<S> stage_;
  PointHistory<S> history_;                   ///< for guesses
  bool varies_;                               ///< steps may change
  S h_{}, history_h_{};                       ///< history_h_: of the step to the newest point
  S new_rate_, old_rate_, old_acceleration_;  ///< a₊ = these times v̇₊, v̇, a (end)
  Weights weights_;
  State<S> state_, next_;
  std::vector<S> a_, next_a_;  ///< in the places of velocities; used where a ≠ v̇
  std::vector<S> led_a_;       ///< a as the step in work takes it
  std::vector<S> begin_rate_, chart_y_;
  std::vector<S> error_;  ///< where it is estimated
  std::vector<F> factor_y_, factor_rate_;
  std::vector<S*> chart_points_y_, chart_points_rate_;
  StepClock<S> clock_;
};

}  // namespace daemark
