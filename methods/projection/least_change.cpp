#include "methods/projection/least_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daemark {

template <class S>
LeastChange<S>::LeastChange(MechanicalSystem<S>& mechanism, bool mass_metric)
    : mechanism_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      mass_metric_(mass_metric),
      metric_pattern_(mechanism.mass_pattern()) {
  if (!mass_metric) {
    metric_pattern_ = {n_, n_, {}};
    for (int i = 0; i < n_; ++i) metric_pattern_.entries.emplace_back(i, i);
  }
  metric_.assign(metric_pattern_.size(), S(1));
  const Pattern& g = mechanism.gradient_pattern();
  gradient_.resize(g.size());
  std::vector<std::pair<int, int>> entries = metric_pattern_.entries;
  for (const auto& [r, j] : g.entries) entries.emplace_back(n_ + r, j);
  for (const auto& [r, j] : g.entries) entries.emplace_back(j, n_ + r);
  for (int row = 0; row < m_; ++row)
    if (mechanism.row_level(row) == RowLevel::velocity) entries.emplace_back(n_ + row, n_ + row);
  values_.resize(entries.size());
  if (mechanism.rank() < m_)
    redundant_ = std::make_unique<RedundantSolve>(metric_pattern_, g, mechanism.rank());
  else
    lu_.set_pattern(n_ + m_, std::move(entries));
  violation_.resize(m_), zeros_.assign(n_ + m_, S(0)), step_.resize(n_ + m_);
}

template <class S>
bool LeastChange<S>::factor(bool position) {
  double* value = values_.data();
  const auto& entries = mechanism_.gradient_pattern().entries;
  if (position && mechanism_.velocity_rows() > 0)
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (mechanism_.row_level(entries[k].first) == RowLevel::velocity) gradient_[k] = S(0);
  for (const S& x : metric_) *value++ = to_double(x);
  const double* const gradient = value;
  for (int copy = 0; copy < 2; ++copy)
    for (const S& x : gradient_) *value++ = to_double(x);
  std::fill(value, values_.data() + values_.size(), position ? 1.0 : 0.0);
  return redundant_ ? redundant_->factor(values_.data(), gradient, 1) : lu_.factor(values_.data());
}

template <class S>
bool LeastChange<S>::move_position(const S& t, S* q, const S* v, const S* chart, Counts& counts) {
  return move(true, t, q, const_cast<S*>(v), chart, counts);
}

template <class S>
bool LeastChange<S>::move_velocity(const S& t, const S* q, S* v, const S* chart, Counts& counts) {
  return move(false, t, const_cast<S*>(q), v, chart, counts);
}

/// Newton steps until they are round-off or no longer fall. The velocity's matrix stays: wide
/// scalars refine with it.
template <class S>
bool LeastChange<S>::move(bool position, const S& t, S* q, S* v, const S* chart, Counts& counts) {
  constexpr int most = 30;
  double previous = std::numeric_limits<double>::infinity();
  S* const moved = position ? q : v;
  for (int round = 0; round < most; ++round) {
    const bool fresh = position || round == 0;
    MotionValues<S> out;
    (position ? out.position : out.velocity) = violation_.data();
    if (fresh) out.gradient = gradient_.data();
    if (fresh && mass_metric_) out.mass = metric_.data();
    ++counts.residual_evals;
    mechanism_.evaluate({t, q, v, zeros_.data(), zeros_.data(), chart}, {}, out);
    if (fresh) {
      ++counts.factorizations;
      if (!factor(position)) return false;
    }
    std::fill_n(step_.begin(), n_, 0.0);
    for (int i = 0; i < m_; ++i) step_[n_ + i] = -to_double(violation_[i]);
    if (redundant_)
      redundant_->solve(step_.data());
    else
      lu_.solve(step_.data());
    double change = 0, size = 0;
    for (int i = 0; i < n_; ++i) {
      moved[i] += S(step_[i]);
      change = std::max(change, std::abs(step_[i]));
      size = std::max(size, std::abs(to_double(moved[i])));
      if (!std::isfinite(step_[i])) return false;
    }
    if (change <= 4 * unit_roundoff<S>() * (1 + size)) return true;
    // At round-off steps no longer fall; far from it that is divergence.
    if (change >= previous / 2) return change <= std::sqrt(unit_roundoff<S>()) * (1 + size);
    previous = change;
  }
  return false;
}

template class LeastChange<double>;
template class LeastChange<real50>;

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
