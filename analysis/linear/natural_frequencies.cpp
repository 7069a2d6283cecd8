#include "analysis/linear/natural_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/roots/eigenvalues.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "base/linear/dense_matrix.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {
namespace {

using Eigen::MatrixXd;
/// √max|eig(M⁻¹ K)|.
double highest_frequency(const MatrixXd& M, const MatrixXd& K) {
  return std::sqrt(largest_eigenvalue(M, K));
}

struct Linearised {
  MatrixXd M, C, K;
  MotionPoint<double> point;
};

/// Nothing damps or turns, and the forces have a potential: one symmetric problem half the size.
bool undamped(const Linearised& s) {
  constexpr double rounding = 1e-12;
  return s.C.norm() <= rounding * std::sqrt(s.M.norm() * s.K.norm()) &&
         (s.K - s.K.transpose()).norm() <= 1e3 * rounding * s.K.norm();
}

std::optional<std::vector<Mode>> modes_of_stiffness(const Linearised& s) {
  const auto squares = pencil_eigenvalues(s.M, s.K);
  if (!squares) return std::nullopt;
  std::vector<Mode> modes;
  for (const double squared : *squares)
    modes.push_back({squared < 0 ? std::complex<double>(std::sqrt(-squared), 0)
                                 : std::complex<double>(0, std::sqrt(squared))});
  return modes;
}

std::optional<std::vector<Mode>> modes_of_quadratic(const Linearised& s) {
  const Eigen::Index n = s.M.rows();
  MatrixXd forces(n, 2 * n);
  forces << s.K, s.C;
  const auto accelerations = positive_solution(s.M, forces);
  if (!accelerations) return std::nullopt;
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomRows(n) = -*accelerations;
  const auto values = eigenvalues<double>(A);
  if (!values) throw NumericalFailure("the eigenvalues do not converge");
  std::vector<Mode> modes;
  for (const std::complex<double>& value : *values)
    if (value.imag() >= 0) modes.push_back({value});
  return modes;
}

}  // namespace

struct FrequencyAnalysis::Work {
  MechanicalPtr<double> mechanism;
  IndexOneSolve<double> index_one;
  std::vector<double> a, lambda, residual, mass, gradient, K, C, curvature;

  explicit Work(MechanicalPtr<double> m) : mechanism(std::move(m)), index_one(*mechanism) {
    a.resize(mechanism->coordinates()), residual.resize(a.size());
    lambda.resize(mechanism->constraints());
    mass.resize(mechanism->mass_pattern().size());
    gradient.resize(mechanism->gradient_pattern().size());
    K.resize(mechanism->residual_q_pattern().size());
    C.resize(mechanism->residual_v_pattern().size());
    curvature.resize(mechanism->curvature_pattern().size());
  }

  /// ∂Φ̇/∂q = Ġ or ∂Φ̈/∂q = G̈.
  MatrixXd curvature_of(const MotionPoint<double>& point, const ConstraintWeights<double>& level) {
    MotionValues<double> out;
    out.curvature_q = curvature.data();
    mechanism->evaluate(point, level, out);
    return dense_matrix(mechanism->curvature_pattern(), curvature);
  }

  /// False where a and λ cannot be found.
  bool linearise(double t, const double* q, const double* v, const double* chart,
                 Linearised& full) {
    MechanicalSystem<double>& s = *mechanism;
    if (!index_one.solve(s, {t, q, v, nullptr, nullptr, chart}, {0, 0, 1}, a.data(), lambda.data()))
      return false;
    full.point = {t, q, v, a.data(), lambda.data(), chart};
    MotionValues<double> out;
    out.residual = residual.data(), out.mass = mass.data(), out.gradient = gradient.data();
    out.residual_q = K.data(), out.residual_v = C.data();
    s.evaluate(full.point, {}, out);
    full.M = dense_matrix(s.mass_pattern(), mass), full.K = dense_matrix(s.residual_q_pattern(), K);
    full.C = dense_matrix(s.residual_v_pattern(), C);
    return true;
  }

  /// Whether the gradient of a velocity-level constraint changes along this motion. If none does,
  /// g δv = 0 restricts like G δq = 0, except for constant offsets of δq: zero eigenvalues, which
  /// are left out.
  bool turns(const Linearised& full) {
    const MechanicalSystem<double>& s = *mechanism;
    if (s.velocity_rows() == 0) return false;
    const MatrixXd first = curvature_of(full.point, {0, 1, 0}),
                   second = curvature_of(full.point, {0, 0, 1});
    constexpr double rounding = 1e-9;
    for (int row = 0; row < s.constraints(); ++row)
      if (s.row_level(row) == RowLevel::velocity &&
          !(first.row(row).norm() + second.row(row).norm() <= rounding))
        return true;
    return false;
  }

  /// In the tangent space of the constraints, after linearise().
  Linearised reduce(const Linearised& full) {
    const MatrixXd G = dense_matrix(mechanism->gradient_pattern(), gradient);
    const MatrixXd first = curvature_of(full.point, {0, 1, 0}),
                   second = curvature_of(full.point, {0, 0, 1});
    const MatrixXd N = null_space(G);
    const MatrixXd rate = least_norm_solution(G, -product(first, N));
    const MatrixXd rate2 = least_norm_solution(G, -2 * product(first, rate) - product(second, N));
    return {
        transposed_product(N, product(full.M, N)),
        transposed_product(N, product(full.C, N) + 2 * product(full.M, rate)),
        transposed_product(N, product(full.K, N) + product(full.C, rate) + product(full.M, rate2)),
        full.point};
  }
};

FrequencyAnalysis::FrequencyAnalysis(MechanicalPtr<double> mechanism)
    : work_(std::make_unique<Work>(std::move(mechanism))) {}
FrequencyAnalysis::~FrequencyAnalysis() = default;

NaturalFrequencies FrequencyAnalysis::at(double t, const double* q, const double* v,
                                         const double* chart) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Linearised full;
  if (!work_->linearise(t, q, v, chart, full)) return {none, none};
  const double free = highest_frequency(full.M, full.K);
  if (work_->mechanism->constraints() == 0) return {free, free};
  if (work_->turns(full)) return {free, none};
  const Linearised tangent = work_->reduce(full);
  return {free, highest_frequency(tangent.M, tangent.K)};
}

const std::vector<double>& FrequencyAnalysis::accelerations() const { return work_->a; }

std::vector<Mode> FrequencyAnalysis::modes(double t, const double* q, const double* v,
                                           const double* chart) {
  Linearised full;
  if (!work_->linearise(t, q, v, chart, full))
    throw NumericalFailure("accelerations and multipliers cannot be found at this point");
  if (work_->turns(full))
    throw NumericalFailure(
        "a constraint on the velocity level turns along this motion, which then has no modes; "
        "accepted: a point at rest");
  const Linearised tangent =
      work_->mechanism->constraints() == 0 ? std::move(full) : work_->reduce(full);
  if (tangent.M.rows() == 0) return {};
  auto found = undamped(tangent) ? modes_of_stiffness(tangent) : modes_of_quadratic(tangent);
  if (!found)
    throw NumericalFailure("the mass matrix is singular on motions the constraints let be");
  std::vector<Mode> modes = std::move(*found);
  std::sort(modes.begin(), modes.end(),
            [](const Mode& a, const Mode& b) { return a.frequency() < b.frequency(); });
  return modes;
}

}  // namespace daemark
