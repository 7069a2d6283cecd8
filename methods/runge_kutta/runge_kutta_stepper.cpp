#include "methods/runge_kutta/runge_kutta_stepper.hpp"

#include <algorithm>

#include "methods/stages/point_history.hpp"
#include "methods/stages/weighted_sum.hpp"

namespace daemark {

template <class S>
RungeKuttaStepper<S>::RungeKuttaStepper(const RungeKuttaForm& form, const Target<S>& target,
                                        const Settings& settings)
    : form_(form),
      target_(target),
      layout_(std::make_shared<const StageLayout>(*target.factor_system)),
      lists_(layout_->lists),
      s_(form.tableau.stages()),
      size_(target.system->size()),
      explicit_(is_explicit(form.tableau)),
      stiffly_accurate_(is_stiffly_accurate(form.tableau)),
      explicit_first_(has_explicit_first_stage(form.tableau)),
      carry_(form.first_same_as_last && explicit_first_ && stiffly_accurate_),
      extrapolate_(!explicit_ && settings.predictor == Predictor::extrapolated) {
  for (int i = 0; i < s_; ++i) {
    if constexpr (is_exact<S>)
      c_.push_back(form.exact->c[i]);
    else
      c_.push_back(from_wide<S>(form.tableau.c[i]));
  }
  stage_y_.assign(static_cast<std::size_t>(s_) * size_, S(0));
  stage_rate_ = stage_y_;
  if (extrapolate_) last_y_ = last_rate_ = stage_y_;
  build_blocks(settings);
  build_sums(settings.control.on() && !form.tableau.embedded.empty());
  if (settings.control.on()) build_dense();
  if (extrapolate_) build_extrapolation();
  if (!explicit_ && settings.predictor >= Predictor::hermite2) build_hermite(settings.predictor);
}

template <class S>
void RungeKuttaStepper<S>::build_blocks(const Settings& settings) {
  const auto& A = form_.tableau.A;
  const NewtonSettings newton = newton_for(settings, leading_error(form_.tableau));
  for (int first = 0; first < s_;) {
    // A block ends where no stage inside depends on a later one.
    int end = first + 1;
    for (int i = first; i < end; ++i)
      for (int j = s_ - 1; j >= end; --j)
        if (A[i][j] != 0) end = j + 1;
    StageBlock<S> block{first, end - first, nullptr};
    if (block.count > 1 || A[first][first] != 0) {
      DenseMatrix<wide> B(block.count, std::vector<wide>(block.count));
      for (int i = 0; i < block.count; ++i)
        for (int j = 0; j < block.count; ++j) B[i][j] = A[first + i][first + j];
      DenseMatrix<rational> exact;
      if constexpr (is_exact<S>)
        for (int i = first; i < end; ++i)
          exact.emplace_back(form_.exact->A[i].begin() + first, form_.exact->A[i].begin() + end);
      block.system = std::make_unique<StageSystem<S>>(
          target_, StageCoefficients(std::move(B), std::move(exact)), newton, layout_);
    }
    blocks_.push_back(std::move(block));
    first = end;
  }
}

template <class S>
typename RungeKuttaStepper<S>::Sum RungeKuttaStepper<S>::sum_of(const std::vector<wide>& weights,
                                                                const std::vector<rational>* exact,
                                                                int count) const {
  Sum sum;
  for (int j = 0; j < count; ++j) {
    if (weights[j] == 0) continue;
    if constexpr (is_exact<S>)
      sum.weights.push_back((*exact)[j]);
    else
      sum.weights.push_back(from_wide<S>(weights[j]));
    sum.offsets.push_back(j * size_);
  }
  sum.scaled = sum.weights;
  return sum;
}

template <class S>
void RungeKuttaStepper<S>::build_sums(bool with_error) {
  const auto exactly = [this](int i) { return form_.exact ? &form_.exact->A[i] : nullptr; };
  for (const StageBlock<S>& block : blocks_)
    for (int i = block.first; i < block.first + block.count; ++i)
      stage_sums_.push_back(sum_of(form_.tableau.A[i], exactly(i), block.first));
  end_sum_ = sum_of(form_.tableau.b, form_.exact ? &form_.exact->b : nullptr, s_);
  unused_.assign(s_, false);
  if constexpr (!is_exact<S>) {
    if (with_error) {
      std::vector<wide> difference = form_.tableau.b;
      for (int j = 0; j < s_; ++j) difference[j] -= form_.tableau.embedded[j];
      error_sum_ = sum_of(difference, nullptr, s_);
      error_.assign(size_, S(0));
      zero_state_ = error_;
      return;
    }
  }
  for (int i = s_ - 1; i > 0 && explicit_; --i) {
    unused_[i] = form_.tableau.b[i] == 0 && !(stiffly_accurate_ && i == s_ - 1);
    for (int j = i + 1; j < s_; ++j)
      if (form_.tableau.A[j][i] != 0 && !unused_[j]) unused_[i] = false;
  }
}

/// Lagrange extrapolation from the distinct nodes c_j of a step to 1 + c_i.
template <class S>
void RungeKuttaStepper<S>::build_extrapolation() {
  const auto& c = form_.tableau.c;
  for (int i = 0; i < s_; ++i)
    for (int j = 0; j < s_; ++j) {
      wide weight = 1;
      for (int k = 0; k < s_; ++k) {
        if (k == j) continue;
        if (c[k] == c[j]) {  // confluent nodes: no interpolant, fall back to the constant guess
          extrapolate_ = false;
          return;
        }
        weight *= (1 + c[i] - c[k]) / (c[j] - c[k]);
      }
      extrapolation_.push_back(from_wide<F>(weight));
    }
  rounded_y_.resize(stage_y_.size()), rounded_rate_.resize(stage_y_.size());
  guess_.resize(size_), zeros_.assign(size_, F(0));
}

/// Zhang 2022, section 3.1: stages solved one at a time take eq. (12) from two earlier points, the
/// last one eq. (16) from three under `hermite4`; the first has only the step's beginning.
template <class S>
void RungeKuttaStepper<S>::build_hermite(Predictor predictor) {
  hermite_.resize(s_);
  for (const StageBlock<S>& block : blocks_) {
    if (block.count > 1) continue;
    const int i = block.first;
    const std::size_t wanted = predictor == Predictor::hermite4 && i == s_ - 1 ? 3 : 2;
    HermiteGuess guess;
    std::vector<wide> times;
    for (int j = i - 1; j >= -1 && guess.points.size() < wanted; --j) {
      if (j == 0 && explicit_first_) continue;  // is the step's beginning
      guess.points.push_back(j);
      times.push_back(j < 0 ? wide(0) : form_.tableau.c[j]);
    }
    const wide at = form_.tableau.c[i];
    bool distinct = guess.points.size() >= 2;
    for (std::size_t j = 0; j < times.size(); ++j) {
      distinct = distinct && times[j] != at;
      for (std::size_t k = 0; k < j; ++k) distinct = distinct && times[j] != times[k];
    }
    if (!distinct) continue;
    const HermiteWeights weights = hermite_rate(times, at);
    for (std::size_t j = 0; j < times.size(); ++j) {
      guess.m.push_back(from_wide<S>(weights.m[j]));
      guess.n.push_back(from_wide<S>(weights.n[j]));
    }
    hermite_[i] = std::move(guess);
  }
}

template <class S>
bool RungeKuttaStepper<S>::hermite_guess(StageBlock<S>& block) {
  if (hermite_.empty() || hermite_[block.first].points.empty()) return false;
  const HermiteGuess& g = hermite_[block.first];
  const int newest = g.points[0];
  S* target_rate = block.system->rate(0);
  for (int c : lists_.differential) target_rate[c] = S(0);
  for (std::size_t j = 0; j < g.points.size(); ++j) {
    const S* from_y = g.points[j] < 0 ? state_.y.data() : y(g.points[j]);
    const S* from_rate = g.points[j] < 0 ? state_.rate.data() : rate(g.points[j]);
    const S m = g.m[j] / h_;
    for (int c : lists_.differential) target_rate[c] += m * from_y[c] + g.n[j] * from_rate[c];
  }
  const S* last = newest < 0 ? state_.y.data() : y(newest);
  for (int c : lists_.algebraic) block.system->y(0)[c] = last[c];
  return true;
}

template <class S>
void RungeKuttaStepper<S>::start(const State<S>& initial, const S& h) {
  state_ = next_ = initial;
  this->step_size_ = h;
  clock_.start(initial.t, h);
  has_history_ = false;
  set_step(h);
}

template <class S>
void RungeKuttaStepper<S>::set_step(const S& h) {
  h_ = h;
  const auto scale = [&h](Sum& sum) {
    for (std::size_t j = 0; j < sum.weights.size(); ++j) sum.scaled[j] = h * sum.weights[j];
  };
  for (Sum& sum : stage_sums_) scale(sum);
  scale(end_sum_);
  scale(error_sum_);
}

/// to := base + h Σ_j a_j ẏ_j for all but the algebraic components.
template <class S>
void RungeKuttaStepper<S>::add_rates(const Sum& sum, const S* base, S* to) const {
  for (const ComponentRun& run : lists_.state_runs)
    sparse_weighted_sum(to + run.to, base + run.to, sum.scaled.data(), sum.offsets.data(),
                        rate(0) + run.to, static_cast<int>(sum.offsets.size()), run.length);
}

template <class S>
StepReport RungeKuttaStepper<S>::explicit_stage(int stage) {
  if (unused_[stage]) return {};
  if (stage == 0 && explicit_first_) {
    // ẏ_k is part of the state: the last stage's, or from the solve that finished the last step.
    std::copy(state_.y.begin(), state_.y.end(), y(0));
    std::copy(state_.rate.begin(), state_.rate.end(), rate(0));
    return {};
  }
  add_rates(stage_sums_[stage], state_.y.data(), y(stage));
  for (int c : lists_.algebraic) y(stage)[c] = state_.y[c];
  ++this->counts_.residual_evals;
  ++this->counts_.factorizations;
  // A last stage whose rate the next step begins with is at the clock's time of the step end.
  const S t = carry_ && stage == s_ - 1 ? next_.t : S(state_.t + c_[stage] * h_);
  if (!target_.system->explicit_rates(y(stage), rate(stage), t, state_.chart.data()))
    return {Status::singular_matrix, "the index-1 matrix is singular at a stage"};
  return {};
}

template <class S>
void RungeKuttaStepper<S>::guess(StageBlock<S>& block) {
  if (hermite_guess(block)) return;
  // The interpolant of the last step is carried on by one step of the same size.
  if (extrapolate_ && has_history_ && h_ == last_h_) return extrapolate(block);
  for (int i = 0; i < block.count; ++i) {
    S* target_rate = block.system->rate(i);
    S* target_y = block.system->y(i);
    for (int c : lists_.differential) target_rate[c] = state_.rate[c];
    for (int c : lists_.algebraic) target_y[c] = state_.y[c];
  }
}

template <class S>
void RungeKuttaStepper<S>::extrapolate(StageBlock<S>& block) {
  const auto rounded = [](const std::vector<S>& from, std::vector<F>& to) -> const F* {
    if constexpr (std::is_same_v<S, F>) {
      return from.data();
    } else {
      for (std::size_t k = 0; k < from.size(); ++k) to[k] = static_cast<F>(from[k]);
      return to.data();
    }
  };
  const F* const last_y = rounded(last_y_, rounded_y_);
  const F* const last_rate = rounded(last_rate_, rounded_rate_);
  for (int i = 0; i < block.count; ++i) {
    const F* const weights = &extrapolation_[(block.first + i) * s_];
    const auto take = [&](const ComponentRun& run, const F* source, S* to) {
      F* const sums = guess_.data();
      weighted_sum(sums, zeros_.data(), weights, source + run.from, size_, s_, run.length);
      for (int k = 0; k < run.length; ++k) to[run.to + k] = S(sums[k]);
    };
    for (const ComponentRun& run : lists_.differential_runs)
      take(run, last_rate, block.system->rate(i));
    for (const ComponentRun& run : lists_.algebraic_runs) take(run, last_y, block.system->y(i));
  }
}

template <class S>
StepReport RungeKuttaStepper<S>::implicit_block(StageBlock<S>& block) {
  for (int i = 0; i < block.count; ++i) {
    add_rates(stage_sums_[block.first + i], state_.y.data(), block.system->base(i));
    block.system->time(i) = state_.t + c_[block.first + i] * h_;
  }
  block.system->set_chart(state_.chart);
  const auto fill = [&] { guess(block); };
  const int i = block.first, last = i - 1;
  const StagePoint<S> beginning{state_.y.data(), state_.rate.data(), S(c_[i] * h_)};
  const StepReport report =
      last < (explicit_first_ ? 1 : 0)
          ? block.system->solve(h_, this->counts_, fill, {beginning})
          : block.system->solve(h_, this->counts_, fill,
                                {{y(last), rate(last), S((c_[i] - c_[last]) * h_)}, beginning});
  if (report.status != Status::ok) return report;
  for (int k = 0; k < block.count; ++k) {
    std::copy_n(block.system->y(k), size_, y(i + k));
    std::copy_n(block.system->rate(k), size_, rate(i + k));
  }
  return report;
}

template <class S>
StepReport RungeKuttaStepper<S>::finish() {
  if (stiffly_accurate_) {
    std::copy_n(y(s_ - 1), size_, next_.y.begin());
    std::copy_n(rate(s_ - 1), size_, next_.rate.begin());
    if (!explicit_first_ || carry_) return {};
  } else {
    add_rates(end_sum_, state_.y.data(), next_.y.data());
  }
  // ẏ and the multipliers at the step end from the index-1 solve.
  ++this->counts_.residual_evals;
  ++this->counts_.factorizations;
  if (!target_.system->explicit_rates(next_.y.data(), next_.rate.data(), next_.t,
                                      next_.chart.data()))
    return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
  return {};
}

/// h Σ_j (b_j − b̂_j) ẏ_j.
template <class S>
void RungeKuttaStepper<S>::estimate_error() {
  if (!error_.empty()) add_rates(error_sum_, zero_state_.data(), error_.data());
}

template <class S>
StepReport RungeKuttaStepper<S>::attempt(const S& h) {
  clock_.change(state_.t, h);
  if (h != h_) set_step(h);
  extended_ = false;
  next_.t = clock_.next();
  for (StageBlock<S>& block : blocks_) {
    const StepReport report = block.system ? implicit_block(block) : explicit_stage(block.first);
    if (report.status != Status::ok) return report;
  }
  const StepReport report = finish();
  if (report.status != Status::ok) return report;
  if constexpr (!is_exact<S>)
    for (const ComponentRun& run : lists_.state_runs)
      for (int c = run.to; c < run.to + run.length; ++c)
        if (!std::isfinite(to_double(next_.y[c])))
          return {Status::not_finite, "the state is not finite"};
  estimate_error();
  return {};
}

template <class S>
void RungeKuttaStepper<S>::accept() {
  std::swap(state_, next_);
  if (extrapolate_) {
    std::swap(last_y_, stage_y_);
    std::swap(last_rate_, stage_rate_);
    has_history_ = true;
    last_h_ = h_;
  }
  if (!state_.chart.empty()) rebase();
  clock_.advance();
  ++this->counts_.steps;
}

/// The new state becomes the origin of the chart; stages kept for the predictor follow.
template <class S>
void RungeKuttaStepper<S>::rebase() {
  chart_points_y_.assign(1, state_.y.data());
  chart_points_rate_.assign(1, state_.rate.data());
  if (extrapolate_)
    for (int i = 0; i < s_; ++i) {
      chart_points_y_.push_back(&last_y_[static_cast<std::size_t>(i) * size_]);
      chart_points_rate_.push_back(&last_rate_[static_cast<std::size_t>(i) * size_]);
    }
  chart_points_y_.insert(chart_points_y_.end(), carried_y_.begin(), carried_y_.end());
  chart_points_rate_.insert(chart_points_rate_.end(), carried_rate_.begin(), carried_rate_.end());
  target_.system->rebase(state_.chart.data(), chart_points_y_, chart_points_rate_);
  next_.chart = state_.chart;
}

template <class S>
std::vector<S> RungeKuttaStepper<S>::memory() const {
  std::vector<S> m = state_.y;
  m.insert(m.end(), state_.rate.begin(), state_.rate.end());
  m.insert(m.end(), state_.chart.begin(), state_.chart.end());
  if (extrapolate_) {
    m.push_back(S(has_history_ ? 1 : 0));
    m.insert(m.end(), last_y_.begin(), last_y_.end());
    m.insert(m.end(), last_rate_.begin(), last_rate_.end());
  }
  return m;
}

template <class S>
void RungeKuttaStepper<S>::set_memory(const std::vector<S>& memory) {
  auto from = memory.begin();
  const auto take = [&from](std::vector<S>& to) {
    std::copy_n(from, to.size(), to.begin());
    from += static_cast<std::ptrdiff_t>(to.size());
  };
  take(state_.y);
  take(state_.rate);
  take(state_.chart);
  next_.chart = state_.chart;
  if (!extrapolate_) return;
  has_history_ = *from++ != 0;
  take(last_y_);
  take(last_rate_);
  last_h_ = this->step_size_;
}

template class RungeKuttaStepper<double>;
template class RungeKuttaStepper<real50>;
template class RungeKuttaStepper<rational>;

}  // namespace daemark
