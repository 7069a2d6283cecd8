#include "problems/system/index_one_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daemark {

template <class S>
IndexOneSolve<S>::IndexOneSolve(const MechanicalSystem<S>& s)
    : n_(s.coordinates()), m_(s.constraints()) {
  std::vector<std::pair<int, int>> entries = s.mass_pattern().entries;
  for (const auto& [r, j] : s.gradient_pattern().entries) entries.emplace_back(n_ + r, j);
  for (const auto& [r, j] : s.gradient_pattern().entries) entries.emplace_back(j, n_ + r);
  for (const auto& [i, r] : s.residual_lambda_pattern().entries) {  // where Gᵀ has entries too
    const auto found = std::find(entries.begin(), entries.end(), std::pair{i, n_ + r});
    lambda_place_.push_back(static_cast<int>(found - entries.begin()));
    if (found == entries.end()) entries.emplace_back(i, n_ + r);
  }
  values_.resize(entries.size());
  residual_lambda_.resize(s.residual_lambda_pattern().size());
  if (s.rank() < m_)
    redundant_ = std::make_unique<RedundantSolve>(s.mass_pattern(), s.gradient_pattern(), s.rank());
  else
    lu_.set_pattern(n_ + m_, std::move(entries));
  mass_.resize(s.mass_pattern().size());
  gradient_.resize(s.gradient_pattern().size());
  residual_.resize(n_ + m_), correction_.resize(n_ + m_);
}

template <class S>
bool IndexOneSolve<S>::solve(MechanicalSystem<S>& s, MotionPoint<S> point,
                             const ConstraintWeights<S>& weights, S* a, S* lambda) {
  std::fill_n(a, n_, S(0));
  std::fill_n(lambda, m_, S(0));
  point.a = a, point.lambda = lambda;
  if (s.forces_of_multipliers()) return iterate(s, point, weights, a, lambda);
  MotionValues<S> out;
  out.residual = residual_.data(), out.weighted = residual_.data() + n_;
  out.mass = mass_.data(), out.gradient = gradient_.data();
  s.evaluate(point, weights, out);
  if (!factor(weights.acceleration)) return false;
  if constexpr (std::is_same_v<S, double>) {
    solve_linear(residual_.data());
    double sum = 0;  // not finite if any entry is not; 0 − x: no negative zeros
    for (int i = 0; i < n_; ++i) sum += std::fabs(a[i] = 0 - residual_[i]);
    for (int i = 0; i < m_; ++i) sum += std::fabs(lambda[i] = 0 - residual_[n_ + i]);
    return std::isfinite(sum);
  } else {
    return refine(s, point, weights, a, lambda);
  }
}

template <class S>
auto IndexOneSolve<S>::correct(S* a, S* lambda) -> Correction {
  Correction made;
  for (int i = 0; i < n_ + m_; ++i) correction_[i] = to_double(residual_[i]);
  solve_linear(correction_.data());
  for (int i = 0; i < n_ + m_; ++i) {
    S& x = i < n_ ? a[i] : lambda[i - n_];
    x -= S(correction_[i]);
    made.finite = made.finite && std::isfinite(correction_[i]);
    made.change = std::max(made.change, std::abs(correction_[i]));
    made.size = std::max(made.size, std::abs(to_double(x)));
  }
  return made;
}

template <class S>
bool IndexOneSolve<S>::refine(MechanicalSystem<S>& s, const MotionPoint<S>& point,
                              const ConstraintWeights<S>& weights, S* a, S* lambda) {
  MotionValues<S> out;
  out.residual = residual_.data(), out.weighted = residual_.data() + n_;
  constexpr int rounds = 12;
  double previous = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const auto [change, size, finite] = correct(a, lambda);
    if (!finite) return false;
    if (change <= 4 * unit_roundoff<S>() * size || change >= previous / 2) break;
    previous = change;
    if (round + 1 < rounds) s.evaluate(point, weights, out);
  }
  return true;
}

template <class S>
bool IndexOneSolve<S>::iterate(MechanicalSystem<S>& s, const MotionPoint<S>& point,
                               const ConstraintWeights<S>& weights, S* a, S* lambda) {
  s.guess_multipliers(lambda);
  MotionValues<S> out;
  out.residual = residual_.data(), out.weighted = residual_.data() + n_;
  out.mass = mass_.data(), out.gradient = gradient_.data();
  out.residual_lambda = residual_lambda_.data();
  constexpr int rounds = 50;
  const double floor = 1e4 * unit_roundoff<S>();  // corrections that no longer fall are round-off
  double previous = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    s.evaluate(point, weights, out);
    if (!factor(weights.acceleration)) return false;
    const auto [change, size, finite] = correct(a, lambda);
    if (!finite) return false;
    if (change <= 4 * unit_roundoff<S>() * size) return true;
    if (change <= floor * size && change >= previous / 2) return true;
    previous = change;
  }
  return false;
}

template <class S>
bool IndexOneSolve<S>::factor(const S& acceleration_weight) {
  double* value = values_.data();
  for (const S& x : mass_) *value++ = to_double(x);
  for (const S& x : gradient_) *value++ = to_double(S(acceleration_weight * x));
  const double* const gradient = value;
  for (const S& x : gradient_) *value++ = to_double(x);
  std::fill(value, values_.data() + values_.size(), 0.0);
  for (std::size_t k = 0; k < lambda_place_.size(); ++k)
    values_[lambda_place_[k]] += to_double(residual_lambda_[k]);
  if (redundant_)
    return redundant_->factor(values_.data(), gradient, to_double(acceleration_weight));
  return lu_.factor(values_.data());
}

template <class S>
void IndexOneSolve<S>::solve_linear(double* x) {
  if (redundant_)
    redundant_->solve(x);
  else
    lu_.solve(x);
}

template class IndexOneSolve<double>;
template class IndexOneSolve<real50>;

}  // namespace daemark
