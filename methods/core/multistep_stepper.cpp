#include "methods/core/multistep_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/core/collocation.hpp"
#include "methods/core/flat_multistep.hpp"
#include "methods/core/point_history.hpp"
#include "methods/core/runge_kutta_stepper.hpp"

namespace daemark {
namespace {

/// α_j (j = 1..k) and β_j (j = 0..k) of the header, in the arithmetic of the run.
template <class S>
struct Formula {
  std::vector<S> alpha, beta;
  int steps() const { return static_cast<int>(alpha.size()); }
};

template <class S>
Formula<S> formula_in(const ExactMultistep& exact) {
  using C = std::conditional_t<is_exact<S>, rational, wide>;  // divided before it is rounded
  const auto narrow = [](const C& x) {
    if constexpr (is_exact<S>) return x;
    else return from_wide<S>(x);
  };
  const int k = static_cast<int>(exact.alpha.size()) - 1;
  const C leading = exact.alpha[k].eval<C>();
  Formula<S> f;
  for (int j = 0; j <= k; ++j) {
    if (j > 0) f.alpha.push_back(narrow(C(-exact.alpha[k - j].eval<C>() / leading)));
    f.beta.push_back(narrow(C(exact.beta[k - j].eval<C>() / leading)));
  }
  return f;
}

template <class S>
S rounded(const rational& x) {
  if constexpr (is_exact<S>) return x;
  else return from_wide<S>(static_cast<wide>(x));
}

bool is_rational(const ExactMultistep& formula) {
  const auto all = [](const std::vector<Expression>& list) {
    return std::all_of(list.begin(), list.end(), [](const Expression& e) { return e.is_rational(); });
  };
  return all(formula.alpha) && all(formula.beta);
}

/// One equation y = base + (hβ_0) ẏ per step: what the two kinds of stepper share.
template <class S>
class OneStageStepper : public Stepper<S> {
 public:
  OneStageStepper(SystemPair<S> pair, const Settings& settings, int depth)
      : pair_(pair),
        lists_(*pair.system),
        history_(*pair.system, lists_, depth, settings.predictor),
        // B = 1 and the step hβ_0: one system serves every formula of the start, exactly in S.
        stage_(pair, {{wide(1)}}, settings.newton) {
    state_components_ = lists_.differential;
    for (const auto& [c, source] : lists_.integral) state_components_.push_back(c);
  }

  void start(const State<S>& initial, const S& h) override {
    state_ = initial;
    t0_ = initial.t;
    step_index_ = 0;
    h_ = h;
    history_.restart(initial);
  }
  const State<S>& state() const override { return state_; }

 protected:
  S next_time() const { return t0_ + S(static_cast<double>(step_index_ + 1)) * h_; }

  /// Solves with the base filled in; on success the stage holds the next point.
  StepReport solve(const S& beta0) {
    stage_.time(0) = next_time();
    history_.guess(h_, stage_.y(0), stage_.rate(0));
    const StepReport report = stage_.solve(S(h_ * beta0), this->counts_);
    if (report.status != Status::ok) return report;
    return finite(stage_.y(0));
  }
  StepReport finite(const S* y) const {
    if constexpr (!is_exact<S>)
      for (int c : state_components_)
        if (!std::isfinite(to_double(y[c]))) return {Status::not_finite, "the state is not finite"};
    return {};
  }
  void accept(const S* y, const S* rate) {
    history_.push(y, rate);
    state_.t = next_time();
    std::copy_n(y, state_.y.size(), state_.y.begin());
    std::copy_n(rate, state_.rate.size(), state_.rate.begin());
    ++step_index_;
    ++this->counts_.steps;
  }
  void show_newest() {
    state_.y.assign(history_.y(0), history_.y(0) + pair_.system->size());
    state_.rate.assign(history_.rate(0), history_.rate(0) + pair_.system->size());
  }

  SystemPair<S> pair_;
  ComponentLists lists_;
  std::vector<int> state_components_;
  PointHistory<S> history_;
  StageSystem<S> stage_;
  State<S> state_;
  S h_{}, t0_{};
  long step_index_ = 0;
};

template <class S>
class MultistepStepper final : public OneStageStepper<S> {
 public:
  MultistepStepper(const MultistepForm& form, SystemPair<S> pair, const Settings& settings)
      : OneStageStepper<S>(pair, settings, static_cast<int>(form.formula.alpha.size()) - 1),
        formula_(formula_in<S>(form.formula)) {
    const int k = formula_.steps();
    for (int m = 1; m < k; ++m)
      lower_.push_back(formula_in<S>(settings.start == Start::trapezoidal
                                         ? flat_multistep(1, 1)
                                         : form.lower[m - 1]));
    if constexpr (!is_exact<S>) {
      if (settings.start != Start::radau_iia || k == 1) return;
      const int stages = std::max(2, (k + 2) / 2);  // order 2s − 1 ≥ k
      const RungeKuttaForm radau{daemark::radau_iia(stages), true};
      starter_ = std::make_unique<RungeKuttaStepper<S>>(radau, pair, settings);
    }
  }

  void start(const State<S>& initial, const S& h) override {
    OneStageStepper<S>::start(initial, h);
    if (starter_) starter_->start(initial, h);
  }

  StepReport step() override {
    const int points = history_.filled();
    if (points < formula_.steps() && starter_) return first_step();
    const Formula<S>& f = points < formula_.steps() ? lower_[points - 1] : formula_;
    S* base = stage_.base(0);
    for (int c : this->state_components_) base[c] = S(0);
    for (int j = 0; j < f.steps(); ++j) {
      const S& alpha = f.alpha[j];
      const S h_beta = this->h_ * f.beta[j + 1];
      const S *y = history_.y(j), *rate = history_.rate(j);
      for (int c : this->state_components_) base[c] += alpha * y[c] + h_beta * rate[c];
    }
    const StepReport report = this->solve(f.beta[0]);
    if (report.status == Status::ok) this->accept(stage_.y(0), stage_.rate(0));
    return report;
  }

  std::vector<S> memory() const override {
    std::vector<S> m;
    history_.append_to(m);
    return m;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    history_.take_from(from);
    this->show_newest();
    if (starter_ && history_.filled() < formula_.steps()) starter_->start(this->state_, this->h_);
  }

 private:
  /// A step of the one-step method, its cost added to this stepper's.
  StepReport first_step() {
    const Counts before = starter_->counts();
    const StepReport report = starter_->step();
    const Counts& after = starter_->counts();
    Counts& c = this->counts_;
    c.newton_iterations += after.newton_iterations - before.newton_iterations;
    c.residual_evals += after.residual_evals - before.residual_evals;
    c.jacobian_evals += after.jacobian_evals - before.jacobian_evals;
    c.factorizations += after.factorizations - before.factorizations;
    c.floor_stops += after.floor_stops - before.floor_stops;
    if (report.status != Status::ok) return report;
    this->accept(starter_->state().y.data(), starter_->state().rate.data());
    return {};
  }

  using OneStageStepper<S>::history_;
  using OneStageStepper<S>::stage_;
  Formula<S> formula_;
  std::vector<Formula<S>> lower_;
  std::unique_ptr<Stepper<S>> starter_;
};

template <class S>
class SingleStepStepper final : public OneStageStepper<S> {
 public:
  SingleStepStepper(int n, const rational& rho, SystemPair<S> pair, const Settings& settings)
      : OneStageStepper<S>(pair, settings, 1),
        rho_(rounded<S>(rho)),
        complement_(rounded<S>(rational(1 - rho))),
        sum_(rounded<S>(rational(1 + rho))) {
    rational gain = 0, power = 1;  // Σ q_{j+1} (1−ρ)^j
    for (const rational& q : flat_polynomial(n)) {
      q_.push_back(rounded<S>(q));
      gain += q * power;
      power *= 1 - rho;
    }
    gain_ = rounded<S>(gain);
    beta0_ = rounded<S>(rational(1 / ((1 + rho) * gain)));
    z_.assign(n - 1, std::vector<S>(pair.system->size(), S(0)));
    next_ = z_;
    level_.resize(n), newer_.resize(n);
  }

  void start(const State<S>& initial, const S& h) override {
    OneStageStepper<S>::start(initial, h);
    for (auto& z : z_) z.assign(z.size(), S(0));
  }

  StepReport step() override {
    S* base = this->stage_.base(0);
    const S *y = this->history_.y(0), *rate = this->history_.rate(0);
    for (int c : this->state_components_) {
      // z_j = (1−ρ)^j U_n + e_j with U_n = (ẏ_n − Σ q_{j+1} e_j)/gain.
      const S known = known_parts(c, rate);
      base[c] = y[c] + this->h_ * (rho_ * level_[0] - known / gain_) / sum_;
    }
    const StepReport report = this->solve(beta0_);
    if (report.status != Status::ok) return report;
    update_auxiliary(rate, this->stage_.rate(0));
    this->accept(this->stage_.y(0), this->stage_.rate(0));
    return {};
  }

  std::vector<S> memory() const override {
    std::vector<S> m;
    this->history_.append_to(m);
    for (const auto& z : z_)
      for (int c : this->state_components_) m.push_back(z[c]);
    return m;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    this->history_.take_from(from);
    this->show_newest();
    for (auto& z : z_)
      for (int c : this->state_components_) z[c] = *from++;
  }

 private:
  /// Fills level_ = (U, z_1, …) of the last point and newer_ = e_j; returns Σ q_{j+1} e_j.
  S known_parts(int c, const S* rate) {
    const std::size_t n = q_.size();
    level_[0] = rate[c];
    for (std::size_t j = 1; j < n; ++j) {
      level_[j] = z_[j - 1][c];
      level_[0] -= q_[j] * level_[j];
    }
    newer_[0] = S(0);
    S known(0);
    for (std::size_t j = 1; j < n; ++j) {
      newer_[j] = complement_ * (newer_[j - 1] - level_[j - 1]) - rho_ * level_[j];
      known += q_[j] * newer_[j];
    }
    return known;
  }

  void update_auxiliary(const S* old_rate, const S* new_rate) {
    for (int c : this->state_components_) {
      const S known = known_parts(c, old_rate);
      S share = (new_rate[c] - known) / gain_;
      for (std::size_t j = 1; j < q_.size(); ++j) {
        share *= complement_;
        next_[j - 1][c] = share + newer_[j];
      }
    }
    std::swap(z_, next_);
  }

  S rho_, complement_, sum_, gain_{}, beta0_{};
  std::vector<S> q_;                 ///< of Q(w)
  std::vector<std::vector<S>> z_, next_;  ///< [j − 1][component]
  std::vector<S> level_, newer_;     ///< of one component
};

/// What both kinds answer alike.
class OneStageMethod : public Method {
 public:
  int cost_stages() const override { return 1; }
  std::string refusal(int) const override { return ""; }
};

class MultistepMethod final : public OneStageMethod {
 public:
  explicit MultistepMethod(MultistepForm form) : form_(std::move(form)) {
    rational_ = is_rational(form_.formula);
    for (const ExactMultistep& lower : form_.lower) rational_ = rational_ && is_rational(lower);
  }
  std::unique_ptr<Stepper<double>> stepper(SystemPair<double> p, const Settings& s) const override {
    return std::make_unique<MultistepStepper<double>>(form_, p, s);
  }
  std::unique_ptr<Stepper<quad>> stepper(SystemPair<quad> p, const Settings& s) const override {
    return std::make_unique<MultistepStepper<quad>>(form_, p, s);
  }
  std::unique_ptr<Stepper<real50>> stepper(SystemPair<real50> p, const Settings& s) const override {
    return std::make_unique<MultistepStepper<real50>>(form_, p, s);
  }
  std::unique_ptr<Stepper<rational>> stepper(SystemPair<rational> p,
                                             const Settings& s) const override {
    if (!rational_) return nullptr;
    return std::make_unique<MultistepStepper<rational>>(form_, p, s);
  }
  std::optional<ExactMultistep> exact_multistep() const override { return form_.formula; }
  int least_steps() const override { return static_cast<int>(form_.formula.alpha.size()) - 1; }

 private:
  MultistepForm form_;
  bool rational_ = true;
};

class SingleStepMethod final : public OneStageMethod {
 public:
  SingleStepMethod(int n, rational rho) : n_(n), rho_(std::move(rho)) {}
  std::unique_ptr<Stepper<double>> stepper(SystemPair<double> p, const Settings& s) const override {
    return std::make_unique<SingleStepStepper<double>>(n_, rho_, p, s);
  }
  std::unique_ptr<Stepper<quad>> stepper(SystemPair<quad> p, const Settings& s) const override {
    return std::make_unique<SingleStepStepper<quad>>(n_, rho_, p, s);
  }
  std::unique_ptr<Stepper<real50>> stepper(SystemPair<real50> p, const Settings& s) const override {
    return std::make_unique<SingleStepStepper<real50>>(n_, rho_, p, s);
  }
  std::unique_ptr<Stepper<rational>> stepper(SystemPair<rational> p,
                                             const Settings& s) const override {
    return std::make_unique<SingleStepStepper<rational>>(n_, rho_, p, s);
  }
  /// The formula with the same characteristic polynomial.
  std::optional<ExactMultistep> exact_multistep() const override {
    return flat_multistep(n_, rho_);
  }

 private:
  int n_;
  rational rho_;
};

}  // namespace

std::shared_ptr<const Method> multistep_method(MultistepForm form) {
  if (form.formula.beta.back().eval<wide>() == 0)
    throw BadInput(fmt::format("multistep formula {}: beta_k is 0, accepted: implicit formulas",
                               form.formula.id));
  return std::make_shared<MultistepMethod>(std::move(form));
}

std::shared_ptr<const Method> single_step_method(int n, const rational& rho) {
  return std::make_shared<SingleStepMethod>(n, rho);
}

}  // namespace daemark
