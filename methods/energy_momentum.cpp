// energy_momentum: the midpoint rule with discrete gradients of the potential U and of each
// constraint (Gonzalez 1999),
//
//   q₁ − q₀ = h v_{1/2},  M (v₁ − v₀) = h f(t_{1/2}, q_{1/2}, v_{1/2}) − h c_U Δ − h D̄Φᵀλ,
//   D̄F = ∇F(q_{1/2}) + c_F Δ,  c_F = (F(q₁) − F(q₀) − ∇F(q_{1/2})·Δ)/|Δ|²,  Δ = q₁ − q₀,
//   Φ(t₁, q₁) = 0
//
// so that D̄U·Δ = U(q₁) − U(q₀) and constraint forces do no work: without dampers and drives the
// energy stays to round-off, whatever the step. f is −∇U and what else acts, dampers and loads that
// are laws of time at the midpoint; c_U takes −∇U·Δ as what f at rest does along Δ less what those
// loads do. Order 2, symmetric, not symplectic. Velocities are not put
// onto their constraint and stay beside it by terms of size h²; λ and accelerations at step ends
// come from the index-1 solve there. Departs from the paper: gradients in the coordinates, not in
// invariants of a symmetry, so that angular momentum is kept by the midpoint part alone (exactly
// for rows of second degree and potentials of first); |Δ| is Euclidean in the units of the
// coordinates. Rows that depend on time are taken at t_{1/2} in c_Φ.
#include "methods/catalogue/registry.hpp"
#include "methods/core/unit_dependence.hpp"
#include "methods/geometric/step_equations.hpp"
#include "methods/geometric/symmetry.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

// One step of the energy-momentum scheme; equations in methods/energy_momentum.cpp.
// Unknowns v₁ and h λ; rows of positions over h. The Newton matrix is that of the midpoint: what
// discrete gradients add is of size h² in it and left out.
template <class S>
class EnergyMomentumEquations final : public StepEquations<S> {
 public:
  explicit EnergyMomentumEquations(MechanicalSystem<S>& mechanism)
      : mechanism_(mechanism), n_(mechanism.coordinates()), m_(mechanism.constraints()) {
    for (std::vector<S>* x :
         {&q_, &v_, &q_next_, &q_middle_, &v_middle_, &change_, &force_, &difference_})
      x->assign(n_, S(0));
    zeros_.assign(std::max(n_, m_), S(0));
    lambda_.assign(m_, S(0)), position_ = begin_position_ = lambda_;
    mass_.assign(mechanism.mass_pattern().size(), S(0));
    residual_q_.assign(mechanism.residual_q_pattern().size(), S(0));
    residual_v_.assign(mechanism.residual_v_pattern().size(), S(0));
    gradient_.assign(mechanism.gradient_pattern().size(), S(0)), end_gradient_ = gradient_;
    PlaceSink sink;
    const S none(0);
    sink.add(mechanism.mass_pattern(), mass_, none, 0, 0);
    sink.add(mechanism.residual_q_pattern(), residual_q_, none, 0, 0);
    sink.add(mechanism.residual_v_pattern(), residual_v_, none, 0, 0);
    sink.add_transposed(mechanism.gradient_pattern(), gradient_, none, 0, n_);
    sink.add(mechanism.gradient_pattern(), end_gradient_, none, n_, 0);
    // The equations at the midpoint and the end; F and Φ of the discrete gradients at rest.
    this->lay_out(n_ + m_, sink.take(), {4, 1});
  }

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
  void residual(const S* x, S* r, S* jacobian) override {
    place(x);
    const S* const scaled = x + multiplier();
    for (int k = 0; k < m_; ++k) lambda_[k] = scaled[k] / h_;
    // R with v₁ − v₀ over h in the place of the acceleration, times h
    for (int k = 0; k < n_; ++k) difference_[k] = difference_[k] / h_;
    MotionValues<S> out;
    out.residual = r, out.gradient = gradient_.data();
    if (jacobian) {
      out.mass = mass_.data();
      out.residual_q = residual_q_.data(), out.residual_v = residual_v_.data();
    }
    mechanism_.evaluate(
        {middle_, q_middle_.data(), v_middle_.data(), difference_.data(), lambda_.data()}, {}, out);
    for (int k = 0; k < n_; ++k) r[k] = h_ * r[k];
    add_discrete_gradients(scaled, r);
    out = {};
    out.position = position_.data();
    if (jacobian) out.gradient = end_gradient_.data();
    mechanism_.evaluate({t_ + h_, q_next_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {},
                        out);
    for (int k = 0; k < m_; ++k) r[n_ + k] = position_[k] / h_;
    if (!jacobian) return;
    ValueSink<S> sink(jacobian);
    sink.add(mechanism_.mass_pattern(), mass_, S(1), 0, 0);
    sink.add(mechanism_.residual_q_pattern(), residual_q_, h_ * h_ / S(4), 0, 0);
    sink.add(mechanism_.residual_v_pattern(), residual_v_, h_ / S(2), 0, 0);
    sink.add_transposed(mechanism_.gradient_pattern(), gradient_, S(1), 0, n_);
    sink.add(mechanism_.gradient_pattern(), end_gradient_, S(0.5), n_, 0);
  }

 private:
  void begin_at(const S& t, const S& h) {
    t_ = t, h_ = h, middle_ = t + h / S(2);
    begin_potential_ = potential(q_);
    MotionValues<S> out;
    out.position = begin_position_.data();
    mechanism_.evaluate({middle_, q_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {}, out);
  }
  void place(const S* x) {
    end_position(x, q_next_.data());
    for (int k = 0; k < n_; ++k) {
      change_[k] = q_next_[k] - q_[k];
      q_middle_[k] = q_[k] + change_[k] / S(2);
      v_middle_[k] = (v_[k] + x[k]) / S(2);
      difference_[k] = x[k] - v_[k];
    }
  }
  S potential(const std::vector<S>& q) {
    const MotionPoint<S> point{middle_, q.data(), zeros_.data(), zeros_.data(), zeros_.data()};
    return mechanism_.potential_energy(point) - mechanism_.work(point);
  }
  /// Of loads that are laws of time, which are in f at rest and not in U, along the change. The
  /// power of dampers is even in the velocity, that of driven constraints does not depend on it.
  S work_of_loads() {
    if (!mechanism_.has_power()) return S(0);
    S work(0);
    for (const int sign : {1, -1}) {
      for (int k = 0; k < n_; ++k) difference_[k] = S(sign) * change_[k];
      work += S(sign) / S(2) *
              mechanism_.power(
                  {middle_, q_middle_.data(), difference_.data(), zeros_.data(), zeros_.data()});
    }
    return work;
  }
  /// What the discrete gradients of the potential and of each constraint have along the change of
  /// positions beyond the midpoint's: r += h (c_V + Σ (c_r λ_r)) Δ, c = (F(q₁) − F(q₀) −
  /// ∇F·Δ)/|Δ|².
  void add_discrete_gradients(const S* lambda, S* r) {
    S square(0), along(0), sum(0);
    for (int k = 0; k < n_; ++k) square += change_[k] * change_[k];
    if (square == 0) return;
    MotionValues<S> out;
    out.force = force_.data();
    mechanism_.evaluate({middle_, q_middle_.data(), zeros_.data(), zeros_.data(), zeros_.data()},
                        {}, out);
    for (int k = 0; k < n_; ++k) along += force_[k] * change_[k];
    sum = h_ * (potential(q_next_) - begin_potential_ + along - work_of_loads());
    out = {};
    out.position = position_.data();
    mechanism_.evaluate({middle_, q_next_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {},
                        out);
    for (int row = 0; row < m_; ++row) sum += lambda[row] * (position_[row] - begin_position_[row]);
    const auto& entries = mechanism_.gradient_pattern().entries;
    for (std::size_t e = 0; e < entries.size(); ++e)
      sum -= lambda[entries[e].first] * gradient_[e] * change_[entries[e].second];
    for (int k = 0; k < n_; ++k) r[k] += sum / square * change_[k];
  }

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  S t_{}, h_{}, middle_{}, begin_potential_{};
  std::vector<S> q_, v_, zeros_, begin_position_;
  std::vector<S> q_next_, q_middle_, v_middle_, change_, force_, difference_, lambda_, position_;
  std::vector<S> mass_, residual_q_, residual_v_, gradient_, end_gradient_;
};

template <class S>
class EnergyMomentumStepper final : public StateStepper<S> {
 public:
  EnergyMomentumStepper(const Target<S>& target, const Settings& settings)
      : StateStepper<S>(target), solver_(target, settings.newton) {}

 protected:
  StepReport advance(const S& h) override {
    const int n = this->n_, m = this->m_;
    const State<S>& from = this->state_;
    solver_.begin([&](auto& equations) { equations.begin(from, h); });
    ++this->counts_.residual_evals;  // Φ at the beginning
    S* const x = solver_.x();
    for (int k = 0; k < n; ++k) x[k] = from.y[n + k] + h * from.rate[n + k];
    for (int k = 0; k < m; ++k) x[n + k] = h * from.y[2 * n + k];
    const StepReport report = solver_.solve(this->counts_);
    if (report.status != Status::ok) return report;
    solver_.equations().end_position(x, this->next_.y.data());
    std::copy_n(x, n, this->next_.y.begin() + n);
    return {};
  }

 private:
  EquationSolver<EnergyMomentumEquations, S> solver_;
};

class EnergyMomentum final : public MethodOf<EnergyMomentum>,
                             public SymmetricStep,
                             public DependsOnUnit {
 public:
  int cost_stages() const override { return 1; }
  int symmetric_order() const override { return 2; }
  std::string depends_on_unit() const override {
    return "the length of the change in discrete gradients is Euclidean in the units of the "
           "coordinates";
  }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.flat) return refusals::flat_only;
    if (system.index != 0 && system.index != 3)
      return "its multipliers hold positions; accepted: index3, minimal";
    if (!system.second_order) return refusals::second_order_only;
    if (!system.constant_mass)
      return "its discrete energy is that of a mass that does not depend on positions; accepted: "
             "rattle, lobatto_iiia_iiib";
    if (system.velocity_rows > 0) return refusals::needs_positions;
    if (system.index > 0 && !system.full_rank) return refusals::redundant;
    return "";
  }
  std::optional<KnownOrders> known_orders(int index) const override {
    if (index != 0 && index != 3) return std::nullopt;
    return KnownOrders{2, 2, 2, true, "observed: order 2, λ by the index-1 solve"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<EnergyMomentumStepper<S>>(target, settings);
    return nullptr;
  }
};

}  // namespace

void register_energy_momentum(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "energy_momentum";
  info.kind = "energy conserving";
  info.summary = "midpoint rule with discrete gradients of potential and constraints";
  info.claims.order = 2;
  info.source = {"gonzalez1999", ""};
  registry.add(info, [](const Arguments&) { return std::make_shared<EnergyMomentum>(); });
}

}  // namespace daemark
