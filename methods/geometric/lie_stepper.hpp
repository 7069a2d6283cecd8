// Structural integrators on Lie groups: the equations of a step, and their stepper.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "methods/core/method.hpp"
#include "methods/geometric/step_equations.hpp"
#include "methods/stages/state_stepper.hpp"
#include "problems/geometry/body_frames.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

// Jacobian blocks over the coordinates of a chart as blocks over the frames of the bodies.

/// What column j of a rotation's three becomes: entry [rotation][k][j] is its share of column k.
template <class S>
using BodyTurn = std::vector<std::array<rotation::Vec3<S>, 3>>;

/// Columns of a rotation times the turn, others with the weight `plain`, or left out without one.
template <class S, class Sink>
void add_turned(Sink& sink, const BodyFrames<S>& frames, const Pattern& block,
                const std::vector<S>& values, const std::type_identity_t<S>* plain,
                const BodyTurn<S>& turn, int row, int column) {
  for (int e = 0; e < block.size(); ++e) {
    const auto [i, j] = block.entries[e];
    const int turned = frames.rotation_of(j);
    if (turned < 0) {
      if (plain) sink.add_one(row + i, column + j, S(values[e] * *plain));
      continue;
    }
    const int at = frames.first_of(turned);
    for (int k = 0; k < 3; ++k)
      sink.add_one(row + i, column + at + k, S(values[e] * turn[turned][k][j - at]));
  }
}

/// The transposed block, its rows turned and the rest with `weight`.
template <class S, class Sink>
void add_turned_transposed(Sink& sink, const BodyFrames<S>& frames, const Pattern& block,
                           const std::vector<S>& values, const S& weight, const BodyTurn<S>& turn,
                           int row, int column) {
  for (int e = 0; e < block.size(); ++e) {
    const auto [i, j] = block.entries[e];
    const int turned = frames.rotation_of(j);
    if (turned < 0) {
      sink.add_one(row + j, column + i, S(weight * values[e]));
      continue;
    }
    const int at = frames.first_of(turned);
    for (int k = 0; k < 3; ++k)
      sink.add_one(row + at + k, column + i, S(weight * values[e] * turn[turned][k][j - at]));
  }
}

/// to += blockᵀ x.
template <class S>
void add_transposed_product(const Pattern& block, const std::vector<S>& values, const S* x, S* to) {
  for (int e = 0; e < block.size(); ++e)
    to[block.entries[e].second] += values[e] * x[block.entries[e].first];
}

// One step of the structural integrators on Lie groups (problems/geometry/body_frames.hpp), with
// the acceleration a₊, the increment Δq = u and multipliers as unknowns:
//
//   u = u₀ + h c_w a₊ − B(q)ᵀη,  q₊ = q exp(h u),  v₊ = v₀ + h c_v a₊,  v̇₊ = d₀ + c_d a₊
//   M v̇₊ + Bᵀ(q₊) λ = f(t₊, q₊, v₊),  Φ(t₊, q₊) = 0,  and stabilised  B(q₊) v₊ + Φ_t = 0
//
// where η = 0 unless stabilised. Generalised-α and BLieDF are of this form: they differ in what is
// known. Velocities, accelerations and B are those of the frames of the bodies. Rows of positions
// are divided by h², of velocities by h.

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

// Steppers of the structural integrators on Lie groups (above): what is kept between
// steps in the frames of the bodies, and the change to the coordinates of the chart.

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
std::optional<KnownOrders> lie_orders(int index, const char* reason);

}  // namespace daemark
