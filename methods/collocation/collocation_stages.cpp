#include "methods/collocation/collocation_stages.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear/dense_eigenvalues.hpp"
#include "base/linear/dense_solve.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/stages/weighted_sum.hpp"

namespace daemark {
namespace {

using Matrix = std::vector<std::vector<wide>>;

Matrix inverse_of(const Matrix& A) {
  const std::size_t s = A.size();
  Matrix out(s, std::vector<wide>(s));
  const auto pivot = largest_pivot([](const wide& x) { return wide(abs(x)); });
  for (std::size_t j = 0; j < s; ++j) {
    Matrix a = A;
    std::vector<wide> column(s, wide(0));
    column[j] = 1;
    solve_dense(a, column, pivot);
    for (std::size_t i = 0; i < s; ++i) out[i][j] = column[i];
  }
  return out;
}

std::vector<double> rounded(const Matrix& A) {
  std::vector<double> out;
  for (const auto& row : A)
    for (const wide& x : row) out.push_back(to_double(x));
  return out;
}

}  // namespace

CollocationFormula::CollocationFormula(const WideTableau& tableau)
    : stages(tableau.stages()), A(rounded(tableau.A)), ends_step(is_stiffly_accurate(tableau)) {
  const int s = stages;
  const Matrix once = inverse_of(tableau.A);
  Matrix twice(s, std::vector<wide>(s, wide(0)));
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      for (int k = 0; k < s; ++k) twice[i][j] += once[i][k] * once[k][j];
  inverse = rounded(once), inverse2 = rounded(twice);
  const bool at_start = tableau.c[0] == 0;
  if (at_start) estimate_start = 0, estimate.push_back(1);
  for (int j = at_start ? 1 : 0; j < s; ++j) {
    wide weight = -1;
    for (int k = at_start ? 1 : 0; k < s; ++k)
      if (k != j) weight *= -tableau.c[k] / (tableau.c[j] - tableau.c[k]);
    estimate.push_back(weight);
  }
  order = leading_error(tableau).order;
  estimate_order = at_start ? s : s + 1;
  std::vector<std::vector<double>> dense(s);
  for (int i = 0; i < s; ++i) dense[i].assign(&A[i * s], &A[i * s] + s);
  const Eigenvectors eigen = eigenvectors(dense);
  to_stages.assign(s * s, 0.0);
  int row = 0;
  std::complex<double> determinant = 1;
  for (int k = 0; k < s; ++k) {
    determinant *= eigen.values[k];
    if (eigen.values[k].imag() < 0) continue;  // its conjugate stands for the pair
    Part part{eigen.values[k], eigen.values[k].imag() == 0, {}, {}};
    const double weight = part.real ? 1 : 2;
    for (int i = 0; i < s; ++i) {
      part.to_part_re.push_back(eigen.inverse[k * s + i].real());
      part.to_part_im.push_back(eigen.inverse[k * s + i].imag());
      to_stages[i * s + row] = weight * eigen.vectors[i * s + k].real();
      if (!part.real) to_stages[i * s + row + 1] = -weight * eigen.vectors[i * s + k].imag();
    }
    row += part.real ? 1 : 2;
    if (part.real) gamma = part.eigenvalue.real(), has_real = true;
    parts.push_back(std::move(part));
  }
  if (!has_real) gamma = std::pow(std::abs(determinant), 1.0 / s);
}

template <class S>
StagePolynomial<S>::StagePolynomial(const std::vector<wide>& nodes)
    : points_(static_cast<int>(nodes.size()) + 1), skipped_(nodes[0] == 0 ? 1 : 0) {
  std::vector<wide> x = nodes;
  if (skipped_ == 0) x.insert(x.begin(), wide(0));
  const std::size_t count = x.size();
  for (const wide& node : x) nodes_.push_back(from_wide<S>(node));
  for (std::size_t j = 0; j < count; ++j) {
    wide scale = 1;
    std::vector<wide> product{wide(1)};  // Π_{k≠j} (θ − x_k), ascending powers
    for (std::size_t k = 0; k < count; ++k) {
      if (k == j) continue;
      scale /= x[j] - x[k];
      product.emplace_back(0);
      for (std::size_t p = product.size(); p-- > 1;)
        product[p] = product[p - 1] - x[k] * product[p];
      product[0] *= -x[k];
    }
    scale_.push_back(from_wide<S>(scale));
    for (const wide& coefficient : product)
      monomials_.push_back(from_wide<S>(wide(scale * coefficient)));
  }
}

template <class S>
void StagePolynomial<S>::value(const S& theta, S* weights) const {
  const std::size_t count = nodes_.size();
  const auto at = [&](std::size_t j) -> S& { return weights[j == 0 ? 0 : j + skipped_]; };
  weights[skipped_] = S(0);
  S before(1);  // Π_{k<j} (θ − x_k)
  for (std::size_t j = 0; j < count; ++j) {
    at(j) = scale_[j] * before;
    before *= theta - nodes_[j];
  }
  S behind(1);
  for (std::size_t j = count; j-- > 0;) {
    at(j) *= behind;
    behind *= theta - nodes_[j];
  }
}

template <class S>
void StagePolynomial<S>::integrals(const S& theta, S* once, S* twice) const {
  const int count = static_cast<int>(nodes_.size());
  once[skipped_] = twice[skipped_] = S(0);
  for (int j = 0; j < count; ++j) {
    S first(0), second(0);
    for (int k = count; k-- > 0;) {
      const S& coefficient = monomials_[static_cast<std::size_t>(j) * count + k];
      first = theta * first + coefficient / S(k + 1);
      second = theta * second + coefficient / S((k + 1) * (k + 2));
    }
    const int place = j == 0 ? 0 : j + skipped_;
    once[place] = theta * first;
    twice[place] = theta * theta * second;
  }
}

template class StagePolynomial<double>;
template class StagePolynomial<real50>;

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

template class CollocationStages<double>;
template class CollocationStages<real50>;

}  // namespace daemark
