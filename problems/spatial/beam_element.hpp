// A beam element between rotating nodes: a law sees only where the other nodes stand and how they
// are turned, both as seen from one of them, so that rigid motions cannot strain it and nothing but
// x, g and the chart decides its forces.
//
// Sections: R_i = R(g_i) R(chart_i). Seen from the reference node r, for every other i,
//   y_i = R_rᵀ (x_i − x_r),  g_i^r the Cayley–Gibbs–Rodrigues vector of R_rᵀ R_i;  z = (y, g^r, …).
// The law gives w = (F, M, …), forces and moments on the other nodes in the frame R_r; balance of
// the element gives those on r: F_r = −Σ F_i, M_r = −Σ (M_i + y_i × F_i). In coordinates:
// R_r F_i on x_i and G(g_i)ᵀ R_r M_i on g_i.
//
// A law has
//   static constexpr int nodes, reference;      z and w have 6 (nodes − 1) entries
//   void forces(const Var* z, Var* w) const
//   Var energy(const Var* z) const              [J]
//   static constexpr bool conservative          w follows from the energy; where not, what the
//                                               forces do beyond −dU/dt counts as power
#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <string>

#include "base/text/bad_input.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/mechanism/part.hpp"

namespace daemark {

/// Where a section stands, to say how an element is shaped without load.
template <class S>
struct SectionPose {
  rotation::Vec3<S> position;
  rotation::Quaternion<S> orientation;  ///< unit
};

namespace beam {

/// R of a quaternion that need not be a unit, applied to x.
template <class T>
rotation::Vec3<T> turned(const rotation::Quaternion<T>& p, const rotation::Vec3<T>& x) {
  const T norm = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const rotation::Vec3<T> y = rotation::rotate(p, x);
  return {y[0] / norm, y[1] / norm, y[2] / norm};
}

}  // namespace beam

/// z of a law from the poses of all its nodes; orientations need not be units.
template <class S, std::size_t nodes>
std::array<S, 6 * (nodes - 1)> relative_poses(const std::array<SectionPose<S>, nodes>& sections,
                                              int reference) {
  using namespace rotation;
  const auto& [x_r, p_r] = sections[reference];
  const Quaternion<S> back = conjugate(p_r);
  std::array<S, 6 * (nodes - 1)> z;
  S* at = z.data();
  for (std::size_t i = 0; i < nodes; ++i) {
    if (static_cast<int>(i) == reference) continue;
    const Vec3<S> y = beam::turned(back, combine(S(1), sections[i].position, S(-1), x_r));
    const Quaternion<S> turn = product(back, sections[i].orientation);
    for (int j = 0; j < 3; ++j) at[j] = y[j], at[3 + j] = S(2) * turn[1 + j] / turn[0];
    at += 6;
  }
  return z;
}

/// The linear constitutive law of a section: (n, m) = D (ε, κ), axes 1 along the beam, 2 and 3 in
/// the section.
using SectionStiffness = std::array<std::array<wide, 6>, 6>;

/// EA, GA_2, GA_3 [N], GJ, EJ_2, EJ_3 [N m²]. Throws BadInput where one is not positive.
inline SectionStiffness section_stiffness(const std::array<wide, 6>& diagonal) {
  static const char* names[] = {"EA", "GA_2", "GA_3", "GJ", "EJ_2", "EJ_3"};
  SectionStiffness D{};
  for (int i = 0; i < 6; ++i) {
    if (!(diagonal[i] > 0))
      throw BadInput(std::string("beam section: ") + names[i] + " must be positive");
    D[i][i] = diagonal[i];
  }
  return D;
}

/// Throws BadInput where D is not symmetric and positive definite.
inline void check_stiffness(const SectionStiffness& D) {
  Eigen::Matrix<double, 6, 6> rounded;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) rounded(i, j) = to_double(D[i][j]);
  const Eigen::Matrix<double, 6, 1> scale = rounded.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::Matrix<double, 6, 6> scaled = scale.asDiagonal() * rounded * scale.asDiagonal();
  if (!(rounded.diagonal().minCoeff() > 0) || rounded != rounded.transpose() ||
      scaled.llt().info() != Eigen::Success)
    throw BadInput("beam section: its stiffness must be symmetric and positive definite");
}

/// D (ε, κ).
inline std::array<Var, 6> section_forces_of(const SectionStiffness& D,
                                            const std::array<Var, 6>& strain) {
  std::array<Var, 6> stress;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) stress[i] += Var(D[i][j]) * strain[j];
  return stress;
}

/// The forces of an element on its nodes, and its energy.
template <class Law>
PartFunctions beam_element(const Law& law, const PartArguments& at) {
  using namespace rotation;
  constexpr int nodes = Law::nodes, reference = Law::reference;
  std::array<SectionPose<Var>, nodes> sections;
  for (int i = 0; i < nodes; ++i) {
    const Var* const q = at.q.data() + 6 * i;
    sections[i] = {vector(q),
                   product(cayley_quaternion(q + 3), quaternion(at.chart.data() + 4 * i))};
  }
  const auto z = relative_poses<Var, nodes>(sections, reference);
  std::array<Var, 6 * (nodes - 1)> w;
  law.forces(z.data(), w.data());
  PartFunctions f;
  f.force.resize(6 * nodes);
  const auto put = [&](int node, const Vec3<Var>& F, const Vec3<Var>& M) {
    const Quaternion<Var>& frame = sections[reference].orientation;
    const Vec3<Var> force = beam::turned(frame, F),
                    on_g = cayley_spin_transposed(vector(at.q.data() + 6 * node + 3),
                                                  beam::turned(frame, M));
    for (int i = 0; i < 3; ++i)
      f.force[6 * node + i] = force[i], f.force[6 * node + 3 + i] = on_g[i];
  };
  Vec3<Var> F_r, M_r;
  for (int other = 0; other < nodes - 1; ++other) {
    const Vec3<Var> F = vector(w.data() + 6 * other), M = vector(w.data() + 6 * other + 3),
                    lever = cross(vector(z.data() + 6 * other), F);
    put(other < reference ? other : other + 1, F, M);
    for (int i = 0; i < 3; ++i) F_r[i] -= F[i], M_r[i] -= M[i] + lever[i];
  }
  put(reference, F_r, M_r);
  f.potential = law.energy(z.data());
  if constexpr (!Law::conservative) {
    f.dissipation = graph::directional({f.potential}, at.q, at.v)[0];
    for (int i = 0; i < 6 * nodes; ++i) f.dissipation += f.force[i] * at.v[i];
  }
  return f;
}

}  // namespace daemark
