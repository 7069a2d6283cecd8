#include "methods/multistep/multistep_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/one_stage_stepper.hpp"
#include "methods/multistep/variable_steps.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta_stepper.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

/// α_j (j = 1..k) and β_j (j = 0..k) of the header, in the arithmetic of the run.
template <class S>
struct Formula {
  std::vector<S> alpha, beta;
  int steps() const { return static_cast<int>(alpha.size()); }
};

template <class S>
Formula<S> formula_in(const Coefficients& exact) {
  using C = std::conditional_t<is_exact<S>, rational, wide>;  // divided before it is rounded
  const auto narrow = [](const C& x) {
    if constexpr (is_exact<S>)
      return x;
    else
      return from_wide<S>(x);
  };
  const std::vector<Expression>&alpha = exact.list("alpha"), &beta = exact.list("beta");
  const int k = static_cast<int>(alpha.size()) - 1;
  const C leading = alpha[k].eval<C>();
  Formula<S> f;
  for (int j = 0; j <= k; ++j) {
    if (j > 0) f.alpha.push_back(narrow(C(-alpha[k - j].eval<C>() / leading)));
    f.beta.push_back(narrow(C(beta[k - j].eval<C>() / leading)));
  }
  return f;
}

/// Stages of Radau IIA for the first steps of a k-step formula: their local error h^2s is no larger
/// than that of any zero-stable formula, of order k + 1 (k + 2 for even k) at most (Dahlquist).
int starter_stages(int k) { return std::max(2, (k + 2) / 2); }

bool starts_by_radau(const MultistepForm& form, const Settings& settings) {
  if (form.formula.list("alpha").size() <= 2) return false;
  return settings.start == Start::radau_iia ||
         (settings.start == Start::own_order && !form.lower_keeps_order);
}

/// Of tol, for errors of order k from an estimate of order k + 1.
double control_exponent(const MultistepForm& form) {
  return form.variable() ? 1 + 1.0 / form.steps() : 1;
}

template <class S>
class MultistepStepper final : public OneStageStepper<S> {
 public:
  MultistepStepper(const MultistepForm& form, const Target<S>& target, const Settings& settings)
      : OneStageStepper<S>(
            target, settings,
            newton_for(settings, leading_error(form.formula), control_exponent(form)),
            form.steps()),
        formula_(formula_in<S>(form.formula)) {
    const int k = formula_.steps();
    if constexpr (!is_exact<S>) {
      this->variable_ = form.variable() && (settings.control.on() || settings.retry > 0);
      if (this->variable_ && form.variable_rho) rho_ = from_wide<S>(wide(*form.variable_rho));
      differences_ = this->variable_ && form.backward_differences;
      extrapolates_ = settings.predictor != Predictor::constant;
      if (settings.control.on()) error_.assign(target.system->size(), S(0));
    }
    for (int m = 1; m < k; ++m)
      lower_.push_back(formula_in<S>(settings.start == Start::trapezoidal ? flat_multistep(1, 1)
                                                                          : form.lower[m - 1]));
    if constexpr (!is_exact<S>) {
      if (!starts_by_radau(form, settings)) return;
      const RungeKuttaForm radau{daemark::radau_iia(starter_stages(k))};
      starter_ = std::make_unique<RungeKuttaStepper<S>>(radau, target, settings);
    }
  }

  void start(const State<S>& initial, const S& h) override {
    OneStageStepper<S>::start(initial, h);
    m_ = 1;
    if (starter_) starter_->start(initial, h);
  }

  const std::vector<S>& error_estimate() const override { return error_; }

  StepAdvice advice() const override {
    StepAdvice advice;
    if (!differences_) return advice;
    advice.order = used_ + 1;
    advice.growth = allowed_growth(used_);
    return advice;
  }

  std::vector<S> memory() const override {
    std::vector<S> m;
    this->append_common(m);
    if (differences_) m.push_back(S(m_));
    return m;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    this->take_common(from);
    if (differences_) m_ = static_cast<int>(to_double(*from++));
    if (starts_by_starter()) starter_->start(this->state_, this->h_);
  }

 protected:
  StepReport attempt_step() override {
    if (starts_by_starter()) return starter_step();
    const int points = history_.filled();
    if constexpr (!is_exact<S>)
      if (this->variable_)
        return points == 1 ? first_variable_step() : differences_ ? any_step() : variable_step();
    const Formula<S>& f = points < formula_.steps() ? lower_[points - 1] : formula_;
    S* base = stage_.base(0);
    for (int c : this->state_components_) base[c] = S(0);
    for (int j = 0; j < f.steps(); ++j) {
      const S& alpha = f.alpha[j];
      const S h_beta = this->h_ * f.beta[j + 1];
      const S *y = history_.y(j), *rate = history_.rate(j);
      for (int c : this->state_components_) base[c] += alpha * y[c] + h_beta * rate[c];
    }
    return f.beta[0] == 0 ? explicit_step() : this->solve(f.beta[0]);
  }

  /// The one-step method moves the chart; the points kept here follow its steps.
  void move_chart() override {
    if (!moved_by_starter_) return OneStageStepper<S>::move_chart();
    this->state_.chart = starter_->state().chart;
  }
  void take_candidate() override {
    if (differences_ && m_ < formula_.steps() && history_.filled() >= m_ &&
        to_double(this->h_) <= allowed_growth(m_ + 1) * to_double(this->past_[0]))
      ++m_;
    moved_by_starter_ = starts_by_starter();
    if (!moved_by_starter_) return;
    starter_->candidate().y = this->next_.y, starter_->candidate().rate = this->next_.rate;
    this->chart_points_y_.clear(), this->chart_points_rate_.clear();
    history_.add_to(this->chart_points_y_, this->chart_points_rate_);
    starter_->carry_along(this->chart_points_y_, this->chart_points_rate_);
    starter_->accept();
    this->next_.y = starter_->state().y, this->next_.rate = starter_->state().rate;
  }

 private:
  bool starts_by_starter() const {
    return starter_ && !this->variable_ && history_.filled() < formula_.steps();
  }

  /// The new point is the base; its rates and multipliers follow from the index-1 solve there.
  StepReport explicit_step() {
    S *y = stage_.y(0), *rate = stage_.rate(0);
    std::copy_n(history_.y(0), this->next_.y.size(), y);
    for (int c : this->state_components_) y[c] = stage_.base(0)[c];
    ++this->counts_.residual_evals;
    ++this->counts_.factorizations;
    if (!this->target_.system->explicit_rates(y, rate, this->clock_.next(),
                                              this->state_.chart.data()))
      return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
    return this->propose(y, rate);
  }

  /// The trapezoidal rule, with the error of Euler's rule as estimate: the first step is small.
  StepReport first_variable_step() {
    S* base = stage_.base(0);
    const S half = this->h_ / S(2);
    for (int c : this->state_components_) base[c] = history_.y(0)[c] + half * history_.rate(0)[c];
    const StepReport report = this->solve(S(1) / S(2));
    used_ = 1;
    if (report.status == Status::ok && !error_.empty())
      for (int c : this->state_components_)
        error_[c] = half * (this->next_.rate[c] - history_.rate(0)[c]);
    return report;
  }
  StepReport variable_step() {
    const VariableTwoStep<S> f(rho_, S(this->h_ / this->past_[0]));
    const S *y1 = history_.y(0), *y2 = history_.y(1), *r1 = history_.rate(0),
            *r2 = history_.rate(1);
    const S hb1 = this->h_ * f.b1, hb2 = this->h_ * f.b2;
    S* base = stage_.base(0);
    for (int c : this->state_components_)
      base[c] = f.a1 * y1[c] + f.a2 * y2[c] + hb1 * r1[c] + hb2 * r2[c];
    const StepReport report = this->solve(f.b0);
    if (report.status == Status::ok && !error_.empty())
      for (int c : this->state_components_)
        error_[c] = this->h_ * (f.e0 * this->next_.rate[c] + f.e1 * r1[c] + f.e2 * r2[c]);
    return report;
  }

  /// Backward differentiation with the order that the points so far allow.
  StepReport any_step() {
    S *base = stage_.base(0), since = this->h_, s[most_differences];
    used_ = m_;
    for (int j = 0; j < used_; ++j) {
      s[j] = since / this->h_;
      if (j + 1 < used_) since += this->past_[j];
    }
    rule_.set(s, used_);
    for (int c : this->state_components_) {
      S sum = rule_.a(1) * history_.y(0)[c];
      for (int j = 2; j <= used_; ++j) sum += rule_.a(j) * history_.y(j - 1)[c];
      base[c] = sum;
    }
    const StepReport report = this->solve(rule_.b0());
    if (report.status == Status::ok && !error_.empty())
      for (int c : this->state_components_) {
        S sum = rule_.error(0) * this->next_.rate[c];
        for (int j = 1; j <= used_; ++j) sum += rule_.error(j) * history_.rate(j - 1)[c];
        error_[c] = this->h_ * sum;
      }
    return report;
  }

  void guess(S* y, S* rate) const override {
    OneStageStepper<S>::guess(y, rate);
    if (!differences_ || !extrapolates_ || history_.filled() == 1) return;
    for (int c : this->lists_.differential) {
      rate[c] = S(0);
      for (int j = 1; j <= used_; ++j) rate[c] += rule_.ahead(j) * history_.rate(j - 1)[c];
    }
  }

  /// A step of the one-step method, its cost added to this stepper's.
  StepReport starter_step() {
    const Counts before = starter_->counts();
    const StepReport report = starter_->attempt(this->h_);
    this->counts_.add_work(starter_->counts(), before);
    if (report.status != Status::ok) return report;
    return this->propose(starter_->candidate().y.data(), starter_->candidate().rate.data());
  }

  using OneStageStepper<S>::history_;
  using OneStageStepper<S>::stage_;
  Formula<S> formula_;
  std::vector<Formula<S>> lower_;
  std::unique_ptr<RungeKuttaStepper<S>> starter_;
  bool moved_by_starter_ = false;  ///< the step that is being accepted
  S rho_{};                        ///< variable steps
  std::vector<S> error_;           ///< empty where no error is estimated
  bool differences_ = false, extrapolates_ = false;
  int m_ = 1, used_ = 1;  ///< order of the next step of backward differentiation, and of the last
  VariableDifferences<S> rule_;
};

class MultistepMethod final : public OneStageMethod<MultistepMethod> {
 public:
  MultistepMethod(MultistepForm form, Family family)
      : OneStageMethod(form.formula, std::move(family)), form_(std::move(form)) {
    rational_ = is_rational(form_.formula);
    for (const Coefficients& lower : form_.lower) rational_ = rational_ && is_rational(lower);
  }
  bool constant_step() const override { return !form_.variable(); }
  bool is_explicit() const override { return form_.formula.list("beta").back().eval<wide>() == 0; }
  std::string refusal(const SystemTraits& system) const override {
    if (is_explicit() && system.index > 1)
      return "an explicit formula determines no constraint; accepted: " +
             formulation_ids([](const FormulationInfo& info) { return info.index <= 1; });
    return OneStageMethod<MultistepMethod>::refusal(system);
  }
  int estimate_order() const override { return form_.variable() ? form_.steps() + 1 : 0; }
  int error_order() const override { return form_.variable() ? form_.steps() : 0; }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (is_exact<S> && !rational_) return nullptr;
    return std::make_unique<MultistepStepper<S>>(form_, target, settings);
  }
  std::optional<StartingProcedure> starting_procedure(const Settings& settings) const override {
    const int k = form_.steps();
    if (k == 1) return std::nullopt;
    if (form_.variable() && (settings.control.on() || settings.retry > 0))
      return form_.variable_rho
                 ? StartingProcedure{"the trapezoidal rule", 1, 3}
                 : StartingProcedure{"the trapezoidal rule, then the order rises as steps settle",
                                     1, 3};
    if (starts_by_radau(form_, settings))
      return StartingProcedure{fmt::format("Radau IIA with {} stages", starter_stages(k)), k - 1,
                               2 * starter_stages(k)};
    const bool same = settings.start == Start::trapezoidal || k == 2;
    return StartingProcedure{
        same ? "the trapezoidal rule"
             : "the trapezoidal rule, then the family's formulas with 2, 3, ... steps",
        k - 1, 3};
  }
  int least_steps() const override { return form_.steps(); }

 private:
  MultistepForm form_;
  bool rational_ = true;
};

}  // namespace

// Of y = t^j at t = 0: Σ α_i i^j = j Σ β_i i^(j−1) up to j = p (Hairer, Nørsett & Wanner I, III.2).
LeadingErrorTerm leading_error(const Coefficients& formula) {
  const std::vector<Expression>&alpha = formula.list("alpha"), &beta = formula.list("beta");
  const int k = static_cast<int>(alpha.size()) - 1;
  wide factorial = 1, sum = 0;
  for (const Expression& b : beta) sum += b.eval<wide>();
  for (int j = 1; j <= k + 3; ++j) {
    factorial *= j;
    wide missed = 0, size = 0;
    for (int i = 0; i <= k; ++i) {
      const wide below = j == 1 ? wide(1) : wide(pow(wide(i), j - 1));
      const wide a = alpha[i].eval<wide>() * below * i, b = beta[i].eval<wide>() * below * j;
      missed += a - b;
      size += abs(a) + abs(b);
    }
    if (abs(missed) > wide("1e-60") * size)
      return {j - 1, std::abs(to_double(wide(missed / (factorial * sum))))};
  }
  return {};
}

MultistepForm multistep_form(const Coefficients& formula) {
  MultistepForm form{formula, {}};
  form.lower_keeps_order = false;
  for (int m = 1; m + 1 < static_cast<int>(formula.list("alpha").size()); ++m)
    form.lower.push_back(flat_multistep(m, m == 1 ? 1 : 0));
  return form;
}

std::shared_ptr<const Method> multistep_method(MultistepForm form, Family family) {
  return std::make_shared<MultistepMethod>(std::move(form), std::move(family));
}

}  // namespace daemark
