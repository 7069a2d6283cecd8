#include "methods/half_explicit/constrained_solve.hpp"

#include <algorithm>

namespace daemark {

template <class S>
ConstrainedSolve<S>::ConstrainedSolve(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      mass_(mechanism.mass_pattern().size()),
      gradient_(mechanism.gradient_pattern().size()),
      values_(mass_ + 2 * static_cast<std::size_t>(gradient_), S(0)),
      right_(n_ + m_, S(0)),
      solution_(right_) {
  std::vector<std::pair<int, int>> entries = mechanism.mass_pattern().entries;
  const auto& gradient = mechanism.gradient_pattern().entries;
  for (const auto& [row, j] : gradient) entries.emplace_back(j, n_ + row);
  for (const auto& [row, j] : gradient) entries.emplace_back(n_ + row, j);
  lu_.set_pattern(n_ + m_, std::move(entries));
}

template <class S>
void ConstrainedSolve<S>::evaluate(const MotionPoint<S>& point, MotionValues<S> out,
                                   bool with_force) {
  if (with_force) out.force = right_.data();
  mechanism_.evaluate(point, {}, out);
  for (int k = 0; with_force && k < n_; ++k) right_[k] = -right_[k];
}

template <class S>
void ConstrainedSolve<S>::dynamics(const MotionPoint<S>& point, Counts& counts) {
  MotionValues<S> out;
  out.mass = mass(), out.gradient = reaction();
  evaluate(point, out, true);
  ++counts.residual_evals;
}

template <class S>
void ConstrainedSolve<S>::dynamics_there(const MotionPoint<S>& point, Counts& counts) {
  ++counts.residual_evals;
  std::copy_n(rows(), gradient_, reaction());
  MotionValues<S> out;
  out.mass = mass();
  evaluate(point, out, true);
}

template <class S>
void ConstrainedSolve<S>::force(const MotionPoint<S>& point, Counts& counts) {
  ++counts.residual_evals;
  evaluate(point, {}, true);
}

template <class S>
void ConstrainedSolve<S>::constraint(const MotionPoint<S>& point, const S& beta, Counts& counts) {
  if (m_ == 0) return;
  MotionValues<S> out;
  out.gradient = rows(), out.velocity = velocities();
  evaluate(point, out, false);
  ++counts.residual_evals;
  for (int k = 0; k < m_; ++k) velocities()[k] /= beta;
}

template <class S>
void ConstrainedSolve<S>::motion(const MotionPoint<S>& point, const S& beta, Counts& counts) {
  MotionValues<S> out;
  out.mass = mass(), out.gradient = rows(), out.velocity = velocities();
  evaluate(point, out, false);
  ++counts.residual_evals;
  std::copy_n(rows(), gradient_, reaction());
  for (int k = 0; k < m_; ++k) velocities()[k] /= beta;
}

template <class S>
StepReport ConstrainedSolve<S>::solve(S* a, S* lambda, Counts& counts) {
  ++counts.factorizations;
  solution_ = right_;
  const bool factored = lu_.factor(values_.data());
  if (!factored && lu_.status() == LuStatus::singular)
    return {Status::singular_matrix, "the matrix of mass and constraints is singular at a stage"};
  if (!factored || !lu_.solve(solution_.data()))
    return {Status::not_finite, "a value in a stage's linear system is not finite"};
  for (int k = 0; k < n_; ++k) a[k] = -solution_[k];
  for (int k = 0; k < m_; ++k) lambda[k] = -solution_[n_ + k];
  return {};
}

template <class S>
bool ConstrainedSolve<S>::project(const MotionPoint<S>& point, S* v, Counts& counts) {
  if (m_ == 0) return true;
  std::fill_n(solution_.begin(), n_, S(0));
  MotionValues<S> out;
  out.velocity = solution_.data() + n_;
  evaluate(point, out, false);
  ++counts.residual_evals;
  if (!lu_.solve(solution_.data())) return false;
  for (int k = 0; k < n_; ++k) v[k] -= solution_[k];
  return true;
}

template class ConstrainedSolve<double>;
template class ConstrainedSolve<real50>;

}  // namespace daemark
