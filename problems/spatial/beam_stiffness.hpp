// The linear constitutive law of a beam section: (n, m) = D (ε, κ), axes 1 along the beam, 2 and 3
// in the section.
#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <string>

#include "base/graph/graph.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

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

}  // namespace daemark
