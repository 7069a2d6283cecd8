// Steppers of the structural integrators on Lie groups (lie_equations.hpp): what is kept between
// steps in the frames of the bodies, and the change to the coordinates of the chart.
#pragma once

#include "methods/core/method.hpp"
#include "methods/geometric/lie_equations.hpp"
#include "methods/stages/state_stepper.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

template <class S>
class LieStepper : public StateStepper<S> {
 public:
  LieStepper(const Target<S>& target, const Settings& settings);

 protected:
  StepReport advance(const S& h) final;
  bool end_rates() final { return true; }  // those of the step's own equations
  /// Fills known_ from body_v_, the velocity at the beginning, and own_.
  virtual void fill_known(const S& h) = 0;
  /// Fills next_own_; a₊ and u of the solution.
  virtual void keep(const S* acceleration, const S* increment) = 0;

  /// v̇ in the frames of the bodies by the index-1 solve at q exp(w) with body velocities v.
  bool solve_rate(const S* w, const S* v, const S& t, S* rate);
  /// The acceleration of the state, which is at the origin of its chart.
  void body_rate(S* rate) const {
    frames_.to_body(this->state_.chart.data(), this->state_.rate.data() + this->n_, rate);
  }

  bool stabilised_;
  BodyFrames<S> frames_;
  EquationSolver<LieEquations, S> solver_;
  LieKnown<S> known_;
  std::vector<S> body_v_;
  State<S> probe_;

 private:
  std::vector<S> rate_;
};

/// What the methods share: the systems they take, and order 2 in q, v and λ on these.
std::string lie_refusal(const SystemTraits& system);
std::optional<StatedOrders> lie_orders(int index, const char* reason);

}  // namespace daemark
