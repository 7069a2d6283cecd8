#include "methods/loop/estimate_filter.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

template <class S>
EstimateFilter<S>::EstimateFilter(const Target<S>& target,
                                  const Setting<AlgebraicControl>& algebraic)
    : mechanism_(target.mechanism), algebraic_(algebraic) {
  if (!mechanism_ || !target.formulation) return;
  index_ = target.formulation->info.index;
  n_ = mechanism_->coordinates(), m_ = mechanism_->constraints();
  if (index_ < 2 || m_ == 0) return;
  solve_.emplace(*mechanism_);
  a_.resize(n_), inertia_.resize(n_), moved_.resize(n_), lambda_.resize(m_);
  right_.resize(n_ + m_);
}

template <class S>
bool EstimateFilter<S>::apply(const State<S>& candidate, double h, std::vector<S>& estimate) {
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

template <class S>
void EstimateFilter<S>::project(const State<S>& candidate, S* difference) {
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

template class EstimateFilter<double>;
template class EstimateFilter<real50>;

}  // namespace daemark
