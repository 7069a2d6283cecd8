// What a mechanism's mass and forces depend on, found by evaluating their derivatives.
#pragma once

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "problems/system/mechanical_system.hpp"

namespace daemark {

struct ForceStructure {
  bool constant_mass = true;     ///< M does not depend on positions
  bool velocity_forces = false;  ///< f depends on velocities
};

/// Whether ∂(M a)/∂q and ∂f/∂v vanish: at one point near the start, where nothing but a structural
/// zero does.
template <class S>
ForceStructure force_structure(MechanicalSystem<S>& mechanism) {
  const int n = mechanism.coordinates();
  std::vector<S> q(n), v(n), a(n), none(std::max(n, mechanism.constraints()), S(0)),
      chart(mechanism.chart_size());
  mechanism.initial_chart(chart.data());
  mechanism.initial(q.data(), v.data());
  for (int i = 0; i < n; ++i) {
    q[i] += S(0.01 * std::sin(i + 1.0)), v[i] += S(0.1 * std::cos(i + 1.0));
    a[i] = S(1 + 0.5 * std::sin(2.0 * i));
  }
  std::vector<S> lambda = none;
  if (mechanism.forces_of_multipliers()) mechanism.guess_multipliers(lambda.data());
  std::vector<S> with(mechanism.residual_q_pattern().size()), without(with.size()),
      damping(mechanism.residual_v_pattern().size());
  MotionValues<S> out;
  out.residual_q = with.data();
  mechanism.evaluate({S(0), q.data(), v.data(), a.data(), lambda.data(), chart.data()}, {}, out);
  out.residual_q = without.data(), out.residual_v = damping.data();
  mechanism.evaluate({S(0), q.data(), v.data(), none.data(), lambda.data(), chart.data()}, {}, out);
  return {with == without,
          std::any_of(damping.begin(), damping.end(), [](const S& x) { return x != 0; })};
}

/// Whether M is positive definite at the start, by the pivots of M with ones on its diagonal. It is
/// not where inertia lies in fewer directions than there are coordinates: a rotation in a
/// quaternion, a massless body.
template <class S>
bool definite_mass(MechanicalSystem<S>& mechanism) {
  const int n = mechanism.coordinates();
  std::vector<S> q(n), v(n), none(std::max(n, mechanism.constraints()), S(0)),
      chart(mechanism.chart_size()), mass(mechanism.mass_pattern().size());
  mechanism.initial_chart(chart.data());
  mechanism.initial(q.data(), v.data());
  MotionValues<S> out;
  out.mass = mass.data();
  mechanism.evaluate({S(0), q.data(), v.data(), none.data(), none.data(), chart.data()}, {}, out);
  Eigen::SparseMatrix<double> M(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    const auto [i, j] = mechanism.mass_pattern().entries[k];
    entries.emplace_back(i, j, to_double(mass[k]));
  }
  M.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd diagonal = M.diagonal();
  if (!(diagonal.minCoeff() > 0)) return false;
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  M = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(M);
  constexpr double least = 1e-10;
  return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > least;
}

}  // namespace daemark
