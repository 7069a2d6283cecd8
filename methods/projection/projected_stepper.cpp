#include "methods/projection/projected_stepper.hpp"

#include <algorithm>

#include "methods/projection/least_change.hpp"

namespace daemark {
namespace {

template <class S>
class ProjectedStepper final : public Stepper<S> {
 public:
  ProjectedStepper(std::unique_ptr<Stepper<S>> inner, const Target<S>& target,
                   const ProjectionSettings& settings)
      : inner_(std::move(inner)),
        target_(target),
        settings_(settings),
        projection_(*target.mechanism, settings.mass_metric) {}

  void start(const State<S>& initial, const S& h) override {
    this->step_size_ = h;
    inner_->start(initial, h);
  }
  StepReport attempt(const S& h) override {
    const StepReport report = inner_->attempt(h);
    const bool moved = report.status == Status::ok && move(inner_->candidate());
    this->counts_ = inner_->counts();
    this->counts_.add_work(work_, {});
    if (report.status != Status::ok || moved) return report;
    return {Status::newton_diverged, "the projection onto the constraints does not converge"};
  }
  State<S>& candidate() override { return inner_->candidate(); }
  const std::vector<S>& error_estimate() const override { return inner_->error_estimate(); }
  StepAdvice advice() const override { return inner_->advice(); }
  double first_step(double span) override { return inner_->first_step(span); }
  InsideOrders dense_orders() const override { return inner_->dense_orders(); }
  void inside(const S& theta, State<S>& at) const override { inner_->inside(theta, at); }
  void accept() override {
    inner_->accept();
    this->counts_.steps = inner_->counts().steps;
  }
  const State<S>& state() const override { return inner_->state(); }
  std::vector<S> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<S>& memory) override { inner_->set_memory(memory); }

 private:
  bool move(State<S>& point) {
    const S* const chart = inner_->state().chart.data();
    const int n = target_.mechanism->coordinates();
    S *const q = point.y.data(), *const v = q + n;
    if (settings_.position && !projection_.move_position(point.t, q, v, chart, work_)) return false;
    if (settings_.velocity && !projection_.move_velocity(point.t, q, v, chart, work_)) return false;
    if (target_.formulation->info.index <= 1) {
      ++work_.residual_evals, ++work_.factorizations;
      return target_.system->explicit_rates(point.y.data(), point.rate.data(), point.t, chart);
    }
    if (target_.formulation->info.second_order) std::copy_n(v, n, point.rate.begin());
    return true;
  }

  std::unique_ptr<Stepper<S>> inner_;
  Target<S> target_;
  ProjectionSettings settings_;
  LeastChange<S> projection_;
  Counts work_;  ///< of the projections
};

}  // namespace

template <class S>
std::unique_ptr<Stepper<S>> projected(std::unique_ptr<Stepper<S>> stepper, const Target<S>& target,
                                      const ProjectionSettings& settings) {
  if (!settings.on() || target.mechanism->constraints() == 0 || stepper->projects()) return stepper;
  return std::make_unique<ProjectedStepper<S>>(std::move(stepper), target, settings);
}

template std::unique_ptr<Stepper<double>> projected(std::unique_ptr<Stepper<double>>,
                                                    const Target<double>&,
                                                    const ProjectionSettings&);
template std::unique_ptr<Stepper<real50>> projected(std::unique_ptr<Stepper<real50>>,
                                                    const Target<real50>&,
                                                    const ProjectionSettings&);

}  // namespace daemark
