// Highest natural frequencies of a mechanism linearised about a point of its motion, by the two
// definitions in use for step limits such as h < 2/ω:
//
//   free     √max|eig(M⁻¹ K)| of the unconstrained system, K = ∂R/∂q with R = M a + Gᵀλ − f: its
//            stiffness contains ∂(Gᵀλ)/∂q; infinite where M is singular and K is not zero there
//   reduced  √max|eig(M_R⁻¹ K_R)| in the tangent space of the constraints, N a basis of null(G)
//            (Fernández de Bustos et al. 2021, below eq. 52, with the signs of this program):
//            M_R = Nᵀ M N,  K_R = Nᵀ K N + Nᵀ C Ẋ + Nᵀ M Ẍ,  G Ẋ = −Ġ N,  G Ẍ = −2 Ġ Ẋ − G̈ N,
//            Ẋ, Ẍ of minimum norm, C = ∂R/∂v
//
// Accelerations and multipliers are those of the index-1 equations at the point.
#pragma once

#include <vector>

#include "problems/core/mechanical_system.hpp"

namespace daemark {

struct NaturalFrequencies {
  double free = 0, reduced = 0;  ///< [rad/s]; NaN where a and λ cannot be found
};

class FrequencyAnalysis {
 public:
  explicit FrequencyAnalysis(MechanicalPtr<double> mechanism);
  ~FrequencyAnalysis();
  /// q, v: of the mechanism's own coordinates (flat systems).
  NaturalFrequencies at(double t, const double* q, const double* v);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daemark
