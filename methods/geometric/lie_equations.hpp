// One step of the structural integrators on Lie groups (problems/geometry/body_frames.hpp), with
// the acceleration a₊, the increment Δq = u and multipliers as unknowns:
//
//   u = u₀ + h c_w a₊ − B(q)ᵀη,  q₊ = q exp(h u),  v₊ = v₀ + h c_v a₊,  v̇₊ = d₀ + c_d a₊
//   M v̇₊ + Bᵀ(q₊) λ = f(t₊, q₊, v₊),  Φ(t₊, q₊) = 0,  and stabilised  B(q₊) v₊ + Φ_t = 0
//
// where η = 0 unless stabilised. Generalised-α and BLieDF are of this form: they differ in what is
// known. Velocities, accelerations and B are those of the frames of the bodies. Rows of positions
// are divided by h², of velocities by h.
#pragma once

#include "methods/geometric/step_equations.hpp"
#include "methods/geometric/turned_blocks.hpp"

namespace daemark {

/// What is known of a step: u₀, v₀, d₀, n entries each, and the coefficients of a₊.
template <class S>
struct LieKnown {
  std::vector<S> u, v, rate;
  S c_w, c_v, c_d;
};

template <class S>
class LieEquations final : public StepEquations<S> {
 public:
  LieEquations(MechanicalSystem<S>& mechanism, bool stabilised);

  /// A step h from q (in `state`, at the origin of its chart).
  template <class T>
  void begin(const State<T>& state, const T& h, const LieKnown<T>& known) {
    copy_as(state.y, q_), copy_as(state.chart, chart_);
    copy_as(known.u, u_), copy_as(known.v, v_), copy_as(known.rate, d_);
    c_w_ = static_cast<S>(known.c_w), c_v_ = static_cast<S>(known.c_v);
    c_d_ = static_cast<S>(known.c_d);
    begin_at(static_cast<S>(state.t), static_cast<S>(h));
  }
  int acceleration() const { return 0; }
  int increment() const { return n_; }
  int multiplier() const { return 2 * n_; }
  int stabiliser() const { return 2 * n_ + m_; }
  /// v₊ and v̇₊ of a solution, in the frames of the bodies, and where q₊ is.
  const std::vector<S>& velocity() const { return v_next_; }
  const std::vector<S>& velocity_rate() const { return d_next_; }
  const std::vector<S>& position() const { return q_next_; }
  const std::vector<S>& chart() const { return chart_next_; }
  /// Evaluates the solution once more, for the functions above.
  void settle(const S* x) { place(x); }

 protected:
  void residual(const S* x, S* r, S* jacobian) override;

 private:
  using Turn = BodyTurn<S>;

  void begin_at(const S& t, const S& h);
  void place(const S* x);
  void turn_columns();
  template <class Sink>
  void write(Sink& sink);

  MechanicalSystem<S>& mechanism_;
  BodyFrames<S> frames_;
  int n_, m_;
  bool stabilised_;
  S c_w_{}, c_v_{}, c_d_{}, t_{}, h_{};
  std::vector<S> q_, chart_, u_, v_, d_, zeros_;  ///< what is known
  std::vector<S> q_next_, chart_next_, v_next_, d_next_, w_, normal_, turned_, v_space_, d_space_;
  std::vector<S> position_, velocity_, start_gradient_;
  std::vector<S> mass_, residual_q_, residual_v_, gradient_, curvature_, ones_;
  Pattern identity_;
  Turn plain_;   ///< R: columns of rates
  Turn moved_;   ///< h R T(h u): columns of u in ∂/∂g
  Turn spun_;    ///< of ∂/∂ġ with u, the body's Ω held: ½ ε × ν
  Turn driven_;  ///< of ∂/∂g̈ with u, Ω̇ held: ½ ε × ν̇ + ½ (ε·ν) ν
  Turn sum_, start_;
};

}  // namespace daemark
