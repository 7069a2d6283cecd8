#include "methods/multiplier/multiplier_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/program/stop.hpp"

namespace daemark {
namespace {

constexpr StepReport singular{Status::singular_matrix,
                              "the derivative of the constraints by the multipliers is singular"};

}  // namespace

const std::vector<std::string>& multiplier_solver_names() {
  static const std::vector<std::string> names = {"broyden", "broyden_fd", "newton", "secant"};
  return names;
}

template <class S>
MultiplierSolver<S>::MultiplierSolver(MultiplierSolverKind kind, int m, double probe,
                                      const NewtonSettings& settings, Residual residual)
    : kind_(kind),
      m_(m),
      probe_(probe),
      settings_(settings),
      residual_(std::move(residual)),
      inverse_(static_cast<std::size_t>(m) * m),
      differences_(inverse_.size()),
      g_(m),
      last_g_(m),
      p_(m),
      q_(m),
      b_q_(m),
      trial_(m),
      dense_(m, std::vector<S>(2 * static_cast<std::size_t>(m))) {}

template <class S>
double MultiplierSolver<S>::norm(const S* g) const {
  double largest = 0, squares = 0;
  for (int i = 0; i < m_; ++i) {
    const double size = std::abs(to_double(g[i]));
    largest = std::max(largest, size), squares += size * size;
  }
  return settings_.infinity_norm && std::isfinite(squares) ? largest : std::sqrt(squares);
}

/// p = h_j e_j, q = G(λ + p) − G(λ).
template <class S>
StepReport MultiplierSolver<S>::probe(const S* lambda, int j) {
  std::copy_n(lambda, m_, trial_.begin());
  const S h = S(probe_) * S(1 + std::abs(to_double(lambda[j])));
  trial_[j] += h;
  const StepReport report = residual_(trial_.data(), q_.data());
  if (report.status != Status::ok) return report;
  std::fill(p_.begin(), p_.end(), S(0));
  p_[j] = h;
  for (int i = 0; i < m_; ++i) {
    q_[i] -= g_[i];
    differences_[static_cast<std::size_t>(i) * m_ + j] = q_[i] / h;
  }
  return {};
}

template <class S>
StepReport MultiplierSolver<S>::start_inverse(const S* lambda) {
  const bool by_updates =
      kind_ == MultiplierSolverKind::broyden || kind_ == MultiplierSolverKind::secant;
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j) inverse(i, j) = S(i == j ? 1 : 0);
  for (int j = 0; j < m_; ++j) {
    const StepReport report = probe(lambda, j);
    if (report.status != Status::ok) return report;
    if (by_updates && !update_inverse()) return singular;
  }
  if (!by_updates && !invert_differences()) return singular;
  return {};
}

/// Eq. 19 with p, q; false where pᵀq is no more than rounding.
template <class S>
bool MultiplierSolver<S>::update_inverse() {
  S p_q(0), q_b_q(0);
  double size = 0;
  for (int i = 0; i < m_; ++i) {
    b_q_[i] = S(0);
    for (int j = 0; j < m_; ++j) b_q_[i] += inverse(i, j) * q_[j];
    p_q += p_[i] * q_[i], q_b_q += q_[i] * b_q_[i];
    size += std::abs(to_double(p_[i]) * to_double(q_[i]));
  }
  if (!(std::abs(to_double(p_q)) > 4 * unit_roundoff<S>() * size)) return false;
  const S mu = S(1) + q_b_q / p_q;
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j)
      inverse(i, j) += (mu * p_[i] * p_[j] - b_q_[i] * p_[j] - p_[i] * b_q_[j]) / p_q;
  return true;
}

/// B by Gauss-Jordan elimination with row pivots; false where one is lost in rounding.
template <class S>
bool MultiplierSolver<S>::invert_differences() {
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j) {
      dense_[i][j] = differences_[static_cast<std::size_t>(i) * m_ + j];
      dense_[i][m_ + j] = S(i == j ? 1 : 0);
    }
  double largest = 0;
  for (int k = 0; k < m_; ++k) {
    int pivot = k;
    for (int i = k; i < m_; ++i)
      if (std::abs(to_double(dense_[i][k])) > std::abs(to_double(dense_[pivot][k]))) pivot = i;
    std::swap(dense_[k], dense_[pivot]);
    const double size = std::abs(to_double(dense_[k][k]));
    largest = std::max(largest, size);
    if (!(size > m_ * unit_roundoff<S>() * largest)) return false;
    for (int i = 0; i < m_; ++i) {
      if (i == k) continue;
      const S factor = dense_[i][k] / dense_[k][k];
      for (int j = k; j < 2 * m_; ++j) dense_[i][j] -= factor * dense_[k][j];
    }
  }
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j) inverse(i, j) = dense_[i][m_ + j] / dense_[i][i];
  return true;
}

/// p = −B G, trial = λ + p.
template <class S>
void MultiplierSolver<S>::propose(const S* lambda) {
  for (int i = 0; i < m_; ++i) {
    p_[i] = S(0);
    for (int j = 0; j < m_; ++j) p_[i] -= inverse(i, j) * g_[j];
    trial_[i] = lambda[i] + p_[i];
  }
}

template <class S>
StepReport MultiplierSolver<S>::solve(S* lambda, Counts& counts) {
  StepReport report = residual_(lambda, g_.data());
  if (report.status != Status::ok) return report;
  double size = norm(g_.data()), best = size;
  const double first = size;
  int stalled = 0;
  for (int iteration = 0; !(size <= settings_.tol); ++iteration) {
    checkpoint();
    if (!std::isfinite(size)) return {Status::not_finite, "a constraint is not finite"};
    if (iteration == settings_.max)
      return {Status::newton_diverged, "the multipliers need more than newton.max iterations"};
    if (size > 1e8 * (1 + first))
      return {Status::newton_diverged, "the constraints grow with the iterations for multipliers"};
    if (iteration == 0 || kind_ == MultiplierSolverKind::newton) {
      report = start_inverse(lambda);
      if (report.status != Status::ok) return report;
    }
    propose(lambda);
    std::swap(g_, last_g_);
    std::copy(trial_.begin(), trial_.end(), lambda);
    report = residual_(lambda, g_.data());
    ++counts.multiplier_iterations;
    if (report.status != Status::ok) return report;
    size = norm(g_.data());
    // Round-off floor: the constraints no longer fall and the change of λ is a small part of it.
    stalled = size > 0.9 * best ? stalled + 1 : 0;
    best = std::min(best, size);
    double change = 0, scale = 1;
    for (int i = 0; i < m_; ++i) {
      change = std::max(change, std::abs(to_double(p_[i])));
      scale = std::max(scale, std::abs(to_double(lambda[i])));
      q_[i] = g_[i] - last_g_[i];
    }
    if (size <= settings_.tol) break;
    const bool small = change <= std::pow(unit_roundoff<S>(), 0.35) * scale;
    if (stalled >= 2 && small) {
      ++counts.floor_stops;
      break;
    }
    if (kind_ != MultiplierSolverKind::newton && !update_inverse()) {  // G no longer moves with λ
      if (!small) return singular;
      ++counts.floor_stops;
      break;
    }
  }
  return {};
}

template class MultiplierSolver<double>;
template class MultiplierSolver<real50>;

}  // namespace daemark
