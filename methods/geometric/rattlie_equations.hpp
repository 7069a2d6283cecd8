// One step of RATTLie (Hante & Arnold 2021) in the frames of the bodies; p = M v, M constant there,
// w = h V, T⁻¹ of problems/geometry/rotation_tangent.hpp, T⁻ᵀ(−w) = T⁻¹(w):
//
//   T⁻¹(w) M V = p₀ + h/2 f(q₀) − h/2 B(q₀)ᵀλ⁺,    q₁ = q₀ exp(w),   Φ(t₁, q₁) = 0
//   M v₁ = T⁻¹(−w) M V + h/2 f(q₁) − h/2 B(q₁)ᵀλ⁻,  B(q₁) v₁ + Φ_t = 0
//
// f without velocities: T⁻¹ makes the gyroscopic moments. Unknowns: V, h λ⁺, v₁, h λ⁻; the second
// pair of rows follows from the first, and what it has of V is left out of the Newton matrix.
#pragma once

#include "methods/geometric/turned_blocks.hpp"

namespace daemark {

template <class S>
class RattlieEquations final : public StepEquations<S> {
 public:
  explicit RattlieEquations(MechanicalSystem<S>& mechanism);

  /// A step h from q (in `state`, at the origin of its chart) with velocities v of the bodies.
  template <class T>
  void begin(const State<T>& state, const T& h, const std::vector<T>& v) {
    copy_as(state.y, q_), copy_as(state.chart, chart_), copy_as(v, v_);
    begin_at(static_cast<S>(state.t), static_cast<S>(h));
  }
  int increment() const { return 0; }
  int first_multiplier() const { return n_; }
  int velocity() const { return n_ + m_; }
  int second_multiplier() const { return 2 * n_ + m_; }
  const std::vector<S>& position() const { return q_next_; }
  const std::vector<S>& chart() const { return chart_next_; }
  void settle(const S* x) { place(x); }

 protected:
  void residual(const S* x, S* r, S* jacobian) override;

 private:
  void find_mass();
  void begin_at(const S& t, const S& h);
  void place(const S* x);
  /// to = M x; to = R of the mechanism at rest there, in the frames of the bodies.
  void momentum(const S* x, S* to) const;
  void resting_force(const S& t, const std::vector<S>& q, const std::vector<S>& chart,
                     const S* h_lambda, S* to);
  void turn(const S* x);
  template <class Sink>
  void write(Sink& sink);

  MechanicalSystem<S>& mechanism_;
  BodyFrames<S> frames_;
  int n_, m_;
  Pattern mass_pattern_;  ///< of M in the frames of the bodies
  std::vector<S> mass_;
  S t_{}, h_{};
  std::vector<S> q_, chart_, v_, p_, zeros_;
  std::vector<S> q_next_, chart_next_, w_, back_, momentum_, moved_, space_, lambda_, force_;
  std::vector<S> start_gradient_, gradient_, position_, velocity_;
  BodyTurn<S> start_, plain_, columns_;
  BodyTurn<S> left_;  ///< T⁻¹(w), rows by columns
  BodyTurn<S> bend_;  ///< ∂(T⁻¹(h V) y)/∂V at y = M V
};

}  // namespace daemark
