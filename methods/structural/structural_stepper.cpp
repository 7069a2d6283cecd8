#include "methods/structural/structural_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

template <class S>
WeightedSystem<S>::WeightedSystem(ImplicitSystem<S>& inner, const S& acceleration_weight,
                                  const S& state_weight)
    : inner_(inner),
      lists_(inner),
      acceleration_weight_(acceleration_weight),
      state_weight_(state_weight) {
  this->components_ = inner.components();
  this->finish_components();
  this->row_power_ = inner.row_power();
  this->pattern_y_ = inner.pattern_y();
  this->pattern_rate_ = inner.pattern_rate();
  dynamics_ = inner.unknowns();
  for (const int power : inner.row_power()) dynamics_ -= power != 0;
  for (std::vector<S>* x : {&begin_y_, &begin_rate_, &y_, &rate_}) x->assign(inner.size(), S(0));
  if (dynamics_ == inner.unknowns()) return;
  end_residual_.resize(inner.unknowns());
  end_jacobian_y_.resize(inner.pattern_y().size());
  end_jacobian_rate_.resize(inner.pattern_rate().size());
}

template <class S>
void WeightedSystem<S>::set_beginning(const S* y, const S* rate, const S& t) {
  std::copy_n(y, begin_y_.size(), begin_y_.begin());
  std::copy_n(rate, begin_rate_.size(), begin_rate_.begin());
  begin_t_ = t;
}

template <class S>
EvaluationPoints WeightedSystem<S>::points() const {
  return end_residual_.empty() ? EvaluationPoints{1, 1} : EvaluationPoints{2, 2};
}

template <class S>
void WeightedSystem<S>::evaluate(const SystemPoint<S>& end, S* r, S* jacobian_y, S* jacobian_rate) {
  const S &w = state_weight_, &wa = acceleration_weight_;
  const S rest = S(1) - w, rest_a = S(1) - wa;
  for (int c = 0; c < this->size(); ++c) y_[c] = w * end.y[c] + rest * begin_y_[c];
  for (const int c : lists_.algebraic) y_[c] = end.y[c];
  for (const int c : lists_.differential) rate_[c] = wa * end.rate[c] + rest_a * begin_rate_[c];
  for (const auto& [c, source] : lists_.integral) rate_[c] = y_[source];
  inner_.evaluate({y_.data(), rate_.data(), S(w * end.t + rest * begin_t_), end.chart}, r,
                  jacobian_y, jacobian_rate);
  if (jacobian_y) scale_dynamics(jacobian_y, jacobian_rate);
  if (end_residual_.empty()) return;
  inner_.evaluate(end, end_residual_.data(), jacobian_y ? end_jacobian_y_.data() : nullptr,
                  jacobian_y ? end_jacobian_rate_.data() : nullptr);
  std::copy(end_residual_.begin() + dynamics_, end_residual_.end(), r + dynamics_);
  if (!jacobian_y) return;
  const auto take_end = [this](const Pattern& pattern, const std::vector<S>& from, S* to) {
    for (int k = 0; k < pattern.size(); ++k)
      if (pattern.entries[k].first >= dynamics_) to[k] = from[k];
  };
  take_end(this->pattern_y_, end_jacobian_y_, jacobian_y);
  take_end(this->pattern_rate_, end_jacobian_rate_, jacobian_rate);
}

/// By the chain rule; columns of multipliers are those of the equilibrium.
template <class S>
void WeightedSystem<S>::scale_dynamics(S* jacobian_y, S* jacobian_rate) {
  const auto& y = this->pattern_y_.entries;
  for (std::size_t k = 0; k < y.size(); ++k)
    if (this->components_[y[k].second].kind != Component::Kind::algebraic)
      jacobian_y[k] *= state_weight_;
  for (int k = 0; k < this->pattern_rate_.size(); ++k) jacobian_rate[k] *= acceleration_weight_;
}

template class WeightedSystem<double>;
template class WeightedSystem<real50>;
template class WeightedSystem<rational>;

namespace {

template <class S>
S narrow(const rational& x) {
  return from_wide<S>(wide(x));
}
template <>
rational narrow(const rational& x) {
  return x;
}

/// Of order 2, by less than any of them: that of Fox and Goodwin is h⁴/480.
constexpr LeadingErrorTerm least_error{2, 1e-3};

/// The unknown of the stage is v̇₊ (end) or a₊ itself (weighted).
StageCoefficients coefficients_of(const StructuralForm& form) {
  const rational share = form.balance == StructuralForm::Balance::weighted
                             ? rational(1)
                             : rational((1 - form.alpha_f) / (1 - form.alpha_m));
  const rational B = form.gamma * share, position = form.beta * share;
  StageCoefficients coefficients(DenseMatrix<wide>{{wide(B)}}, {{B}});
  coefficients.position = {{wide(position)}};
  coefficients.exact_position = {{position}};
  return coefficients;
}

}  // namespace

template <class S>
StructuralStepper<S>::StructuralStepper(const StructuralForm& form, const Target<S>& target,
                                        const Settings& settings)
    : form_(form),
      target_(target),
      layout_(std::make_shared<const StageLayout>(*target.factor_system)),
      lists_(layout_->lists),
      stage_(solved_target(target), coefficients_of(form), newton_for(settings, least_error),
             layout_),
      history_(*target.system, lists_, 1, settings.predictor),
      varies_(settings.control.on() || settings.retry > 0) {
  const rational share = 1 - form.alpha_m;
  new_rate_ = narrow<S>((1 - form.alpha_f) / share);
  old_rate_ = narrow<S>(form.alpha_f / share);
  old_acceleration_ = narrow<S>(-form.alpha_m / share);
  if (own_acceleration()) {
    a_.assign(target.system->size(), S(0));
    next_a_ = led_a_ = a_;
  }
  if (form.position_error() != 0 && settings.control.on())
    error_.assign(target.system->size(), S(0));
  begin_rate_.assign(target.system->size(), S(0));
  chart_y_ = begin_rate_;
  factor_y_.resize(target.system->size()), factor_rate_.resize(target.system->size());
}

/// The system as it is, or its equilibrium between two points.
template <class S>
Target<S> StructuralStepper<S>::solved_target(const Target<S>& target) {
  if (!weighted()) return target;
  const rational wa = 1 - form_.alpha_m, w = 1 - form_.alpha_f;
  weighted_system_ =
      std::make_unique<WeightedSystem<S>>(*target.system, narrow<S>(wa), narrow<S>(w));
  Target<S> solved = target;
  solved.system = weighted_system_.get();
  solved.points = weighted_system_->points();
  if constexpr (std::is_same_v<S, F>) {
    solved.factor_system = weighted_system_.get();
  } else {
    weighted_twin_ =
        std::make_unique<WeightedSystem<F>>(*target.factor_system, narrow<F>(wa), narrow<F>(w));
    solved.factor_system = weighted_twin_.get();
  }
  return solved;
}

template <class S>
void StructuralStepper<S>::start(const State<S>& initial, const S& h) {
  state_ = next_ = initial;
  if (own_acceleration())
    for (const int c : lists_.differential) a_[c] = initial.rate[c];
  this->step_size_ = history_h_ = h;
  clock_.start(initial.t, h);
  history_.restart(initial);
  set_step(h);
}

template <class S>
void StructuralStepper<S>::set_step(const S& h) {
  if (h == h_) return;
  h_ = h;
  const rational half = rational(1) / 2;
  const S h2 = h * h, beta = narrow<S>(form_.beta), gamma = narrow<S>(form_.gamma);
  weights_.a_q = h2 * narrow<S>(half - form_.beta);
  weights_.a_v = h * narrow<S>(1 - form_.gamma);
  weights_.rate_q = weights_.rate_v = S(0);
  if (weighted() || !own_acceleration()) return;
  weights_.a_q += h2 * beta * old_acceleration_;
  weights_.a_v += h * gamma * old_acceleration_;
  weights_.rate_q = h2 * beta * old_rate_;
  weights_.rate_v = h * gamma * old_rate_;
}

template <class S>
void StructuralStepper<S>::lead_accelerations() {
  if (!own_acceleration()) return;
  led_a_ = a_;
  if (h_ == history_h_) return;
  const S ratio = h_ / history_h_;
  for (const int c : lists_.differential)
    led_a_[c] = state_.rate[c] + ratio * (a_[c] - state_.rate[c]);
}

template <class S>
void StructuralStepper<S>::fill_base() {
  S* base = stage_.base(0);
  const S *y = state_.y.data(), *rate = state_.rate.data();
  const S* a = own_acceleration() ? led_a_.data() : rate;
  const bool with_rates = own_acceleration() && !weighted();
  for (const int c : lists_.differential) {
    base[c] = y[c] + weights_.a_v * a[c];
    if (with_rates) base[c] += weights_.rate_v * rate[c];
  }
  for (const auto& [c, source] : lists_.integral) {
    base[c] = y[c] + h_ * y[source] + weights_.a_q * a[source];
    if (with_rates) base[c] += weights_.rate_q * rate[source];
  }
}

template <class S>
StepReport StructuralStepper<S>::attempt(const S& h) {
  clock_.change(state_.t, h);
  set_step(h);
  lead_accelerations();
  fill_base();
  stage_.time(0) = next_.t = clock_.next();
  if (weighted()) {
    weighted_system_->set_beginning(state_.y.data(), led_a_.data(), state_.t);
    if constexpr (!std::is_same_v<S, F>) {
      for (std::size_t k = 0; k < factor_y_.size(); ++k)
        factor_y_[k] = static_cast<F>(state_.y[k]), factor_rate_[k] = static_cast<F>(led_a_[k]);
      weighted_twin_->set_beginning(factor_y_.data(), factor_rate_.data(),
                                    static_cast<F>(state_.t));
    }
  }
  stage_.set_chart(state_.chart);
  const auto guess = [&] {
    if (h == history_h_) return history_.guess(h, stage_.y(0), stage_.rate(0));
    for (const int c : lists_.differential) stage_.rate(0)[c] = state_.rate[c];
    for (const int c : lists_.algebraic) stage_.y(0)[c] = state_.y[c];
  };
  const StepReport report =
      stage_.solve(h, this->counts_, guess, {{state_.y.data(), state_.rate.data(), h}});
  return report.status == Status::ok ? finish() : report;
}

/// a₊, and v̇₊ and λ₊ where they are not the stage's own.
template <class S>
StepReport StructuralStepper<S>::finish() {
  const S *y = stage_.y(0), *rate = stage_.rate(0);
  std::copy_n(y, next_.y.size(), next_.y.begin());
  std::copy_n(rate, next_.rate.size(), next_.rate.begin());
  if constexpr (!is_exact<S>)
    for (std::size_t c = 0; c < next_.y.size(); ++c)
      if (!std::isfinite(to_double(y[c]))) return {Status::not_finite, "the state is not finite"};
  if (!own_acceleration()) {
    if (!error_.empty()) estimate_error();
    return {};
  }
  for (const int c : lists_.differential)
    next_a_[c] =
        weighted()
            ? rate[c]
            : S(new_rate_ * rate[c] + old_rate_ * state_.rate[c] + old_acceleration_ * led_a_[c]);
  if (!error_.empty()) estimate_error();
  if (!weighted()) return {};
  ++this->counts_.residual_evals;
  ++this->counts_.factorizations;
  if (!target_.system->explicit_rates(next_.y.data(), next_.rate.data(), next_.t,
                                      state_.chart.data()))
    return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
  return {};
}

/// Of positions; what velocities and multipliers miss is not estimated.
template <class S>
void StructuralStepper<S>::estimate_error() {
  const S weight = h_ * h_ * narrow<S>(form_.position_error());
  const std::vector<S>&from = own_acceleration() ? led_a_ : state_.rate,
        &to = own_acceleration() ? next_a_ : next_.rate;
  for (const auto& [c, source] : lists_.integral) error_[c] = weight * (to[source] - from[source]);
}

template <class S>
void StructuralStepper<S>::accept() {
  std::swap(state_.y, next_.y);
  std::swap(state_.rate, next_.rate);
  state_.t = next_.t;
  std::swap(a_, next_a_);
  if (h_ != history_h_) {
    history_h_ = h_;
    history_.restart(state_);
  } else {
    history_.push(state_.y.data(), state_.rate.data());
  }
  if (!state_.chart.empty()) move_chart();
  clock_.advance();
  ++this->counts_.steps;
}

/// The new point becomes the origin of the chart; a and the points kept for guesses follow.
template <class S>
void StructuralStepper<S>::move_chart() {
  chart_points_y_.assign(1, state_.y.data());
  chart_points_rate_.assign(1, state_.rate.data());
  if (own_acceleration()) {
    chart_y_ = state_.y;
    for (const auto& [c, source] : lists_.integral) a_[c] = chart_y_[source];
    chart_points_y_.push_back(chart_y_.data());
    chart_points_rate_.push_back(a_.data());
  }
  history_.add_to(chart_points_y_, chart_points_rate_);
  target_.system->rebase(state_.chart.data(), chart_points_y_, chart_points_rate_);
  next_.chart = state_.chart;
}

template <class S>
std::vector<S> StructuralStepper<S>::memory() const {
  std::vector<S> m;
  history_.append_to(m);
  for (const int c : lists_.differential)
    if (own_acceleration()) m.push_back(a_[c]);
  if (varies_) m.push_back(history_h_);
  m.insert(m.end(), state_.chart.begin(), state_.chart.end());
  return m;
}

template <class S>
void StructuralStepper<S>::set_memory(const std::vector<S>& memory) {
  auto from = memory.begin();
  history_.take_from(from);
  history_h_ = this->step_size_;
  std::copy_n(history_.y(0), state_.y.size(), state_.y.begin());
  std::copy_n(history_.rate(0), state_.rate.size(), state_.rate.begin());
  for (const int c : lists_.differential)
    if (own_acceleration()) a_[c] = *from++;
  if (varies_) history_h_ = *from++;
  for (S& x : state_.chart) x = *from++;
  next_.chart = state_.chart;
}

template class StructuralStepper<double>;
template class StructuralStepper<real50>;
template class StructuralStepper<rational>;

}  // namespace daemark
