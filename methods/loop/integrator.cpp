
#include "methods/loop/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "methods/core/stepper.hpp"
#include "methods/loop/error_size.hpp"
#include "methods/loop/inside_steps.hpp"
#include "methods/projection/least_change.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {
namespace {

// Filters the estimated error of a step on index 2 and 3 for step-size control.
//
// An embedded formula compares two integrals of v̇. On index 2 and 3 both contain errors of the
// stages' multipliers, of lower order, along M⁻¹Gᵀ; the constraints remove them from the motion.
// So δq and δv are projected, orthogonally in M, onto the tangent space,
//
//   [M Gᵀ; G 0] (x, ν) = (M δv, 0),  δv := x,
//
// and multipliers, which have no embedded value, are compared with those of the index-1 solve at
// the same q, v, whose errors are those of q and v alone.
template <class S>
class EstimateFilter {
 public:
  /// Does nothing on index 0 and 1 and where there is no mechanism.
  EstimateFilter(const Target<S>& target, const Setting<AlgebraicControl>& algebraic)
      : mechanism_(target.mechanism), algebraic_(algebraic) {
    if (!mechanism_ || !target.formulation) return;
    index_ = target.formulation->info.index;
    n_ = mechanism_->coordinates(), m_ = mechanism_->constraints();
    if (index_ < 2 || m_ == 0) return;
    solve_.emplace(*mechanism_);
    a_.resize(n_), inertia_.resize(n_), moved_.resize(n_), lambda_.resize(m_);
    right_.resize(n_ + m_);
  }
  bool active() const { return solve_.has_value(); }

  /// Replaces the estimate for the candidate by the filtered one; false if the index-1 matrix is
  /// singular.
  bool apply(const State<S>& candidate, double h, std::vector<S>& estimate) {
    const S* const y = candidate.y.data();
    const MotionPoint<S> point{candidate.t, y, y + n_, nullptr, nullptr, candidate.chart.data()};
    if (!solve_->solve(*mechanism_, point, {S(0), S(0), S(1)}, a_.data(), lambda_.data()))
      return false;
    project(candidate, estimate.data());
    project(candidate, estimate.data() + n_);
    std::fill(estimate.begin() + 2 * n_, estimate.end(), S(0));
    if (algebraic_ == AlgebraicControl::off) return true;
    const S weight = algebraic_ == AlgebraicControl::full ? S(1) : S(std::pow(h, index_ - 1));
    for (int i = 0; i < m_; ++i) estimate[2 * n_ + i] = weight * (y[2 * n_ + i] - lambda_[i]);
    return true;
  }

 private:
  void project(const State<S>& candidate, S* difference) {
    std::copy_n(difference, n_, moved_.begin());
    const S* const y = candidate.y.data();
    MotionPoint<S> point{candidate.t,           y, y + n_, moved_.data(), lambda_.data(),
                         candidate.chart.data()};
    MotionValues<S> out;
    out.inertia = inertia_.data();
    mechanism_->evaluate(point, {}, out);
    for (int i = 0; i < n_; ++i) right_[i] = to_double(inertia_[i]);
    std::fill(right_.begin() + n_, right_.end(), 0.0);
    solve_->apply_inverse(right_.data());
    for (int i = 0; i < n_; ++i) difference[i] = S(right_[i]);
  }

  MechanicalSystem<S>* mechanism_ = nullptr;
  Setting<AlgebraicControl> algebraic_;
  int index_ = 0, n_ = 0, m_ = 0;
  std::optional<IndexOneSolve<S>> solve_;
  std::vector<S> a_, lambda_, moved_, inertia_;
  std::vector<double> right_;
};

/// One step from output point to output point. A step that fails is made in parts, so that a
/// singular configuration on its way need not end the run.
template <class S>
class FixedSteps final : public Integrator<S> {
 public:
  FixedSteps(std::unique_ptr<Stepper<S>> stepper, int retry)
      : stepper_(std::move(stepper)), retry_(retry) {}

  void start(const State<S>& initial, const OutputPoints<S>& points) override {
    points_ = points;
    done_ = 0;
    rejected_ = 0;
    stepper_->start(initial, points.spacing);
  }
  StepReport advance() override {
    ++done_;
    const StepReport report = stepper_->step();
    if (report.status == Status::ok || retry_ == 0) return report;
    return in_parts(report);
  }
  const State<S>& state() const override { return stepper_->state(); }
  const Counts& counts() const override {
    counts_ = stepper_->counts();
    counts_.rejected_steps += rejected_;
    return counts_;
  }

 private:
  /// Halves until a part succeeds, then tries twice that part again, up to the output point: near a
  /// singular configuration small steps fail too, and one that is large enough steps across
  /// it.
  StepReport in_parts(StepReport report) {
    const S end = points_.begin + S(static_cast<double>(done_)) * points_.spacing;
    long left = 1L << retry_, part = left;  // in the smallest parts there may be
    const S unit = points_.spacing / S(static_cast<double>(left));
    while (left > 0) {
      checkpoint();
      if (report.status != Status::ok) {
        if (part == 1) return report;
        ++rejected_;
        part /= 2;
      }
      report = stepper_->attempt(S(static_cast<double>(part)) * unit);
      if (report.status != Status::ok) continue;
      left -= part;
      if (left == 0) stepper_->candidate().t = end;
      stepper_->accept();
      this->show_step(stepper_->state());
      for (part *= 2; part > left && part > 1;) part /= 2;
    }
    return {};
  }

  std::unique_ptr<Stepper<S>> stepper_;
  int retry_;
  OutputPoints<S> points_;
  long done_ = 0, rejected_ = 0;
  mutable Counts counts_;
};

/// Steps chosen by a StepController. They end at output points, or, where the stepper has values
/// inside its steps, at the last one only.
template <class S>
class ControlledSteps final : public Integrator<S> {
 public:
  ControlledSteps(std::unique_ptr<Stepper<S>> stepper, const Method& method,
                  const ControlSettings& control, const Target<S>& target)
      : stepper_(std::move(stepper)),
        control_(control),
        target_(target),
        orders_(method.control_orders(target.formulation ? target.formulation->info.index : 0)),
        accepted_part_(std::pow(
            control.tol, static_cast<double>(orders_.estimate) / std::max(1, orders_.error) - 1)),
        controller_(control, orders_.estimate),
        error_size_(target, control),
        filter_(target, control.algebraic),
        inside_(method, *stepper_, target) {}

  void start(const State<S>& initial, const OutputPoints<S>& points) override {
    points_ = points;
    done_ = 0;
    rejected_ = 0;
    const double spacing = to_double(points.spacing);
    const double span = spacing * static_cast<double>(points.count);
    most_ = control_.most > 0 ? control_.most : span;
    least_ = control_.least > 0 ? control_.least : 1e-12 * spacing;
    controller_.restart();
    next_ = control_.first > 0 ? control_.first : spacing / 10;
    stepper_->start(initial, S(std::min({next_, most_, spacing})));
    dense_ = control_.inside && inside_.orders().q > 0;
    if (control_.inside_asked && !dense_)
      throw BadInput(
          "setting control.output = 'inside' needs dense output, which this method does not have "
          "on these equations: ends");
    if (control_.first == 0) {
      const double own = stepper_->first_step(span);
      if (own > 0) {
        next_ = own;
      } else if (target_.rates_follow()) {
        next_ = automatic_first_step(initial, target_, error_size_, orders_.estimate, span);
        ++filters_;
      }
    }
    next_ = std::min(std::max<double>(next_, control_.least), most_);
    if (dense_) shown_ = initial;
  }

  StepReport advance() override {
    ++done_;
    const S end = output_point(done_), target = dense_ ? output_point(points_.count) : end;
    const auto reached = [&] { return !(stepper_->state().t < end); };
    for (bool arrived = dense_ && reached(); !arrived;) {
      checkpoint();
      step_begin_ = stepper_->state().t;
      if (dense_) inside_.begin();
      const StepReport report = step_towards(target, arrived);
      if (report.status != Status::ok) return report;
      if (dense_) arrived = reached();
    }
    if (dense_) show(end);
    return {};
  }
  const State<S>& state() const override { return dense_ ? shown_ : stepper_->state(); }
  const Counts& counts() const override {
    counts_ = stepper_->counts();
    counts_.rejected_steps += rejected_;
    const long besides = filters_ + inside_.evaluations();
    counts_.residual_evals += besides, counts_.factorizations += besides;
    return counts_;
  }

 private:
  S output_point(long k) const {
    return points_.begin + S(static_cast<double>(k)) * points_.spacing;
  }

  /// One attempt; `arrived`: it was accepted and ends at the target. The report is a failure where
  /// the run ends.
  StepReport step_towards(const S& target, bool& arrived) {
    const S left = target - stepper_->state().t;
    // Equal parts of what is left: no sliver of a step before an output point.
    const double parts = std::ceil(to_double(left) / next_ * (1 - 1e-12));
    arrived = parts <= 1;
    const S h = arrived ? left : parts <= 2 ? S(left / S(2)) : S(next_);
    const StepReport report = stepper_->attempt(h);
    const bool failed = report.status != Status::ok;
    const double size = to_double(h), error = failed ? 0 : estimated_error(size);
    if (!failed && controller_.accepts(error)) {
      if (arrived) stepper_->candidate().t = target;
      stepper_->accept();
      this->show_step(stepper_->state());
      double chosen = controller_.after_accepted(size, error, advice_.caution);
      if (advice_.growth > 0) chosen = std::min(chosen, advice_.growth * size);
      next_ = std::min(arrived ? std::max(chosen, next_) : chosen, most_);
      return {};
    }
    arrived = false;
    ++rejected_;
    next_ = failed ? controller_.after_failed(size)
                   : controller_.after_rejected(size, error, advice_.caution);
    if (next_ >= least_) return {};
    return failed ? report
                  : StepReport{Status::step_limit, "the step size fell below control.least"};
  }

  double estimated_error(double h) {
    advice_ = stepper_->advice();
    if (advice_.order > 0) controller_.set_order(advice_.order);
    if (advice_.error >= 0) return advice_.error;
    const State<S>& found = stepper_->candidate();
    if (!filter_.active()) return error_size_(stepper_->error_estimate(), found.y) / accepted_part_;
    filtered_ = stepper_->error_estimate();
    ++filters_;
    if (!filter_.apply(found, h, filtered_)) filtered_[0] = std::numeric_limits<S>::quiet_NaN();
    return error_size_(filtered_, found.y) / accepted_part_;
  }

  /// The output point, at or before the step end.
  void show(const S& end) {
    const State<S>& now = stepper_->state();
    if (now.t == end) {
      shown_ = now;
      return;
    }
    inside_.at((end - step_begin_) / (now.t - step_begin_), shown_);
    shown_.t = end;
  }

  std::unique_ptr<Stepper<S>> stepper_;
  ControlSettings control_;
  Target<S> target_;
  ControlOrders orders_;
  double accepted_part_;  ///< of the tolerances, by the order of the errors
  StepController controller_;
  ErrorSize<S> error_size_;
  EstimateFilter<S> filter_;
  InsideSteps<S> inside_;
  OutputPoints<S> points_;
  double next_ = 0, most_ = 0, least_ = 0;
  StepAdvice advice_;  ///< of the last attempt that succeeded
  std::vector<S> filtered_;
  bool dense_ = false;
  S step_begin_{};
  State<S> shown_;  ///< at the output point, where steps do not end there
  long done_ = 0, rejected_ = 0, filters_ = 0;  ///< filters_: evaluations besides the stepper's
  mutable Counts counts_;
};

}  // namespace

template <class S>
std::unique_ptr<Integrator<S>> make_integrator(const Method& method, const Target<S>& target,
                                               const Settings& settings) {
  if constexpr (std::is_same_v<S, double>)
    if (auto own = method.own_integrator(target, settings)) return own;
  auto stepper = projected(method.stepper(target, settings), target, settings.project);
  if (settings.control.on())
    return std::make_unique<ControlledSteps<S>>(std::move(stepper), method, settings.control,
                                                target);
  return std::make_unique<FixedSteps<S>>(std::move(stepper), settings.retry);
}

std::string step_refusal(const Method& method, const SystemTraits& system,
                         const Settings& settings) {
  if (method.owns_loop() && settings.control.on())
    return std::string(refusals::owns_loop) + "control.tol";
  if (method.owns_loop() && settings.retry > 0) return std::string(refusals::owns_loop) + "retry";
  if (method.owns_loop() && settings.project.on())
    return std::string(refusals::owns_loop) + "project";
  if (settings.control.on())
    if (std::string why = method.control_refusal(system); !why.empty()) return why;
  if (settings.control.vary_order && !settings.control.on())
    return "setting control.order: needs control.tol";
  if (settings.control.vary_order && !method.varies_order())
    return "has one order; accepted: control.order=fixed, or radau_iia(3) and radau_iia(5)";
  if (settings.retry > 0 && method.constant_step())
    return std::string(refusals::constant_step) + "retry";
  return "";
}

template std::unique_ptr<Integrator<double>> make_integrator(const Method&, const Target<double>&,
                                                             const Settings&);
template std::unique_ptr<Integrator<real50>> make_integrator(const Method&, const Target<real50>&,
                                                             const Settings&);

}  // namespace daemark
