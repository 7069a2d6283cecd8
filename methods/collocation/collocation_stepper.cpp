#include "methods/collocation/collocation_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace daemark {
namespace {

constexpr int most_iterations = 12;

template <class S>
ConstraintLevels<S> levels_of(const ImplicitSystem<S>& system) {
  const auto* mechanical = dynamic_cast<const MechanicalFormulation<S>*>(&system);
  const auto levels = mechanical ? mechanical->levels() : std::nullopt;
  if (!levels) throw std::logic_error("a formulation without levels");
  return *levels;
}

/// How often the constraints are integrated from Φ̈ to what is used.
template <class S>
int level_of(const ConstraintWeights<S>& weights) {
  return weights.acceleration != 0 ? 0 : weights.velocity != 0 ? 1 : 2;
}

template <class S>
ConstraintWeights<double> rounded(const ConstraintWeights<S>& w) {
  return {to_double(w.position), to_double(w.velocity), to_double(w.acceleration)};
}

template <class S>
std::vector<std::unique_ptr<StageFormula<S>>> made(const std::vector<WideTableau>& tableaus) {
  std::vector<std::unique_ptr<StageFormula<S>>> out;
  for (const WideTableau& tableau : tableaus)
    out.push_back(std::make_unique<StageFormula<S>>(tableau));
  return out;
}

}  // namespace

template <class S>
CollocationStepper<S>::CollocationStepper(const std::vector<WideTableau>& formulas,
                                          const Target<S>& target, const Settings& settings)
    : target_(target),
      levels_(levels_of(*target.system)),
      error_size_(target, settings.control),
      project_position_(settings.project.position),
      n_(target.mechanism->coordinates()),
      m_(target.mechanism->constraints()),
      u_(n_ + m_),
      size_(target.system->size()),
      level_(m_ == 0 ? 0 : level_of(levels_.weights)),
      tol_(settings.control.tol),
      kappa_(level_ == 2 ? 4e-4 : 2e-3),
      formulas_(made<S>(formulas)),
      corrector_(*target.factor_mechanism, rounded(levels_.weights), level_,
                 formulas_.back()->stages),
      stages_(target, levels_, formulas_.back()->stages),
      last_(formulas_.back()->stages + 2, size_),
      weights_{std::vector<double>(n_), std::vector<double>(n_)},
      corrections_(static_cast<std::size_t>(formulas_.back()->stages) * u_),
      eq_(n_),
      ev_(n_),
      end_(n_ + 3 * m_),
      dense_(2 * (static_cast<std::size_t>(formulas_.back()->stages) + 1)) {}

template <class S>
void CollocationStepper<S>::start(const State<S>& initial, const S& h) {
  state_ = next_ = initial;
  this->step_size_ = h;
  history_ = next_history_ = StepHistory{};
}

/// By the state at the beginning: what one step decides by does not change within it.
template <class S>
void CollocationStepper<S>::set_weights(const S& h) {
  const auto size = [this](int c) { return std::abs(to_double(state_.y[c])); };
  const double step = to_double(h);
  for (int i = 0; i < n_; ++i) {
    weights_.q[i] = 1 / error_size_.allowed(i, size(i));
    weights_.v[i] =
        level_ == 2 ? step * weights_.q[i] : 1 / error_size_.allowed(n_ + i, size(n_ + i));
  }
}

/// tol_s/tol.
template <class S>
double CollocationStepper<S>::accepted_part() const {
  const CollocationFormula& used = formula().rounded;
  const double part = level_ == 2 ? 0.01 : level_ == 1 && used.stages > 3 ? 1 : 0.1;
  return part * std::pow(tol_, static_cast<double>(used.estimate_order) / used.order - 1);
}

template <class S>
double CollocationStepper<S>::first_step(double span) {
  double largest = 0;
  for (int i = 0; i < n_; ++i)
    largest = std::max(largest, std::abs(to_double(state_.rate[n_ + i])) /
                                    (1 + std::abs(to_double(state_.y[n_ + i]))));
  const double most = span / 100, order = formula().rounded.estimate_order;
  if (!(largest > 0)) return most;
  return std::min(most, 0.5 * std::pow(accepted_part() * tol_, 1 / order) / largest);
}

/// At the current middle stage.
template <class S>
bool CollocationStepper<S>::linearise(CorrectorMode mode, double h) {
  KktMatrix& matrix = corrector_.matrix();
  const int middle = (formula().stages + 1) / 2;
  stages_.linearise(middle,
                    mode == CorrectorMode::inertial ? matrix.motion_values() : matrix.values());
  if (mode != CorrectorMode::inertial) ++this->counts_.jacobian_evals;
  const bool ok = corrector_.factor(mode, formula().rounded, h);
  this->counts_.factorizations += corrector_.factored();
  if (!ok || !stages_.stabilised()) return ok;
  ++this->counts_.factorizations;
  return stages_.factor_stabilisation(matrix.gradient());
}

template <class S>
typename CollocationStepper<S>::Outcome CollocationStepper<S>::iterate(CorrectorMode mode) {
  constexpr double floor = 0.3, slow_rate = 0.3;
  double rate = std::pow(std::max(history_.rate, 1e-16), 0.8), last = 0;
  for (int i = 1; i <= most_iterations; ++i) {
    stages_.residuals(corrections_.data());
    this->counts_.residual_evals += formula().stages;
    corrector_.correct(corrections_.data());
    ++this->counts_.newton_iterations, ++iterations_;
    const double size =
        stages_.apply(corrections_.data(), corrector_.matrix().gradient(), weights_);
    if (!std::isfinite(size)) return Outcome::not_finite;
    if (i > 1) {
      const double theta = size / last;
      next_history_.contraction = theta;
      if (theta >= 1) {  // round-off, or no convergence
        if (size > floor) return Outcome::diverged;
        ++this->counts_.floor_stops;
        return Outcome::converged;
      }
      if (mode == CorrectorMode::inertial && theta > slow_rate) return Outcome::slow;
      rate = theta / (1 - theta);
      if (rate * size * std::pow(theta, most_iterations - 1 - i) > kappa_ && size > floor)
        return Outcome::diverged;
    }
    if (rate * size <= kappa_) {
      next_history_.rate = rate;
      return Outcome::converged;
    }
    last = size;
  }
  return last <= floor ? Outcome::converged : Outcome::diverged;
}

template <class S>
StepReport CollocationStepper<S>::failure(Outcome outcome) const {
  if (outcome == Outcome::not_finite) return {Status::not_finite, "the stages are not finite"};
  return {Status::newton_diverged, "Newton's iteration on the stages does not converge"};
}

template <class S>
StepReport CollocationStepper<S>::solve(const S& h) {
  const StageFormula<S>* last =
      history_.last_formula < 0 ? nullptr : formulas_[history_.last_formula].get();
  const S ratio = last ? S(h / history_.last_step) : S(1);
  auto mode = history_.steps_split < 0 ? CorrectorMode::inertial : CorrectorMode::split;
  stages_.predict(last_, last, ratio);
  for (;;) {
    if (!linearise(mode, to_double(h))) {
      if (corrector_.matrix().status() == LuStatus::not_finite)
        return {Status::not_finite, "a value in the Newton matrix is not finite"};
      return {Status::singular_matrix, "the Newton matrix is singular to working precision"};
    }
    const Outcome outcome = iterate(mode);
    if (outcome == Outcome::converged) return {};
    ++this->counts_.failed_solves;
    if (mode == CorrectorMode::split) return failure(outcome);
    mode = CorrectorMode::split;
    next_history_.steps_split = 0;
    if (outcome != Outcome::slow) stages_.predict(last_, last, ratio);
  }
}

template <class S>
void CollocationStepper<S>::estimate(double h) {
  const CollocationFormula& rounded = formula().rounded;
  const StageRows<S>& rows = stages_.rows();
  const double gamma = h * rounded.gamma;
  const bool stabilised = stages_.stabilised();
  for (int i = 0; i < n_; ++i) {
    const S start(rounded.estimate_start);
    S eq = start * rows.y(0)[n_ + i], ev = start * rows.rate(0)[n_ + i];
    for (int j = 0; j < rounded.stages; ++j) {
      const S& weight = formula().estimate[j];
      eq += weight * (stabilised ? rows.rate(j + 1)[i] : rows.y(j + 1)[n_ + i]);
      ev += weight * rows.rate(j + 1)[n_ + i];
    }
    eq_[i] = gamma * to_double(eq), ev_[i] = gamma * to_double(ev);
  }
  corrector_.filter(eq_.data(), ev_.data());
  if (stabilised) stages_.project_position(eq_.data());
  const double size = weights_(eq_.data(), ev_.data()) / accepted_part();
  advice_.error = std::isfinite(size) ? size : 1e10;
  advice_.order = rounded.estimate_order;
  advice_.caution = (2.0 * most_iterations + 1) / (2.0 * most_iterations + iterations_);
}

/// The step end from its row, and what [M Gᵀ; G 0] there adds.
template <class S>
StepReport CollocationStepper<S>::finish() {
  const bool ends = formula().rounded.ends_step;
  stages_.reach_end();
  const StageRows<S>& rows = stages_.rows();
  const int end = stages_.end_row();
  std::copy_n(rows.y(end), size_, next_.y.begin());
  std::copy_n(rows.rate(end), size_, next_.rate.begin());
  S *const q = next_.y.data(), *const v = q + n_, *const lambda = v + n_;
  if (level_ > 0 || !ends) {
    double* const rows_end = end_.data();
    KktMatrix& matrix = corrector_.matrix();
    stages_.end_values(rows_end, matrix.motion_values());
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    if (!matrix.factor_motion())
      return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
    double* const x = corrections_.data();
    const auto solve = [&](const double* dynamic, const double* constraint) {
      for (int i = 0; i < n_; ++i) x[i] = dynamic ? dynamic[i] : 0;
      std::copy_n(constraint, m_, x + n_);
      matrix.solve_motion(x);
    };
    solve(rows_end, rows_end + n_);
    for (int i = 0; i < n_; ++i) next_.rate[n_ + i] -= S(x[i]);
    for (int i = 0; i < m_; ++i) lambda[i] -= S(x[n_ + i]);
    if (level_ > 0 && (!ends || !stages_.stabilised())) {
      solve(nullptr, rows_end + u_);
      for (int i = 0; i < n_; ++i) v[i] -= S(x[i]);
    }
    if (level_ > 0 && (!ends || (level_ == 1 && project_position_ && !stages_.stabilised()))) {
      solve(nullptr, rows_end + u_ + m_);
      for (int i = 0; i < n_; ++i) q[i] -= S(x[i]);
    }
  }
  std::copy_n(v, n_, next_.rate.begin());
  std::fill(next_.y.begin() + 2 * n_ + m_, next_.y.end(), S(0));
  std::fill(next_.rate.begin() + 2 * n_, next_.rate.end(), S(0));
  for (const S& y : next_.y)
    if (!std::isfinite(to_double(y))) return {Status::not_finite, "the state is not finite"};
  return {};
}

template <class S>
StepReport CollocationStepper<S>::attempt(const S& h) {
  next_history_ = history_;
  iterations_ = 0;
  next_.t = state_.t + h;
  set_weights(h);
  stages_.begin(state_, h, formula());
  StepReport report = solve(h);
  if (report.status != Status::ok) return report;
  estimate(to_double(h));
  report = finish();
  next_history_.last_formula = history_.formula;
  next_history_.last_step = h;
  ++next_history_.since_change;
  if (next_history_.steps_split >= 0) {
    constexpr int wait = 10;
    if (++next_history_.steps_split > wait && corrector_.is_inertial())
      next_history_.steps_split = -1;
  }
  return report;
}

template <class S>
void CollocationStepper<S>::accept() {
  std::swap(state_, next_);
  std::swap(stages_.rows().values, last_.values);
  std::swap(stages_.rows().rates, last_.rates);
  history_ = next_history_;
  if (formulas_.size() > 1) choose_order();
  if (!state_.chart.empty()) rebase();
  ++this->counts_.steps;
}

template <class S>
void CollocationStepper<S>::choose_order() {
  constexpr double fast = 0.002, slow = 0.8;
  constexpr int wait = 10;
  if (history_.since_change < wait) return;
  const int most = static_cast<int>(formulas_.size()) - 1;
  int wanted = history_.formula;
  if (history_.contraction <= fast && wanted < most) ++wanted;
  if (history_.contraction >= slow && wanted > 0) --wanted;
  if (wanted == history_.formula) return;
  history_.formula = wanted;
  history_.since_change = 0;
}

/// The new state becomes the origin of the chart; the rows of the step follow.
template <class S>
void CollocationStepper<S>::rebase() {
  chart_points_y_.assign(1, state_.y.data());
  chart_points_rate_.assign(1, state_.rate.data());
  const int stages = formulas_[history_.last_formula]->stages;
  for (int i = 0; i <= stages; ++i) {
    if (!stages_.stabilised()) std::copy_n(last_.y(i) + n_, n_, last_.rate(i));
    chart_points_y_.push_back(last_.y(i));
    chart_points_rate_.push_back(last_.rate(i));
  }
  target_.system->rebase(state_.chart.data(), chart_points_y_, chart_points_rate_);
  next_.chart = state_.chart;
}

/// On charts no step can be seen from another chart than that of its beginning; on index 2 and 3
/// the stages' v̇ and λ are of lower order than step ends.
template <class S>
InsideOrders CollocationStepper<S>::dense_orders() const {
  if (level_ > 0 || !state_.chart.empty()) return {formulas_.size() > 1 ? -1 : 0};
  const CollocationFormula& used = formulas_.front()->rounded;
  const int motion = std::min(used.order, used.estimate_order + 1);
  return {motion, motion, std::min(used.order, used.estimate_order)};
}

// v̇ is the polynomial through the beginning and the stages; what its integrals miss of the step end
// (nothing but projections and round-off) is added smoothly.
template <class S>
void CollocationStepper<S>::inside(const S& theta, State<S>& at) const {
  const StageFormula<S>& used = *formulas_[history_.last_formula];
  const S h = history_.last_step;
  const int count = used.polynomial.points();
  S *const once = dense_.data(), *const twice = once + count;
  at = state_;
  const auto value = [&](const S& where, int i, S& q, S& v) {
    used.polynomial.integrals(where, once, twice);
    S first(0), second(0);
    for (int j = 0; j < count; ++j) {
      const S& a = last_.rate(j)[n_ + i];
      first += once[j] * a, second += twice[j] * a;
    }
    v = last_.y(0)[n_ + i] + h * first;
    q = last_.y(0)[i] + h * (where * last_.y(0)[n_ + i] + h * second);
  };
  const S blend = theta * theta * (S(3) - S(2) * theta);
  for (int i = 0; i < n_; ++i) {
    S q, v, q_end, v_end;
    value(S(1), i, q_end, v_end);
    value(theta, i, q, v);
    at.y[i] = q + blend * (state_.y[i] - q_end);
    at.y[n_ + i] = v + blend * (state_.y[n_ + i] - v_end);
    at.rate[i] = at.y[n_ + i];
  }
  const auto polynomial = [&](const std::vector<S>& values, int i, const std::vector<S>& end) {
    S x(0), x_end(0);
    for (int j = 0; j < count; ++j) {
      const S& value = values[static_cast<std::size_t>(j) * size_ + i];
      x += once[j] * value, x_end += twice[j] * value;
    }
    return S(x + blend * (end[i] - x_end));
  };
  used.polynomial.value(theta, once);
  used.polynomial.value(S(1), twice);
  for (int i = n_; i < 2 * n_; ++i) at.rate[i] = polynomial(last_.rates, i, state_.rate);
  for (int i = 2 * n_; i < 2 * n_ + m_; ++i) at.y[i] = polynomial(last_.values, i, state_.y);
}

template <class S>
std::vector<S> CollocationStepper<S>::memory() const {
  std::vector<S> m = state_.y;
  for (const auto* more : {&state_.rate, &state_.chart, &last_.values, &last_.rates})
    m.insert(m.end(), more->begin(), more->end());
  const StepHistory& c = history_;
  for (const double x : {c.rate, c.contraction, double(c.formula), double(c.last_formula),
                         double(c.steps_split), double(c.since_change)})
    m.emplace_back(x);
  m.push_back(c.last_step);
  return m;
}

template <class S>
void CollocationStepper<S>::set_memory(const std::vector<S>& memory) {
  auto from = memory.begin();
  for (auto* to : {&state_.y, &state_.rate, &state_.chart, &last_.values, &last_.rates}) {
    std::copy_n(from, to->size(), to->begin());
    from += static_cast<std::ptrdiff_t>(to->size());
  }
  next_.chart = state_.chart;
  StepHistory& c = history_;
  for (double* x : {&c.rate, &c.contraction}) *x = to_double(*from++);
  for (int* x : {&c.formula, &c.last_formula, &c.steps_split, &c.since_change})
    *x = static_cast<int>(to_double(*from++));
  c.last_step = *from;
}

template class CollocationStepper<double>;
template class CollocationStepper<real50>;

}  // namespace daemark
