#include "methods/geometric/symmetric_projection.hpp"

#include <limits>

namespace daemark {

template <class S>
SymmetricProjectionStepper<S>::SymmetricProjectionStepper(std::unique_ptr<Stepper<S>> inner,
                                                          const Target<S>& target)
    : StateStepper<S>(target), inner_(std::move(inner)) {
  const MechanicalSystem<S>& mechanism = *target.mechanism;
  const Pattern &g = mechanism.gradient_pattern(), &c = mechanism.curvature_pattern();
  const int n = this->n_, m = this->m_;
  // [I Hᵀ; H 0], H = [G 0; ∂Φ̇/∂q G]: the identity, then H and Hᵀ by blocks.
  PatternBuilder builder;
  for (int i = 0; i < 2 * n; ++i) builder.add(i, i);
  const auto place = [&](const Pattern& block, int row, int column) {
    for (const auto& [i, j] : block.entries) {
      builder.add(2 * n + row + i, column + j);
      builder.add(column + j, 2 * n + row + i);
    }
  };
  place(g, 0, 0), place(g, m, n), place(c, m, 0);
  lu_.set_pattern(2 * n + 2 * m, builder.entries());
  values_.resize(builder.size());
  for (Slope* slope : {&begin_, &end_})
    slope->gradient.resize(g.size()), slope->curvature.resize(c.size());
  mu_.assign(2 * m, S(0)), violation_.assign(2 * m, S(0));
  solution_.resize(2 * n + 2 * m);
}

template <class S>
void SymmetricProjectionStepper<S>::evaluate(const State<S>& at, Slope* slope) {
  const int n = this->n_, m = this->m_;
  MotionValues<S> out;
  out.position = violation_.data(), out.velocity = violation_.data() + m;
  if (slope) out.gradient = slope->gradient.data(), out.curvature_q = slope->curvature.data();
  this->target_.mechanism->evaluate(motion_point(n, at.point()), {S(0), S(1), S(0)}, out);
  ++this->counts_.residual_evals;
  if (slope) ++this->counts_.jacobian_evals;
}

template <class S>
void SymmetricProjectionStepper<S>::add_normal(const Slope& slope, const State<S>& from,
                                               State<S>& to) const {
  const int n = this->n_, m = this->m_;
  const MechanicalSystem<S>& mechanism = *this->target_.mechanism;
  std::copy_n(from.y.begin(), 2 * n, to.y.begin());
  const auto& g = mechanism.gradient_pattern().entries;
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto [row, column] = g[k];
    to.y[column] += slope.gradient[k] * mu_[row];
    to.y[n + column] += slope.gradient[k] * mu_[m + row];
  }
  const auto& c = mechanism.curvature_pattern().entries;
  for (std::size_t k = 0; k < c.size(); ++k)
    to.y[c[k].second] += slope.curvature[k] * mu_[m + c[k].first];
}

/// Values in the order of the constructor.
template <class S>
bool SymmetricProjectionStepper<S>::factor(const Slope& slope) {
  double* to = values_.data();
  to = std::fill_n(to, 2 * this->n_, 1.0);
  for (const std::vector<S>* block : {&slope.gradient, &slope.gradient, &slope.curvature})
    for (const S& x : *block) *to++ = to_double(x), *to++ = to_double(x);
  ++this->counts_.factorizations;
  return lu_.factor(values_.data());
}

/// The step of the inner method from the shifted beginning, shifted again at its end.
template <class S>
StepReport SymmetricProjectionStepper<S>::sweep(const S& h) {
  const Counts before = inner_->counts();
  add_normal(begin_, this->state_, shifted_);
  ++this->counts_.residual_evals, ++this->counts_.factorizations;
  if (!this->target_.system->explicit_rates(shifted_.y.data(), shifted_.rate.data(), shifted_.t,
                                            nullptr))
    return {Status::singular_matrix, "the index-1 matrix is singular beside the constraints"};
  inner_->start(shifted_, h);
  const StepReport report = inner_->attempt(h);
  this->counts_.add_work(inner_->counts(), before);
  if (report.status != Status::ok) return report;
  // Hᵀ at the end itself: μ is of the size of the local error, so that this settles at once.
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    add_normal(end_, inner_->candidate(), this->next_);
    evaluate(this->next_, &end_);
  }
  return {};
}

/// μ by a simplified Newton iteration with dg/dμ ≈ 2 H Hᵀ at the beginning of the step.
template <class S>
StepReport SymmetricProjectionStepper<S>::advance(const S& h) {
  constexpr int most = 60;
  const int n = this->n_, m = this->m_;
  shifted_ = this->state_;
  std::fill(mu_.begin(), mu_.end(), S(0));
  evaluate(this->state_, &begin_);
  end_ = begin_;
  if (!factor(begin_)) return {Status::singular_matrix, "the constraints depend on each other"};
  double previous = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most; ++round) {
    const StepReport report = sweep(h);
    if (report.status != Status::ok) return report;
    ++this->counts_.newton_iterations;
    std::fill_n(solution_.begin(), 2 * n, 0.0);
    for (int i = 0; i < 2 * m; ++i) solution_[2 * n + i] = -to_double(violation_[i]) / 2;
    lu_.solve(solution_.data());
    double change = 0, size = 0;
    for (int i = 0; i < 2 * n; ++i) {
      change = std::max(change, std::abs(solution_[i]));
      size = std::max(size, std::abs(to_double(this->next_.y[i])));
      if (!std::isfinite(solution_[i])) return {Status::not_finite, "a projection is not finite"};
    }
    const double floor = unit_roundoff<S>() * (1 + size);
    if (change <= 4 * floor) return {};
    // At round-off changes no longer fall; far from it that is divergence.
    if (change > previous / 2 && change <= 1e4 * floor) return {};
    if (change > 2 * previous)
      return {Status::newton_diverged, "the symmetric projection does not converge"};
    previous = change;
    for (int i = 0; i < 2 * m; ++i) mu_[i] -= S(solution_[2 * n + i]);
  }
  return {Status::newton_diverged, "the symmetric projection needs more than 60 sweeps"};
}

template class SymmetricProjectionStepper<double>;
template class SymmetricProjectionStepper<real50>;

}  // namespace daemark
