// energy_momentum: the midpoint rule with discrete gradients of the potential U and of each
// constraint (Gonzalez 1999),
//
//   q₁ − q₀ = h v_{1/2},  M (v₁ − v₀) = h f(t_{1/2}, q_{1/2}, v_{1/2}) − h c_U Δ − h D̄Φᵀλ,
//   D̄F = ∇F(q_{1/2}) + c_F Δ,  c_F = (F(q₁) − F(q₀) − ∇F(q_{1/2})·Δ)/|Δ|²,  Δ = q₁ − q₀,
//   Φ(t₁, q₁) = 0
//
// so that D̄U·Δ = U(q₁) − U(q₀) and constraint forces do no work: without dampers and drives the
// energy stays to round-off, whatever the step. f is −∇U and what else acts, dampers at the
// midpoint; c_U takes −∇U as f at rest. Order 2, symmetric, not symplectic. Velocities are not put
// onto their constraint and stay beside it by terms of size h²; λ and accelerations at step ends
// come from the index-1 solve there. Departs from the paper: gradients in the coordinates, not in
// invariants of a symmetry, so that angular momentum is kept by the midpoint part alone (exactly
// for rows of second degree and potentials of first); |Δ| is Euclidean in the units of the
// coordinates. Rows that depend on time are taken at t_{1/2} in c_Φ.
#include "methods/geometric/energy_momentum.hpp"

#include "methods/catalogue/registry.hpp"
#include "methods/geometric/symmetry.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

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

class EnergyMomentum final : public MethodOf<EnergyMomentum>, public SymmetricStep {
 public:
  int cost_stages() const override { return 1; }
  int symmetric_order() const override { return 2; }
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
  std::optional<StatedOrders> stated_orders(int index) const override {
    if (index != 0 && index != 3) return std::nullopt;
    return StatedOrders{2, 2, 2, true, "observed: order 2, λ by the index-1 solve"};
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
