#include "methods/collocation/collocation_stages.hpp"

#include <algorithm>
#include <cmath>

#include "methods/stages/weighted_sum.hpp"

namespace daemark {

template <class S>
StageFormula<S>::StageFormula(const WideTableau& tableau)
    : stages(tableau.stages()), rounded(tableau), polynomial(tableau.c) {
  for (const auto& row : tableau.A)
    for (const wide& a : row) A.push_back(from_wide<S>(a));
  for (const wide& node : tableau.c) c.push_back(from_wide<S>(node));
  for (const wide& weight : tableau.b) b.push_back(from_wide<S>(weight));
  for (const wide& weight : rounded.estimate) estimate.push_back(from_wide<S>(weight));
}

double StepWeights::operator()(const double* eq, const double* ev) const {
  double largest = 0, sum = 0;  // a maximum may lose a NaN, a sum does not
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double a = q[i] * std::abs(eq[i]), b = v[i] * std::abs(ev[i]);
    largest = std::max({largest, a, b});
    sum += a + b;
  }
  return std::isfinite(sum) ? largest : sum;
}

template <class S>
CollocationStages<S>::CollocationStages(const Target<S>& target, const ConstraintLevels<S>& levels,
                                        int most)
    : mechanism_(*target.mechanism),
      in_double_(*target.factor_mechanism),
      levels_(levels),
      n_(mechanism_.coordinates()),
      m_(mechanism_.constraints()),
      u_(n_ + m_),
      rows_(most + 2, target.system->size()),
      hA_(static_cast<std::size_t>(most) * most),
      residual_(n_ + 3 * m_),
      zeros_(u_, S(0)),
      weights_(static_cast<std::size_t>(most) + 1),
      hA_double_(hA_.size()),
      dv_(static_cast<std::size_t>(most) * n_),
      dq_(dv_.size()),
      no_(u_, 0.0),
      chart_double_(mechanism_.chart_size()),
      point_(3 * n_ + m_) {
  if (!levels_.stabilised) return;
  const Pattern& G = mechanism_.gradient_pattern();
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < n_; ++i) entries.emplace_back(i, i);
  for (const auto& [r, j] : G.entries) entries.emplace_back(j, n_ + r);
  for (const auto& [r, j] : G.entries) entries.emplace_back(n_ + r, j);
  gram_.set_pattern(u_, entries);
  gram_values_.assign(entries.size(), 1.0);
  right_.resize(u_), drift_.resize(static_cast<std::size_t>(most) * m_);
  position_.resize(drift_.size());
  gradients_.assign(static_cast<std::size_t>(most) * G.size(), S(0));
}

template <class S>
void CollocationStages<S>::begin(const State<S>& state, const S& h,
                                 const StageFormula<S>& formula) {
  formula_ = &formula;
  t_ = state.t, h_ = h;
  chart_ = state.chart.data();
  std::copy(state.y.begin(), state.y.end(), rows_.y(0));
  std::copy(state.rate.begin(), state.rate.end(), rows_.rate(0));
  for (std::size_t k = 0; k < formula.A.size(); ++k) {
    hA_[k] = h * formula.A[k];
    hA_double_[k] = to_double(hA_[k]);
  }
}

template <class S>
void CollocationStages<S>::predict(const StageRows<S>& last, const StageFormula<S>* last_formula,
                                   const S& ratio) {
  for (int i = 1; i <= formula_->stages; ++i) {
    S *const a = rows_.rate(i) + n_, *const lambda = rows_.y(i) + 2 * n_;
    std::fill_n(lambda, rows_.size - 2 * n_, S(0));
    if (!last_formula) {
      std::copy_n(rows_.rate(0) + n_, n_, a);
      std::copy_n(rows_.y(0) + 2 * n_, m_, lambda);
      continue;
    }
    last_formula->polynomial.value(S(1) + ratio * formula_->c[i - 1], weights_.data());
    const int count = last_formula->polynomial.points();
    weighted_sum(a, zeros_.data(), weights_.data(), last.rate(0) + n_, last.size, count, n_);
    weighted_sum(lambda, zeros_.data(), weights_.data(), last.y(0) + 2 * n_, last.size, count, m_);
  }
  integrate();
}

template <class S>
void CollocationStages<S>::integrate() {
  const int s = formula_->stages;
  for (int i = 0; i < s; ++i)
    weighted_sum(rows_.y(i + 1) + n_, rows_.y(0) + n_, &hA_[i * s], rows_.rate(1) + n_, rows_.size,
                 s, n_);
  integrate_positions();
}

template <class S>
void CollocationStages<S>::integrate_positions() {
  const int s = formula_->stages;
  const S* rates = rows_.y(1) + n_;
  if (levels_.stabilised) {
    const auto& entries = mechanism_.gradient_pattern().entries;
    for (int i = 1; i <= s; ++i) {
      S* const rate = rows_.rate(i);
      const S *const mu = rows_.y(i) + 2 * n_ + m_,
                     *G = &gradients_[static_cast<std::size_t>(i - 1) * entries.size()];
      std::copy_n(rows_.y(i) + n_, n_, rate);
      for (const auto& [r, j] : entries) rate[j] -= *G++ * mu[r];
    }
    rates = rows_.rate(1);
  }
  for (int i = 0; i < s; ++i)
    weighted_sum(rows_.y(i + 1), rows_.y(0), &hA_[i * s], rates, rows_.size, s, n_);
}

template <class S>
void CollocationStages<S>::reach_end() {
  const int s = formula_->stages, end = s + 1;
  if (formula_->rounded.ends_step) return;
  for (int j = 0; j < s; ++j) weights_[j] = h_ * formula_->b[j];
  S* const y = rows_.y(end);
  weighted_sum(y + n_, rows_.y(0) + n_, weights_.data(), rows_.rate(1) + n_, rows_.size, s, n_);
  const S* const rates = levels_.stabilised ? rows_.rate(1) : rows_.y(1) + n_;
  weighted_sum(y, rows_.y(0), weights_.data(), rates, rows_.size, s, n_);
  formula_->polynomial.value(S(1), weights_.data());
  weighted_sum(rows_.rate(end) + n_, zeros_.data(), weights_.data(), rows_.rate(0) + n_, rows_.size,
               s + 1, n_);
  weighted_sum(y + 2 * n_, zeros_.data(), weights_.data(), rows_.y(0) + 2 * n_, rows_.size, s + 1,
               m_);
}

template <class S>
MotionPoint<S> CollocationStages<S>::point(int row) const {
  const S* const y = rows_.y(row);
  return {time(row), y, y + n_, rows_.rate(row) + n_, y + 2 * n_, chart_};
}

template <class S>
void CollocationStages<S>::linearise(int row, const MotionValues<double>& out) {
  ConstraintWeights<double> weights{to_double(levels_.weights.position),
                                    to_double(levels_.weights.velocity),
                                    to_double(levels_.weights.acceleration)};
  if constexpr (std::is_same_v<S, double>) {
    in_double_.evaluate(point(row), weights, out);
  } else {
    const MotionPoint<S> from = point(row);
    const auto round = [](const S* values, int count, double* to) {
      for (int k = 0; k < count; ++k) to[k] = to_double(values[k]);
      return to;
    };
    double* const to = point_.data();
    in_double_.evaluate(
        {to_double(from.t), round(from.q, n_, to), round(from.v, n_, to + n_),
         round(from.a, n_, to + 2 * n_), round(from.lambda, m_, to + 3 * n_),
         round(chart_, static_cast<int>(chart_double_.size()), chart_double_.data())},
        weights, out);
  }
}

template <class S>
void CollocationStages<S>::end_values(double* rows, MotionValues<double> motion) {
  const int end = end_row();
  const auto name = [this](auto& out, auto* to) {
    out.residual = to, out.acceleration = to + n_;
    out.velocity = to + u_, out.position = to + u_ + m_;
  };
  if constexpr (std::is_same_v<S, double>) {
    name(motion, rows);
    mechanism_.evaluate(point(end), {}, motion);
  } else {
    linearise(end, motion);
    MotionValues<S> out;
    name(out, residual_.data());
    mechanism_.evaluate(point(end), {}, out);
    for (std::size_t k = 0; k < residual_.size(); ++k) rows[k] = to_double(residual_[k]);
  }
}

template <class S>
void CollocationStages<S>::residuals(double* x) {
  for (int i = 0; i < formula_->stages; ++i, x += u_) {
    MotionValues<S> out;
    if constexpr (std::is_same_v<S, double>)
      out.residual = x, out.weighted = x + n_;
    else
      out.residual = residual_.data(), out.weighted = residual_.data() + n_;
    if (levels_.stabilised) {
      out.position = position_.data() + static_cast<std::size_t>(i) * m_;
      out.gradient =
          &gradients_[static_cast<std::size_t>(i) * mechanism_.gradient_pattern().size()];
    }
    mechanism_.evaluate(point(i + 1), levels_.weights, out);
    if constexpr (!std::is_same_v<S, double>)
      for (int k = 0; k < u_; ++k) x[k] = to_double(residual_[k]);
  }
}

template <class S>
double CollocationStages<S>::apply(const double* x, const std::vector<double>& gradient,
                                   const StepWeights& weights) {
  // Elsewhere what corrections move is integrated anew: rounded, v and q would part from v̇.
  constexpr bool in_double = std::is_same_v<S, double>;
  const int s = formula_->stages;
  for (int i = 0; i < s; ++i) {
    S *const a = rows_.rate(i + 1) + n_, *const v = rows_.y(i + 1) + n_, *const lambda = v + n_;
    const double* const correction = x + i * u_;
    double* const dv = &dv_[i * n_];
    weighted_sum(dv, no_.data(), &hA_double_[i * s], x, u_, s, n_);
    for (int k = 0; k < n_; ++k) a[k] += S(correction[k]);
    if constexpr (in_double)
      for (int k = 0; k < n_; ++k) v[k] += dv[k];
    for (int k = 0; k < m_; ++k) lambda[k] += S(correction[n_ + k]);
  }
  double largest = 0, sum = 0;  // a maximum may lose a NaN, a sum does not
  const auto measure = [&](double size) { largest = std::max(largest, size), sum += size; };
  // Before the stabilisation: what q̇ takes back of Φ is a change of positions, over the step.
  for (int i = 0; i < s; ++i) measure(weights(no_.data(), &dv_[i * n_]));
  if (levels_.stabilised) stabilise(gradient);
  for (int i = 0; i < s; ++i) {
    double* const dq = &dq_[i * n_];
    weighted_sum(dq, no_.data(), &hA_double_[i * s], dv_.data(), n_, s, n_);
    if constexpr (in_double)
      if (!levels_.stabilised)
        for (int k = 0; k < n_; ++k) rows_.y(i + 1)[k] += dq[k];
    measure(weights(dq, no_.data()));
  }
  if constexpr (!in_double)
    integrate();
  else if (levels_.stabilised)
    integrate_positions();
  for (int k = 0; k < s * u_; ++k) sum += std::abs(x[k]);
  return std::isfinite(sum) ? largest : sum;
}

/// δμ = (G Gᵀ)⁻¹ ((hA)⁻¹ Φ + G δv), and what it adds to q̇: dv_ becomes δq̇.
template <class S>
void CollocationStages<S>::stabilise(const std::vector<double>& gradient) {
  const int s = formula_->stages;
  const double h = to_double(h_);
  const auto& entries = mechanism_.gradient_pattern().entries;
  for (int i = 0; i < s; ++i) {
    double* const rows = drift_.data() + i * m_;
    std::fill_n(rows, m_, 0.0);
    for (int j = 0; j < s; ++j) {
      const double weight = formula_->rounded.inverse[i * s + j] / h;
      for (int r = 0; r < m_; ++r) rows[r] += weight * to_double(position_[j * m_ + r]);
    }
    for (std::size_t k = 0; k < entries.size(); ++k)
      rows[entries[k].first] += gradient[k] * dv_[i * n_ + entries[k].second];
  }
  for (int i = 0; i < s; ++i) {
    std::fill_n(right_.begin(), n_, 0.0);
    std::copy_n(drift_.data() + i * m_, m_, right_.begin() + n_);
    gram_.solve(right_.data());  // (Gᵀδμ, −δμ)
    S* const mu = rows_.y(i + 1) + 2 * n_ + m_;
    for (int r = 0; r < m_; ++r) mu[r] -= S(right_[n_ + r]);
    for (int k = 0; k < n_; ++k) dv_[i * n_ + k] -= right_[k];
  }
}

template <class S>
bool CollocationStages<S>::factor_stabilisation(const std::vector<double>& gradient) {
  std::copy(gradient.begin(), gradient.end(), gram_values_.begin() + n_);
  std::copy(gradient.begin(), gradient.end(),
            gram_values_.begin() + n_ + static_cast<std::ptrdiff_t>(gradient.size()));
  return gram_.factor(gram_values_.data());
}

template <class S>
void CollocationStages<S>::project_position(double* e) {
  std::copy_n(e, n_, right_.begin());
  std::fill(right_.begin() + n_, right_.end(), 0.0);
  gram_.solve(right_.data());
  std::copy_n(right_.begin(), n_, e);
}

template struct StageFormula<double>;
template struct StageFormula<real50>;
template class CollocationStages<double>;
template class CollocationStages<real50>;

}  // namespace daemark
