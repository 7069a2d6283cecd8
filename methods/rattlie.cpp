// rattlie: the variational integrator of RATTLE's kind on Lie groups (Hante & Arnold 2021),
// Rᵏ × SO(3)ᵏ for mechanisms with rotations.
//
// Order 2, symplectic, positions and velocities on the constraints; the two λ of a step are of
// order 1, λ and accelerations at step ends come from the index-1 solve there. On Rⁿ with constant
// M it is rattle. Takes mechanisms whose mass is constant in the frames of the bodies and whose
// forces depend on velocities by gyroscopic moments alone. Departs from the paper: direct products
// Rᵏ × SO(3)ᵏ only; the equations are those of the authors' code of the same name, the paper could
// not be read.
#include "base/numbers/jet.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/lie_stepper.hpp"

namespace daemark {
namespace {

using rotation::combine;
using rotation::Vec3;
using rotation::vector;

// One step of RATTLie (Hante & Arnold 2021) in the frames of the bodies; p = M v, M constant there,
// w = h V, T⁻¹ of problems/geometry/body_frames.hpp, T⁻ᵀ(−w) = T⁻¹(w):
//
//   T⁻¹(w) M V = p₀ + h/2 f(q₀) − h/2 B(q₀)ᵀλ⁺,    q₁ = q₀ exp(w),   Φ(t₁, q₁) = 0
//   M v₁ = T⁻¹(−w) M V + h/2 f(q₁) − h/2 B(q₁)ᵀλ⁻,  B(q₁) v₁ + Φ_t = 0
//
// f without velocities: T⁻¹ makes the gyroscopic moments. Unknowns: V, h λ⁺, v₁, h λ⁻; the second
// pair of rows follows from the first, and what it has of V is left out of the Newton matrix.
template <class S>
class RattlieEquations final : public StepEquations<S> {
 public:
  explicit RattlieEquations(MechanicalSystem<S>& mechanism)
      : mechanism_(mechanism),
        frames_(mechanism),
        n_(mechanism.coordinates()),
        m_(mechanism.constraints()) {
    for (std::vector<S>* x :
         {&q_, &v_, &p_, &q_next_, &w_, &back_, &momentum_, &moved_, &space_, &force_})
      x->assign(n_, S(0));
    chart_.assign(mechanism.chart_size(), S(0)), chart_next_ = chart_;
    zeros_.assign(std::max(n_, m_), S(0));
    lambda_.assign(m_, S(0)), position_ = velocity_ = lambda_;
    start_gradient_.assign(mechanism.gradient_pattern().size(), S(0)), gradient_ = start_gradient_;
    for (BodyTurn<S>* turn : {&start_, &plain_, &columns_, &left_, &bend_})
      turn->resize(mechanism.rotations().size());
    find_mass();
    PlaceSink sink;
    write(sink);
    // Forces at rest, at the beginning and the end, and constraints there; forces are not derived.
    this->lay_out(2 * n_ + 2 * m_, sink.take(), {3, 0});
  }

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
  void residual(const S* x, S* r, S* jacobian) override {
    place(x);
    momentum(x + increment(), momentum_.data());
    const S half = h_ / S(2);
    frames_.tangent_inverse(w_.data(), momentum_.data(), moved_.data());
    resting_force(t_, q_, chart_, x + first_multiplier(), force_.data());
    for (int k = 0; k < n_; ++k) r[k] = moved_[k] - p_[k] + half * force_[k];
    const S* const v = x + velocity();
    S* const end = r + velocity();
    momentum(v, end);
    frames_.tangent_inverse(back_.data(), momentum_.data(), moved_.data());
    resting_force(t_ + h_, q_next_, chart_next_, x + second_multiplier(), force_.data());
    for (int k = 0; k < n_; ++k) end[k] += half * force_[k] - moved_[k];
    frames_.to_space(chart_next_.data(), v, space_.data());
    MotionValues<S> out;
    out.position = position_.data(), out.velocity = velocity_.data();
    if (jacobian) out.gradient = gradient_.data();
    mechanism_.evaluate(
        {t_ + h_, q_next_.data(), space_.data(), zeros_.data(), zeros_.data(), chart_next_.data()},
        {}, out);
    for (int k = 0; k < m_; ++k) r[first_multiplier() + k] = position_[k] / h_;
    std::copy(velocity_.begin(), velocity_.end(), r + second_multiplier());
    if (!jacobian) return;
    turn(x);
    ValueSink<S> sink(jacobian);
    write(sink);
  }

 private:
  /// M in the frames of the bodies, column by column of its pattern at the start.
  void find_mass() {
    std::vector<S> v(n_), mass(mechanism_.mass_pattern().size());
    mechanism_.initial(q_.data(), v.data());
    mechanism_.initial_chart(chart_.data());
    for (int j = 0; j < n_; ++j)
      if (frames_.rotation_of(j) >= 0) q_[j] = S(0);
    MotionValues<S> out;
    out.mass = mass.data();
    mechanism_.evaluate({S(0), q_.data(), v.data(), zeros_.data(), zeros_.data(), chart_.data()},
                        {}, out);
    for (std::size_t r = 0; r < start_.size(); ++r)
      start_[r] = frames_.axes(chart_.data(), static_cast<int>(r));
    // Columns turned, then rows.
    const S one(1);
    PlaceSink columns;
    add_turned(columns, frames_, mechanism_.mass_pattern(), mass, &one, start_, 0, 0);
    Pattern turned{n_, n_, columns.take()};
    std::vector<S> values(turned.size());
    ValueSink<S> column_values(values.data());
    add_turned(column_values, frames_, mechanism_.mass_pattern(), mass, &one, start_, 0, 0);
    for (auto& [row, column] : turned.entries) std::swap(row, column);
    PlaceSink places;
    add_turned_transposed(places, frames_, turned, values, one, start_, 0, 0);
    const auto all = places.take();
    std::vector<S> sums(all.size());
    ValueSink<S> sink(sums.data());
    add_turned_transposed(sink, frames_, turned, values, one, start_, 0, 0);
    PatternBuilder builder;
    for (std::size_t e = 0; e < all.size(); ++e) {
      const std::size_t at = builder.add(all[e].first, all[e].second);
      if (at == mass_.size()) mass_.push_back(S(0));
      mass_[at] += sums[e];
    }
    mass_pattern_ = builder.pattern(n_, n_);
  }
  void begin_at(const S& t, const S& h) {
    t_ = t, h_ = h;
    for (int j = 0; j < n_; ++j)
      if (frames_.rotation_of(j) >= 0) q_[j] = S(0);
    for (std::size_t r = 0; r < start_.size(); ++r)
      start_[r] = frames_.axes(chart_.data(), static_cast<int>(r));
    momentum(v_.data(), p_.data());
    MotionValues<S> out;
    out.gradient = start_gradient_.data();
    mechanism_.evaluate({t, q_.data(), zeros_.data(), zeros_.data(), zeros_.data(), chart_.data()},
                        {}, out);
  }
  void place(const S* x) {
    for (int k = 0; k < n_; ++k) w_[k] = h_ * x[increment() + k], back_[k] = -w_[k];
    frames_.move(q_.data(), chart_.data(), w_.data(), q_next_.data(), chart_next_.data());
  }
  /// to = M x; to = R of the mechanism at rest there, in the frames of the bodies.
  void momentum(const S* x, S* to) const {
    std::fill_n(to, n_, S(0));
    for (int e = 0; e < mass_pattern_.size(); ++e)
      to[mass_pattern_.entries[e].first] += mass_[e] * x[mass_pattern_.entries[e].second];
  }
  /// Gᵀλ − f at v = 0.
  void resting_force(const S& t, const std::vector<S>& q, const std::vector<S>& chart,
                     const S* h_lambda, S* to) {
    for (int k = 0; k < m_; ++k) lambda_[k] = h_lambda[k] / h_;
    MotionValues<S> out;
    out.residual = space_.data();
    mechanism_.evaluate({t, q.data(), zeros_.data(), zeros_.data(), lambda_.data(), chart.data()},
                        {}, out);
    frames_.to_body(chart.data(), space_.data(), to);
  }
  void turn(const S* x) {
    using D = Dual<S, 3>;
    const int terms = rotation::series_terms<S>();
    for (std::size_t r = 0; r < plain_.size(); ++r) {
      const int at = frames_.first_of(static_cast<int>(r));
      plain_[r] = frames_.axes(chart_next_.data(), static_cast<int>(r));
      const Vec3<S> w = vector(&w_[at]);
      Vec3<D> moving;
      for (int k = 0; k < 3; ++k) {
        moving[k] = D(S(h_ * x[increment() + at + k]));
        moving[k].grad[k] = h_;
      }
      const Vec3<D> bent =
          rotation::tangent_inverse(moving, rotation::constant<D>(vector(&momentum_[at])), terms);
      for (int k = 0; k < 3; ++k) {
        Vec3<S> unit{S(0), S(0), S(0)};
        unit[k] = S(1);
        const Vec3<S> delta = rotation::tangent(w, unit, terms);
        columns_[r][k] = combine(S(1), combine(delta[0], plain_[r][0], delta[1], plain_[r][1]),
                                 delta[2], plain_[r][2]);
        const Vec3<S> column = rotation::tangent_inverse(w, unit, terms);
        for (int i = 0; i < 3; ++i) left_[r][i][k] = column[i], bend_[r][i][k] = bent[i].grad[k];
      }
    }
  }
  template <class Sink>
  void write(Sink& sink) {
    const Pattern& g = mechanism_.gradient_pattern();
    const int V = increment(), plus = first_multiplier(), v = velocity(),
              minus = second_multiplier();
    const S half(0.5), one(1);
    // T⁻¹(h V) M V: rows of M turned, and what T⁻¹ itself varies by
    add_turned_transposed(sink, frames_, mass_pattern_, mass_, one, left_, 0, V);  // M = Mᵀ
    for (std::size_t r = 0; r < bend_.size(); ++r) {
      const int at = frames_.first_of(static_cast<int>(r));
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) sink.add_one(at + i, V + at + k, bend_[r][i][k]);
    }
    add_turned_transposed(sink, frames_, g, start_gradient_, half, start_, 0, plus);
    add_turned(sink, frames_, g, gradient_, &one, columns_, plus, V);
    sink.add(mass_pattern_, mass_, one, v, v);
    add_turned_transposed(sink, frames_, g, gradient_, half, plain_, v, minus);
    add_turned(sink, frames_, g, gradient_, &one, plain_, minus, v);
  }

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

template <class S>
class RattlieStepper final : public StateStepper<S> {
 public:
  RattlieStepper(const Target<S>& target, const Settings& settings)
      : StateStepper<S>(target),
        frames_(*target.mechanism),
        solver_(target, settings.newton),
        v_(this->n_, S(0)),
        rate_(v_) {}

 protected:
  StepReport advance(const S& h) override {
    const int n = this->n_, m = this->m_;
    const State<S>& from = this->state_;
    State<S>& to = this->next_;
    frames_.to_body(from.chart.data(), from.y.data() + n, v_.data());
    frames_.to_body(from.chart.data(), from.rate.data() + n, rate_.data());
    solver_.begin([&](auto& equations) { equations.begin(from, h, v_); });
    RattlieEquations<S>& step = solver_.equations();
    S* const x = solver_.x();
    for (int k = 0; k < n; ++k) {
      x[step.increment() + k] = v_[k] + h * rate_[k] / S(2);
      x[step.velocity() + k] = v_[k] + h * rate_[k];
    }
    for (int k = 0; k < m; ++k)
      x[step.first_multiplier() + k] = x[step.second_multiplier() + k] = h * from.y[2 * n + k];
    const StepReport report = solver_.solve(this->counts_);
    if (report.status != Status::ok) return report;
    step.settle(x);
    std::copy_n(x + step.velocity(), n, v_.begin());
    frames_.to_chart(from.chart.data(), step.position().data(), step.chart().data(), v_.data(),
                     rate_.data(), to.y.data(), to.y.data() + n, to.rate.data() + n);
    return {};
  }

 private:
  BodyFrames<S> frames_;
  EquationSolver<RattlieEquations, S> solver_;
  std::vector<S> v_, rate_;
};

class Rattlie final : public MethodOf<Rattlie> {
 public:
  int cost_stages() const override { return 2; }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (system.index == 2)
      return "it holds positions and velocities by itself; accepted: index3, minimal";
    if (const std::string why = lie_refusal(system); !why.empty()) return why;
    if (!system.rigid_inertia)
      return "it needs a mass that is constant in the frames of the bodies and forces without "
             "velocities; accepted: rattle, lie_generalized_alpha";
    return "";
  }
  std::optional<KnownOrders> known_orders(int index) const override {
    if (index != 0 && index != 3) return std::nullopt;
    return KnownOrders{2, 2, 2, true, "observed: order 2, λ is a function of the state"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<RattlieStepper<S>>(target, settings);
    return nullptr;
  }
};

}  // namespace

void register_rattlie(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "rattlie";
  info.kind = "Lie group";
  info.summary = "RATTLie: variational integrator of RATTLE's kind on Lie groups";
  info.claims.order = 2;
  info.claims.symplectic = true;
  info.source = {"hante2021", ""};
  registry.add(info, [](const Arguments&) { return std::make_shared<Rattlie>(); });
}

}  // namespace daemark
