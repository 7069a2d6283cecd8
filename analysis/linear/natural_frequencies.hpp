// A mechanism linearised about a point of its motion. Two definitions of its highest frequency are
// in use for step limits such as h < 2/ω:
//
//   free     √max|eig(M⁻¹ K)| of the unconstrained system, K = ∂R/∂q with R = M a + Gᵀλ − f: its
//            stiffness contains ∂(Gᵀλ)/∂q; infinite where M is singular and K is not zero there
//   reduced  √max|eig(M_R⁻¹ K_R)| in the tangent space of the constraints, N a basis of null(G)
//            (Fernández de Bustos et al. 2021, below eq. 52, with the signs of this program):
//            M_R = Nᵀ M N,  K_R = Nᵀ K N + Nᵀ C Ẋ + Nᵀ M Ẍ,  G Ẋ = −Ġ N,  G Ẍ = −2 Ġ Ẋ − G̈ N,
//            Ẋ, Ẍ of minimum norm, C = ∂R/∂v
//
// The modes are the eigenvalues μ of μ² M_R + μ C_R + K_R, C_R = Nᵀ C N + 2 Nᵀ M Ẋ (the same
// source), with damping and gyroscopic terms.
//
// Accelerations and multipliers at the point are the solution of the index-1 equations there.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "problems/system/mechanical_system.hpp"

namespace daemark {

struct NaturalFrequencies {
  double free = 0, reduced = 0;  ///< [rad/s]; NaN where a and λ cannot be found
};

/// One solution e^{μt} of the linearised motion; conjugates count once.
struct Mode {
  std::complex<double> value;                           ///< μ [1/s], imaginary part not negative
  double frequency() const { return std::abs(value); }  ///< ω = |μ| [rad/s]
  double damping() const {
    return (0 - value.real()) / std::abs(value);
  }  ///< of critical; < 0: grows
};

class FrequencyAnalysis {
 public:
  explicit FrequencyAnalysis(MechanicalPtr<double> mechanism);
  ~FrequencyAnalysis();
  /// q, v: in the coordinates of the mechanism, on `chart` where it has one.
  NaturalFrequencies at(double t, const double* q, const double* v, const double* chart = nullptr);
  /// All modes by ascending frequency; dense matrices. Throws NumericalFailure where a and λ cannot
  /// be found or M_R is singular.
  std::vector<Mode> modes(double t, const double* q, const double* v,
                          const double* chart = nullptr);
  /// v̇ at the point last analysed.
  const std::vector<double>& accelerations() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daemark
