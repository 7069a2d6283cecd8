#include "analysis/linear/natural_frequencies.hpp"

#include <cmath>
#include <limits>

#include "base/linear/dense_matrix.hpp"
#include "problems/core/index_one_solve.hpp"

namespace daemark {
namespace {

using Eigen::MatrixXd;
/// √max|eig(M⁻¹ K)|.
double highest(const MatrixXd& M, const MatrixXd& K) { return std::sqrt(largest_eigenvalue(M, K)); }

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
};

FrequencyAnalysis::FrequencyAnalysis(MechanicalPtr<double> mechanism)
    : work_(std::make_unique<Work>(std::move(mechanism))) {}
FrequencyAnalysis::~FrequencyAnalysis() = default;

NaturalFrequencies FrequencyAnalysis::at(double t, const double* q, const double* v) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Work& w = *work_;
  MechanicalSystem<double>& s = *w.mechanism;
  if (!w.index_one.solve(s, {t, q, v}, {0, 0, 1}, w.a.data(), w.lambda.data())) return {none, none};
  const MotionPoint<double> point{t, q, v, w.a.data(), w.lambda.data()};
  MotionValues<double> out;
  out.residual = w.residual.data(), out.mass = w.mass.data(), out.gradient = w.gradient.data();
  out.residual_q = w.K.data(), out.residual_v = w.C.data();
  s.evaluate(point, {}, out);
  const MatrixXd M = dense_matrix(s.mass_pattern(), w.mass),
                 K = dense_matrix(s.residual_q_pattern(), w.K);
  const double free = highest(M, K);
  if (s.constraints() == 0) return {free, free};
  const MatrixXd G = dense_matrix(s.gradient_pattern(), w.gradient),
                 C = dense_matrix(s.residual_v_pattern(), w.C);
  const MatrixXd first = w.curvature_of(point, {0, 1, 0}),
                 second = w.curvature_of(point, {0, 0, 1});
  const MatrixXd N = null_space(G);
  const MatrixXd rate = least_norm_solution(G, -(first * N));
  const MatrixXd rate2 = least_norm_solution(G, -2 * (first * rate) - second * N);
  const MatrixXd M_R = N.transpose() * M * N, K_R = N.transpose() * (K * N + C * rate + M * rate2);
  return {free, highest(M_R, K_R)};
}

}  // namespace daemark
