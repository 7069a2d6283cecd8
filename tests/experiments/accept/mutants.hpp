// Methods with a seeded error: steppers of the catalogue, changed in one place.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark::test {

enum class Fault {
  none,
  multiplier_before,  ///< λ of the step's beginning
  one_step_late,      ///< the state of the step before
  frozen_time,        ///< forces at the time of the step's beginning
  dropped_row,        ///< the last constraint row, where there is one, is λ = 0
  wrong_jacobian,     ///< ∂r/∂y is half of what it is
  wrong_force,        ///< a force that is not there
  chart_left,         ///< increments as seen from the chart before
  small_estimate,     ///< a thousandth of the error estimate
  shifted_inside,     ///< dense output at θ²
  rounded,            ///< positions to a multiple of 10⁻⁸
  first_body,         ///< the first coordinate is pushed
  pushed_away,        ///< violations of the constraints grow
  failure_hidden,     ///< in large steps the solver stops at its initial guess and reports ok
  shortest_step,      ///< steps below 1/64 are steps of 1/64
  stands_still,       ///< every step ends where it began
};

/// The system that the stepper is given.
class ChangedSystem final : public ImplicitSystem<double> {
 public:
  ChangedSystem(ImplicitSystem<double>& inner, Fault fault) : inner_(inner), fault_(fault) {
    components_ = inner.components();
    row_power_ = inner.row_power(), increment_power_ = inner.increment_power();
    pattern_y_ = inner.pattern_y(), pattern_rate_ = inner.pattern_rate();
    finish_components();
    if (fault == Fault::dropped_row) pattern_y_.entries.emplace_back(unknowns_ - 1, size() - 1);
  }
  void evaluate(const SystemPoint<double>& point, double* r, double* jacobian_y,
                double* jacobian_rate) override {
    SystemPoint<double> seen = point;
    if (fault_ == Fault::frozen_time) seen.t = time;
    inner_.evaluate(seen, r, jacobian_y, jacobian_rate);
    const int last = unknowns_ - 1;
    if (fault_ == Fault::wrong_force) r[0] += 1;
    if (fault_ == Fault::wrong_jacobian && jacobian_y)
      for (int k = 0; k < pattern_y_.size(); ++k) jacobian_y[k] /= 2;
    if (fault_ != Fault::dropped_row) return;
    r[last] = point.y[size() - 1];
    for (int k = 0; jacobian_y && k < pattern_y_.size(); ++k)
      if (pattern_y_.entries[k].first == last) jacobian_y[k] = k + 1 == pattern_y_.size() ? 1 : 0;
    for (int k = 0; jacobian_rate && k < pattern_rate_.size(); ++k)
      if (pattern_rate_.entries[k].first == last) jacobian_rate[k] = 0;
  }
  bool explicit_rates(double* y, double* rate, const double& t, const double* chart) override {
    return inner_.explicit_rates(y, rate, fault_ == Fault::frozen_time ? time : t, chart);
  }
  int chart_size() const override { return inner_.chart_size(); }
  void rebase(double* chart, const std::vector<double*>& y,
              const std::vector<double*>& rate) override {
    inner_.rebase(chart, y, rate);
  }

  double time = 0;  ///< at the step's beginning

 private:
  ImplicitSystem<double>& inner_;
  Fault fault_;
};

class ChangedStepper final : public Stepper<double> {
 public:
  ChangedStepper(const Method& inner, const Target<double>& target, const Settings& settings,
                 Fault fault)
      : fault_(fault), target_(target) {
    Target<double> changed = target;
    if (fault == Fault::dropped_row && target.mechanism->constraints() == 0) fault = Fault::none;
    if (fault == Fault::frozen_time || fault == Fault::dropped_row ||
        fault == Fault::wrong_jacobian || fault == Fault::wrong_force) {
      system_ = std::make_unique<ChangedSystem>(*target.system, fault);
      changed.system = changed.factor_system = system_.get();
    }
    inner_ = inner.stepper(changed, settings);
  }
  void start(const State<double>& initial, const double& h) override {
    step_size_ = h;
    inner_->start(initial, h);
    shown_ = initial;
  }
  StepReport attempt(const double& h) override {
    const State<double> begin = inner_->state();
    if (system_) system_->time = begin.t;
    const StepReport report =
        inner_->attempt(fault_ == Fault::shortest_step ? std::max(h, 1.0 / 64) : h);
    if (fault_ == Fault::failure_hidden && h > 1) {
      State<double>& end = inner_->candidate() = begin;
      end.t = begin.t + h;
      for (int i = 0; i < target_.mechanism->coordinates(); ++i) end.y[i] += h * begin.rate[i];
      return {};
    }
    if (report.status == Status::ok) change(begin, inner_->candidate(), h);
    counts_ = inner_->counts();
    return report;
  }
  State<double>& candidate() override { return inner_->candidate(); }
  const std::vector<double>& error_estimate() const override {
    estimate_ = inner_->error_estimate();
    for (double& e : estimate_) e /= fault_ == Fault::small_estimate ? 1000 : 1;
    return estimate_;
  }
  StepAdvice advice() const override { return inner_->advice(); }
  double first_step(double span) override { return inner_->first_step(span); }
  bool projects() const override { return inner_->projects(); }
  void accept() override {
    const State<double> before = inner_->state();
    inner_->accept();
    shown_ = inner_->state();
    counts_ = inner_->counts();
    if (fault_ == Fault::one_step_late) shown_.y = before.y, shown_.rate = before.rate;
    if (fault_ == Fault::chart_left) shown_.chart = before.chart;
    if (fault_ == Fault::multiplier_before)
      std::copy(before.y.begin() + algebraic(), before.y.end(), shown_.y.begin() + algebraic());
  }
  InsideOrders dense_orders() const override { return inner_->dense_orders(); }
  void inside(const double& theta, State<double>& at) const override {
    inner_->inside(fault_ == Fault::shifted_inside ? theta * theta : theta, at);
  }
  const State<double>& state() const override { return shown_; }
  std::vector<double> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<double>& memory) override { inner_->set_memory(memory); }

 private:
  std::ptrdiff_t algebraic() const { return 2L * target_.mechanism->coordinates(); }
  void change(const State<double>& begin, State<double>& end, double h) {
    if (fault_ == Fault::shortest_step) end.t = begin.t + h;
    if (fault_ == Fault::stands_still) end = begin, end.t = begin.t + h;
    if (fault_ == Fault::first_body) end.y[0] += 1e-7 * h;
    if (fault_ == Fault::rounded)
      for (int i = 0; i < target_.mechanism->coordinates(); ++i)
        end.y[i] = std::round(end.y[i] * 1e8) / 1e8;
    if (fault_ != Fault::pushed_away) return;
    const int m = target_.mechanism->constraints();
    std::vector<double> phi(m);
    MotionValues<double> out;
    out.position = phi.data();
    target_.mechanism->evaluate(motion_point(target_.mechanism->coordinates(), end.point()), {},
                                out);
    for (int i = 0; i < m; ++i) end.y[i] += 5 * h * std::abs(phi[i]);
  }

  Fault fault_;
  Target<double> target_;
  std::unique_ptr<ChangedSystem> system_;
  std::unique_ptr<Stepper<double>> inner_;
  State<double> shown_;
  mutable std::vector<double> estimate_;
};

class ChangedMethod final : public Method {
 public:
  using Change = std::function<void(Settings&)>;
  ChangedMethod(std::string call, Fault fault, Change settings = nullptr)
      : Method(form_of(call)),
        call_(std::move(call)),
        inner_(method_registry().make(call_)),
        fault_(fault),
        change_(std::move(settings)) {}
  int cost_stages() const override { return inner_->cost_stages(); }
  bool is_explicit() const override { return inner_->is_explicit(); }
  bool constant_step() const override { return inner_->constant_step(); }
  int estimate_order() const override { return inner_->estimate_order(); }
  int error_order() const override { return inner_->error_order(); }
  ControlOrders control_orders(int index) const override { return inner_->control_orders(index); }
  std::string control_refusal(const SystemTraits& system) const override {
    return inner_->control_refusal(system);
  }
  std::string refusal(const SystemTraits& system) const override { return inner_->refusal(system); }
  std::unique_ptr<Stepper<double>> stepper(const Target<double>& target,
                                           const Settings& settings) const override {
    Settings changed = settings;
    if (change_) change_(changed);
    return std::make_unique<ChangedStepper>(*inner_, target, changed, fault_);
  }
  std::unique_ptr<Stepper<real50>> stepper(const Target<real50>&, const Settings&) const override {
    return nullptr;
  }
  std::unique_ptr<Stepper<rational>> stepper(const Target<rational>&,
                                             const Settings&) const override {
    return nullptr;
  }
  bool solves_end_rates() const override { return inner_->solves_end_rates(); }
  std::optional<KnownOrders> known_orders(int index) const override {
    const ExpectedOrders known =
        slopes_expected(call_, index == 0 ? "minimal" : "index" + std::to_string(index));
    return KnownOrders{known.q, known.v, known.lambda, false, known.reason};
  }

 private:
  static MethodForm form_of(const std::string& call) {
    const auto method = method_registry().make(call);
    if (const auto* form = method->as<Coefficients>()) return *form;
    if (const auto* form = method->as<RungeKuttaForm>()) return *form;
    return {};
  }

  std::string call_;
  std::shared_ptr<const Method> inner_;
  Fault fault_;
  Change change_;
};

}  // namespace daemark::test
