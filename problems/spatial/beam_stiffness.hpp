// The linear constitutive law of a beam section: (n, m) = D (ε, κ), axes 1 along the beam, 2 and 3
// in the section.
#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <string>

#include "base/numbers/scalar.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

template <class S>
using SectionStiffness = Eigen::Matrix<S, 6, 6>;

/// EA, GA_2, GA_3 [N], GJ, EJ_2, EJ_3 [N m²]. Throws BadInput where one is not positive.
template <class S>
SectionStiffness<S> section_stiffness(const std::array<S, 6>& diagonal) {
  static const char* names[] = {"EA", "GA_2", "GA_3", "GJ", "EJ_2", "EJ_3"};
  SectionStiffness<S> D = SectionStiffness<S>::Zero();
  for (int i = 0; i < 6; ++i) {
    if (!(diagonal[i] > 0))
      throw BadInput(std::string("beam section: ") + names[i] + " must be positive");
    D(i, i) = diagonal[i];
  }
  return D;
}

/// Throws BadInput where D is not symmetric and positive definite.
template <class S>
void check_stiffness(const SectionStiffness<S>& D) {
  Eigen::Matrix<double, 6, 6> rounded;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) rounded(i, j) = to_double(D(i, j));
  const Eigen::Matrix<double, 6, 1> scale = rounded.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::Matrix<double, 6, 6> scaled = scale.asDiagonal() * rounded * scale.asDiagonal();
  if (!(rounded.diagonal().minCoeff() > 0) || rounded != rounded.transpose() ||
      scaled.llt().info() != Eigen::Success)
    throw BadInput("beam section: its stiffness must be symmetric and positive definite");
}

}  // namespace daemark
