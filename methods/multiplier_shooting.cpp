// multiplier_shooting(inner, solver): the multipliers of a step as the unknowns of G(q_{n+1}(λ)) =
// 0 (Yang, Duan & Di 2006, eqs. 14-23).
//
//   q* = ψ(λ*), q̇* = φ(λ*)   by one step of `inner` on M q̈ = F − G_qᵀ λ*, λ* held over the step,
//   G(ψ(λ*), t_{n+1}) = 0     for λ*, starting from λ_n          (methods/multiplier/).
//
// With a classical inner method of order p ≥ 2: q of order min(p, 4) as observed, v 2, λ 1 against
// λ(t_{n+1}) and 2 against λ(t_n + h/2), since λ* is a mean over the step. The velocity constraint
// is not asked for and its violation changes sign from step to step, undamped (amplification −1).
//
// Departures: `inner` may be any Runge–Kutta method (the paper: four-stage classical, or one for
// stiff equations); further solvers; h_j of eq. 20, which is not printed, is probe (1 + |λ_j|);
// iterations end at |G| ≤ newton.tol; the first λ is that of the index-1 solve, not a given one,
// unless `start` names it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "methods/catalogue/registry.hpp"
#include "methods/multiplier/multiplier_solver.hpp"
#include "problems/formulations/held_multiplier.hpp"

namespace daemark {
namespace {

struct ShootingForm {
  std::shared_ptr<const Method> inner;
  MultiplierSolverKind solver;
  double probe;
  std::optional<double> start;  ///< of every multiplier, in the first step
};

template <class S>
class ShootingStepper final : public Stepper<S> {
 public:
  ShootingStepper(const ShootingForm& form, const Target<S>& target, const Settings& settings)
      : held_(*target.mechanism),
        factor_held_(*target.factor_mechanism),
        mechanism_(*target.mechanism),
        n_(target.mechanism->coordinates()),
        m_(target.mechanism->constraints()),
        first_(form.start),
        solver_(form.solver, m_, form.probe, settings.newton,
                [this](const S* lambda, S* g) { return sweep(lambda, g); }) {
    Target<S> free{&held_, nullptr, target.mechanism, target.factor_mechanism, nullptr};
    if constexpr (std::is_same_v<S, double>)
      free.factor_system = &held_;
    else
      free.factor_system = &factor_held_;
    inner_ = form.inner->stepper(free, settings);
    inner_state_.y.resize(2 * n_), inner_state_.rate.resize(2 * n_);
    lambda_.resize(m_);
    if (mechanism_.velocity_rows() > 0) rates_.resize(m_);
  }

  void start(const State<S>& initial, const S& h) override {
    state_ = next_ = initial;
    this->step_size_ = h_ = h;
    clock_.start(initial.t, h);
    fresh_ = true;
  }

  StepReport attempt(const S& h) override {
    clock_.change(state_.t, h);
    h_ = h;
    std::copy_n(state_.y.begin(), 2 * n_, inner_state_.y.begin());
    inner_state_.t = state_.t;
    for (int i = 0; i < m_; ++i) lambda_[i] = fresh_ && first_ ? S(*first_) : state_.y[2 * n_ + i];
    const StepReport report = solver_.solve(lambda_.data(), this->counts_);
    if (report.status != Status::ok) {
      ++this->counts_.failed_solves;
      return report;
    }
    const State<S>& end = inner_->candidate();  // the last sweep is at the multipliers found
    std::copy(end.y.begin(), end.y.end(), next_.y.begin());
    std::copy(lambda_.begin(), lambda_.end(), next_.y.begin() + 2 * n_);
    std::copy(end.rate.begin(), end.rate.end(), next_.rate.begin());
    for (int i = 0; i < m_; ++i) next_.rate[2 * n_ + i] = S(0);
    next_.t = clock_.next();
    for (const S& y : next_.y)
      if (!std::isfinite(to_double(y))) return {Status::not_finite, "the state is not finite"};
    return {};
  }
  State<S>& candidate() override { return next_; }
  void accept() override {
    std::swap(state_, next_);
    fresh_ = false;
    clock_.advance();
    ++this->counts_.steps;
  }
  const State<S>& state() const override { return state_; }

  /// q, v, λ.
  std::vector<S> memory() const override { return state_.y; }
  void set_memory(const std::vector<S>& memory) override {
    state_.y = memory;
    fresh_ = false;
    held_.hold(state_.y.data() + 2 * n_);
    held_.explicit_rates(state_.y.data(), state_.rate.data(), state_.t, nullptr);
  }

 private:
  /// Eqs. 14-17: one step of the inner method with these multipliers, and G at its end; of a row of
  /// velocities (h/2) Φ̇, which depends on λ as Φ does, −(h²/2) G M⁻¹ Gᵀ, so that ∂G/∂λ stays nearly
  /// symmetric.
  StepReport sweep(const S* lambda, S* g) {
    held_.hold(lambda);
    factor_held_.hold(lambda);
    const Counts before = inner_->counts();
    ++this->counts_.inner_sweeps;
    // A step of the inner method begins with the rates that belong to these multipliers.
    if (!held_.explicit_rates(inner_state_.y.data(), inner_state_.rate.data(), inner_state_.t,
                              nullptr))
      return {Status::singular_matrix, "the mass matrix is singular"};
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    inner_->start(inner_state_, h_);
    const StepReport report = inner_->attempt(h_);
    this->counts_.add_work(inner_->counts(), before);
    if (report.status != Status::ok) return report;
    const State<S>& end = inner_->candidate();
    ++this->counts_.residual_evals;
    MotionValues<S> out;
    out.position = g;
    if (!rates_.empty()) out.velocity = rates_.data();
    mechanism_.evaluate({end.t, end.y.data(), end.y.data() + n_, nullptr, nullptr, nullptr}, {},
                        out);
    for (std::size_t row = 0; row < rates_.size(); ++row)
      if (mechanism_.row_level(static_cast<int>(row)) == RowLevel::velocity)
        g[row] = h_ / S(2) * rates_[row];
    return {};
  }

  HeldMultiplierSystem<S> held_;
  HeldMultiplierSystem<FactorScalar<S>> factor_held_;
  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  std::optional<double> first_;
  bool fresh_ = true;
  MultiplierSolver<S> solver_;
  std::unique_ptr<Stepper<S>> inner_;
  State<S> state_, next_, inner_state_;
  std::vector<S> lambda_, rates_;  ///< rates_: Φ̇, where some rows are of velocities
  S h_{};
  StepClock<S> clock_;
};

class ShootingMethod final : public MethodOf<ShootingMethod> {
 public:
  explicit ShootingMethod(ShootingForm form) : form_(std::move(form)) {}

  int cost_stages() const override { return form_.inner->cost_stages(); }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.flat) return refusals::flat_only;
    if (form_.solver == MultiplierSolverKind::secant && system.constraints > 1)
      return fmt::format(
          "secant solves for one multiplier, not {}; accepted: broyden, broyden_fd, newton",
          system.constraints);
    if (system.index == 3) return "";
    return "the multipliers follow from the position constraints alone; accepted: " +
           formulation_ids([](const FormulationInfo& info) { return info.index == 3; });
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<ShootingStepper<S>>(form_, target, settings);
    return nullptr;
  }

 private:
  ShootingForm form_;
};

ShootingForm form_of(const Arguments& arguments) {
  ShootingForm form;
  const Call& inner = arguments.call("inner");
  form.inner = method_registry().make(inner.text());
  if (!form.inner->tableau())
    throw BadInput(fmt::format(
        "multiplier_shooting: inner = {} is not accepted: a Runge–Kutta method", inner.text()));
  const std::string solver = arguments.word("solver", multiplier_solver_names());
  const auto& names = multiplier_solver_names();
  form.solver = static_cast<MultiplierSolverKind>(std::find(names.begin(), names.end(), solver) -
                                                  names.begin());
  form.probe = arguments.real("probe").eval<double>();
  if (!(form.probe > 0 && form.probe <= 1))
    throw BadInput(fmt::format("multiplier_shooting: probe = {} is not accepted: real in (0, 1]",
                               arguments.real("probe").text()));
  if (arguments.given("start")) {
    form.start = arguments.real("start").eval<double>();
    if (!std::isfinite(*form.start))
      throw BadInput("multiplier_shooting: start is not finite, accepted: a real number");
  }
  return form;
}

}  // namespace

void register_multiplier_shooting(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "multiplier_shooting";
  info.kind = "multiplier";
  info.summary = "multipliers of a step from the position constraints at its end";
  info.parameters = {
      {"inner", Type::call, "erk4", "a Runge–Kutta method"},
      {"solver", Type::word, "broyden",
       fmt::format("{}", fmt::join(multiplier_solver_names(), " | "))},
      {"probe", Type::real, "1/10000", "real in (0, 1]: h_j of eq. 20 over 1 + |lambda_j|"},
      {"start", Type::real, "", "real: first guess of every multiplier; default: the index-1 solve",
       true}};
  info.examples = {"multiplier_shooting(erk4)", "multiplier_shooting(erk4,broyden_fd)",
                   "multiplier_shooting(erk4,newton)", "multiplier_shooting(gauss(2))"};
  info.source = {"yang2006", "eqs. 14-23"};
  registry.add(info, [](const Arguments& arguments) {
    return std::make_shared<ShootingMethod>(form_of(arguments));
  });
}

}  // namespace daemark
