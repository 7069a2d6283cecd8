#include "methods/multistep/multistep_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/one_stage_stepper.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta_stepper.hpp"

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
    if constexpr (is_exact<S>)
      return x;
    else
      return from_wide<S>(x);
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

bool is_rational(const ExactMultistep& formula) {
  const auto all = [](const std::vector<Expression>& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const Expression& e) { return e.is_rational(); });
  };
  return all(formula.alpha) && all(formula.beta);
}

template <class S>
class MultistepStepper final : public OneStageStepper<S> {
 public:
  MultistepStepper(const MultistepForm& form, SystemPair<S> pair, const Settings& settings)
      : OneStageStepper<S>(pair, settings, static_cast<int>(form.formula.alpha.size()) - 1),
        formula_(formula_in<S>(form.formula)) {
    const int k = formula_.steps();
    for (int m = 1; m < k; ++m)
      lower_.push_back(formula_in<S>(settings.start == Start::trapezoidal ? flat_multistep(1, 1)
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
    this->append_common(m);
    return m;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    this->take_common(from);
    if (starter_ && history_.filled() < formula_.steps()) starter_->start(this->state_, this->h_);
  }

 private:
  /// A step of the one-step method, its cost added to this stepper's. It moves the chart it shares
  /// with this stepper, so that the points kept here have to follow.
  StepReport first_step() {
    if (!this->state_.chart.empty()) {
      this->chart_points_y_.clear(), this->chart_points_rate_.clear();
      history_.add_to(this->chart_points_y_, this->chart_points_rate_);
      starter_->carry_along(this->chart_points_y_, this->chart_points_rate_);
    }
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
  std::unique_ptr<RungeKuttaStepper<S>> starter_;
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
  std::optional<RhoFamily> rho_family() const override { return form_.family; }
  int least_steps() const override { return static_cast<int>(form_.formula.alpha.size()) - 1; }

 private:
  MultistepForm form_;
  bool rational_ = true;
};

}  // namespace

std::shared_ptr<const Method> multistep_method(MultistepForm form) {
  if (form.formula.beta.back().eval<wide>() == 0)
    throw BadInput(fmt::format("multistep formula {}: beta_k is 0, accepted: implicit formulas",
                               form.formula.id));
  return std::make_shared<MultistepMethod>(std::move(form));
}

}  // namespace daemark
