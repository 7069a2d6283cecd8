// One step of the energy-momentum scheme; equations in methods/energy_momentum.cpp.
// Unknowns v₁ and h λ; rows of positions over h. The Newton matrix is that of the midpoint: what
// discrete gradients add is of size h² in it and left out.
#pragma once

#include "methods/geometric/step_equations.hpp"

namespace daemark {

template <class S>
class EnergyMomentumEquations final : public StepEquations<S> {
 public:
  explicit EnergyMomentumEquations(MechanicalSystem<S>& mechanism);

  template <class T>
  void begin(const State<T>& state, const T& h) {
    copy_as(state.y, q_), copy_as(state.y, v_, q_.size());
    begin_at(static_cast<S>(state.t), static_cast<S>(h));
  }
  int multiplier() const { return n_; }
  /// q₁ of a solution.
  void end_position(const S* x, S* q) const {
    for (int k = 0; k < n_; ++k) q[k] = q_[k] + h_ / S(2) * (v_[k] + x[k]);
  }

 protected:
  void residual(const S* x, S* r, S* jacobian) override;

 private:
  void begin_at(const S& t, const S& h);
  void place(const S* x);
  S potential(const std::vector<S>& q);
  void add_discrete_gradients(const S* lambda, S* r);

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  S t_{}, h_{}, middle_{}, begin_potential_{};
  std::vector<S> q_, v_, zeros_, begin_position_;
  std::vector<S> q_next_, q_middle_, v_middle_, change_, force_, difference_, lambda_, position_;
  std::vector<S> mass_, residual_q_, residual_v_, gradient_, end_gradient_;
};

}  // namespace daemark
