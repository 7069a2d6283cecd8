#include "methods/stages/stage_system.hpp"

#include <algorithm>
#include <cmath>

#include "methods/stages/stage_matrix.hpp"
#include "methods/stages/weighted_sum.hpp"

namespace daemark {
namespace {

std::vector<char> block_coupling(const StageCoefficients& coefficients) {
  const DenseMatrix<wide>& B = coefficients.B;
  const int r = static_cast<int>(B.size());
  std::vector<char> coupled(r * r, 0);
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) {
      wide square = 0;
      if (coefficients.position.empty())
        for (int k = 0; k < r; ++k) square += B[i][k] * B[k][j];
      else
        square = coefficients.position[i][j];
      coupled[i * r + j] = B[i][j] != 0 || square != 0;
    }
  return coupled;
}

/// B in the arithmetic it is kept in: exactly where it is known so, at 130 digits otherwise.
template <class C>
DenseMatrix<C> in_arithmetic(const DenseMatrix<wide>& B, const DenseMatrix<rational>& exact_B) {
  if constexpr (std::is_same_v<C, wide>) {
    return B;
  } else {
    if (!exact_B.empty()) return exact_B;
    DenseMatrix<C> result;
    for (const auto& row : B) {
      result.emplace_back();
      for (const wide& x : row) result.back().push_back(from_wide<C>(x));
    }
    return result;
  }
}

template <class S, class C>
S narrow(const C& x) {
  if constexpr (std::is_same_v<S, C>) {
    return x;
  } else {
    return from_wide<S>(x);
  }
}

template <class S>
S power(const S& h, int exponent) {
  S result(1);
  for (int i = 0; i < std::abs(exponent); ++i)
    result = exponent > 0 ? S(result * h) : S(result / h);
  return result;
}

}  // namespace

template <class S>
StageSystem<S>::StageSystem(const Target<S>& target, const StageCoefficients& coefficients,
                            const NewtonSettings& settings, StageLayoutPtr layout)
    : system_(target.system),
      factor_system_(target.factor_system),
      settings_(settings),
      layout_(layout ? std::move(layout) : std::make_shared<const StageLayout>(*factor_system_)),
      points_(target.points),
      lists_(layout_->lists),
      r_(static_cast<int>(coefficients.B.size())),
      size_(system_->size()),
      unknowns_(system_->unknowns()),
      exact_B_(in_arithmetic<Coefficient>(coefficients.B, coefficients.exact_B)),
      exact_position_(
          in_arithmetic<Coefficient>(coefficients.position, coefficients.exact_position)) {
  const std::size_t all = static_cast<std::size_t>(r_) * size_;
  for (std::vector<S>* x : {&base_, &y_, &rate_}) x->assign(all, S(0));
  time_.assign(r_, S(0));
  hB_.assign(r_ * r_, S(0));
  if (!exact_position_.empty()) h2_position_ = hB_;
  residual_.assign(static_cast<std::size_t>(r_) * unknowns_, S(0));
  correction_.assign(residual_.size(), F(0));
  row_scale_.assign(unknowns_, S(1));
  factor_scale_.assign(unknowns_, F(1));
  factor_y_.resize(size_), factor_rate_.resize(size_), factor_residual_.resize(unknowns_);
  for (int p : system_->row_power()) {
    scaled_rows_ = scaled_rows_ || p != 0;
    level_ = std::max(level_, -p);
  }
  positions_ = target.mechanism ? target.mechanism->coordinates() : 0;
  own_algebra_ = target.algebra != nullptr;
  if constexpr (extended) {
    NewtonSettings first = settings_;
    // Full Newton converges quadratically: below √ε the next iterate is at round-off.
    first.relative = settings_.simplified ? 1e-13 : 1e-8;
    Target<double> twin{factor_system_, factor_system_};
    twin.algebra = target.algebra, twin.points = target.points;
    in_double_ = std::make_unique<StageSystem<double>>(twin, coefficients, first, layout_);
    double_hB_.resize(hB_.size()), double_h2_position_.resize(h2_position_.size());
    increments_.resize(all);
    zeros_.assign(size_, 0.0);
  } else if constexpr (!is_exact<S>) {
    // Coefficients of their own for positions are not diagonal in the eigenvectors of B.
    if (settings_.simplified && exact_position_.empty() && !target.algebra) {
      std::vector<std::vector<double>> b(r_, std::vector<double>(r_));
      for (int i = 0; i < r_; ++i)
        for (int j = 0; j < r_; ++j) b[i][j] = to_double(coefficients.B[i][j]);
      transformed_ = std::make_unique<TransformedBlocks>(*factor_system_, layout_, b);
      if (transformed_->usable()) return;
      transformed_.reset();  // a defective B: every iteration is a full one
    }
  }
  const std::vector<char> coupling = block_coupling(coefficients);
  if constexpr (std::is_same_v<F, double>)
    if (target.algebra) matrix_ = target.algebra->make(*factor_system_, layout_, r_, coupling);
  if (!matrix_) matrix_ = std::make_unique<StageMatrix<F>>(*factor_system_, layout_, r_, coupling);
}

template <class S>
StageSystem<S>::~StageSystem() = default;

template <class S>
void StageSystem<S>::set_chart(const std::vector<S>& chart) {
  chart_ = chart.data();
  if constexpr (extended) {
    if (chart.empty()) return;
    factor_chart_.clear();
    for (const S& x : chart) factor_chart_.push_back(static_cast<F>(x));
    in_double_->set_chart(factor_chart_);
  }
}

template <class S>
void StageSystem<S>::set_step(const S& h) {
  if (has_step_ && h == h_) return;
  h_ = h, has_step_ = true;
  age_ = -1;
  std::vector<F> first(r_ * r_), second(r_ * r_);
  for (int i = 0; i < r_; ++i)
    for (int j = 0; j < r_; ++j) {
      Coefficient square = 0;
      if (exact_position_.empty())
        for (int k = 0; k < r_; ++k) square += exact_B_[i][k] * exact_B_[k][j];
      else
        square = exact_position_[i][j];
      const F step = static_cast<F>(h);
      hB_[i * r_ + j] = h * narrow<S>(exact_B_[i][j]);
      if constexpr (extended) double_hB_[i * r_ + j] = to_double(hB_[i * r_ + j]);
      first[i * r_ + j] = step * narrow<F>(exact_B_[i][j]);
      second[i * r_ + j] = step * step * narrow<F>(square);
      if (exact_position_.empty()) continue;
      h2_position_[i * r_ + j] = h * h * narrow<S>(square);
      if constexpr (extended) double_h2_position_[i * r_ + j] = second[i * r_ + j];
    }
  if constexpr (std::is_same_v<S, double>) velocity_reach_ = first, position_reach_ = second;
  const std::vector<int>& increment_power = system_->increment_power();
  increment_weight_.resize(increment_power.size());
  for (std::size_t k = 0; k < increment_power.size(); ++k)
    increment_weight_[k] =
        increment_power[k] < 0 ? 0 : std::abs(power(to_double(h), increment_power[k]));
  for (int k = 0; k < unknowns_; ++k) {
    row_scale_[k] = power(h, system_->row_power()[k]);
    factor_scale_[k] = static_cast<F>(row_scale_[k]);
  }
  if (matrix_) matrix_->set_step(first, second, factor_scale_);
}

template <class S>
void StageSystem<S>::update_stages() {
  for (int i = 0; i < r_; ++i)
    for (const Run& run : lists_.differential_runs)
      weighted_sum(y(i) + run.to, base(i) + run.to, &hB_[i * r_], rate(0) + run.from, size_, r_,
                   run.length);
  for (int i = 0; i < r_; ++i)
    for (const Run& run : lists_.integral_runs) {
      std::copy_n(y(i) + run.from, run.length, rate(i) + run.to);
      if (h2_position_.empty())
        weighted_sum(y(i) + run.to, base(i) + run.to, &hB_[i * r_], y(0) + run.from, size_, r_,
                     run.length);
      else
        weighted_sum(y(i) + run.to, base(i) + run.to, &h2_position_[i * r_], rate(0) + run.from,
                     size_, r_, run.length);
    }
}

/// In extended precision, brings y up to date after a correction of size `norm`. Sums in double are
/// wrong by r ε |correction|. They will do where that is small beside the tolerance, to which the
/// unknowns are known anyway; elsewhere y stays behind, and is formed anew when it is needed.
template <class S>
void StageSystem<S>::follow_correction(double norm) {
  behind_ = true;
  if constexpr (extended) {
    behind_ = !(r_ * unit_roundoff<double>() * norm <= 1e-3 * settings_.tol);
    if (behind_) return;
    const auto increment = [&](int i, const Run& run, const std::vector<double>& weights,
                               const double* source, int stride) {
      double* const by = &increments_[static_cast<std::size_t>(i) * size_ + run.to];
      weighted_sum(by, zeros_.data(), &weights[i * r_], source, stride, r_, run.length);
      for (int k = 0; k < run.length; ++k) y(i)[run.to + k] -= S(by[k]);
    };
    for (int i = 0; i < r_; ++i) {
      for (const Run& run : lists_.differential_runs)
        increment(i, run, double_hB_, &correction_[lists_.unknown_of[run.from]], unknowns_);
      for (int c : lists_.algebraic)
        increments_[i * size_ + c] = correction_[i * unknowns_ + lists_.unknown_of[c]];
    }
    for (int i = 0; i < r_; ++i)
      for (const Run& run : lists_.integral_runs) {
        std::copy_n(y(i) + run.from, run.length, rate(i) + run.to);
        if (h2_position_.empty())
          increment(i, run, double_hB_, &increments_[run.from], size_);
        else
          increment(i, run, double_h2_position_, &correction_[lists_.unknown_of[run.from]],
                    unknowns_);
      }
  }
}

template <class S>
void StageSystem<S>::evaluate(int i, bool with_jacobian, F* jacobian_y, F* jacobian_rate) {
  S* r = &residual_[static_cast<std::size_t>(i) * unknowns_];
  F* const c = &correction_[static_cast<std::size_t>(i) * unknowns_];
  const SystemPoint<S> point{y(i), rate(i), time_[i], chart_};
  if constexpr (std::is_same_v<S, F>) {
    if (!scaled_rows_) r = c;
    system_->evaluate(point, r, with_jacobian ? jacobian_y : nullptr,
                      with_jacobian ? jacobian_rate : nullptr);
  } else {
    system_->evaluate(point, r, nullptr, nullptr);
    if (with_jacobian) {
      for (int k = 0; k < size_; ++k) {
        factor_y_[k] = static_cast<F>(y(i)[k]);
        factor_rate_[k] = static_cast<F>(rate(i)[k]);
      }
      factor_system_->evaluate(
          {factor_y_.data(), factor_rate_.data(), static_cast<F>(time_[i]), factor_chart_.data()},
          factor_residual_.data(), jacobian_y, jacobian_rate);
    }
  }
  if (std::is_same_v<S, F> && !scaled_rows_) return;
  for (int k = 0; k < unknowns_; ++k)
    c[k] = scaled_rows_ ? static_cast<F>(S(row_scale_[k] * r[k])) : static_cast<F>(r[k]);
}

template <class S>
void StageSystem<S>::count_evaluations(Counts& counts, int residuals, int jacobians) const {
  counts.residual_evals += residuals * points_.residual;
  counts.jacobian_evals += jacobians * points_.jacobian + (residuals - jacobians) * points_.derived;
}

template <class S>
void StageSystem<S>::evaluate_full(Counts& counts) {
  for (int i = 0; i < r_; ++i) {
    evaluate(i, true, matrix_->jacobian_y(), matrix_->jacobian_rate());
    matrix_->add_stage(i);
  }
  count_evaluations(counts, r_, r_);
}

template <class S>
void StageSystem<S>::evaluate_residual(Counts& counts) {
  for (int i = 0; i < r_; ++i) evaluate(i, false, nullptr, nullptr);
  count_evaluations(counts, r_, 0);
}

template <class S>
bool StageSystem<S>::full_correction(Counts& counts) {
  ++counts.factorizations;
  if (!matrix_->factor()) {
    lu_status_ = matrix_->status(), lu_why_ = matrix_->why();
    return false;
  }
  matrix_->solve(correction_.data());
  return true;
}

/// One Jacobian for all stages, at the guess of the one in the middle of the step.
template <class S>
bool StageSystem<S>::refresh_simplified(Counts& counts) {
  if constexpr (is_exact<S>) {
    return false;
  } else {
    evaluate(r_ / 2, true, transformed_->jacobian_y(), transformed_->jacobian_rate());
    count_evaluations(counts, 1, 1);
    counts.factorizations += transformed_->factorizations();
    age_ = 0;
    if (transformed_->factor(to_double(h_), factor_scale_)) return true;
    lu_status_ = transformed_->finite() ? LuStatus::singular : LuStatus::not_finite;
    lu_why_ = "a matrix of the transformed stages is singular or not finite";
    age_ = -1;
    return false;
  }
}

template <class S>
bool StageSystem<S>::evaluate_simplified(Counts& counts, bool fresh) {
  if (fresh && !refresh_simplified(counts)) return false;
  evaluate_residual(counts);
  return true;
}

template <class S>
bool StageSystem<S>::simplified_correction() {
  if constexpr (is_exact<S>) {
    return false;
  } else {
    transformed_->solve(correction_.data());
    return true;
  }
}

template <class S>
double StageSystem<S>::correction_size() const {
  if (!increment_weight_.empty()) return weighted_correction();
  return settings_.infinity_norm ? largest_correction() : euclidean_correction();
}

template <class S>
double StageSystem<S>::apply_correction() {
  for (int i = 0; i < r_; ++i) {
    const F* c = &correction_[static_cast<std::size_t>(i) * unknowns_];
    for (const Run& run : lists_.differential_runs)
      for (int k = 0; k < run.length; ++k) rate(i)[run.to + k] -= S(*c++);
    for (const Run& run : lists_.algebraic_runs)
      for (int k = 0; k < run.length; ++k) y(i)[run.to + k] -= S(*c++);
  }
  return correction_size();
}

/// Improves the guess as far as double goes; leaves it where that fails.
template <class S>
void StageSystem<S>::solve_in_double(Counts& counts) {
  if constexpr (extended) {
    StageSystem<double>& twin = *in_double_;
    const std::size_t all = base_.size();
    for (std::size_t k = 0; k < all; ++k) {
      twin.base_[k] = to_double(base_[k]);
      twin.y_[k] = to_double(y_[k]);
      twin.rate_[k] = to_double(rate_[k]);
    }
    for (int i = 0; i < r_; ++i) twin.time_[i] = to_double(time_[i]);
    Counts work = counts;
    const StepReport report = twin.solve(to_double(h_), work);
    wandered_ = twin.wandered_;
    work.floor_stops = counts.floor_stops;  // no end of a solve
    counts = work;
    if (report.status != Status::ok) return;
    for (int i = 0; i < r_; ++i) {
      for (int c : lists_.differential) rate(i)[c] = S(twin.rate(i)[c]);
      for (int c : lists_.algebraic) y(i)[c] = S(twin.y(i)[c]);
    }
  }
}

template <class S>
StepReport StageSystem<S>::solve(const S& h, Counts& counts) {
  begin(h);
  return iterate(counts);
}

/// With the guesses that the caller filled in.
template <class S>
void StageSystem<S>::begin(const S& h) {
  set_step(h);
  wandered_ = false;
  if (lists_.guessed.empty()) return;
  update_stages();
  for (int i = 0; i < r_; ++i)
    for (const auto& [c, source] : lists_.guessed) y(i)[c] = y(i)[source];
}

template <class S>
StepReport StageSystem<S>::iterate(Counts& counts) {
  if (in_double_) solve_in_double(counts);
  const bool simplified = transformed_ != nullptr;
  const StepReport report = newton(simplified, counts);
  if (simplified) {
    constexpr double slow = 0.1;  // renew before convergence costs an iteration a step
    if (report.status != Status::ok || contraction_ > slow)
      age_ = -1;
    else if (age_ >= 0)
      ++age_;
  }
  return report;
}

template class StageSystem<double>;
template class StageSystem<real50>;
template class StageSystem<rational>;

}  // namespace daemark
