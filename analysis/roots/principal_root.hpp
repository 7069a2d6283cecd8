// The principal root of a method on y' = iωy, followed continuously from ωh = 0.
#pragma once

#include <complex>
#include <functional>
#include <vector>

namespace daemark {

/// Follows z(θ), z(0) = 1, z ≈ e^{iθ} near 0, through growing θ = ωh with its phase unwrapped.
class PrincipalRoot {
 public:
  /// `roots(θ)`: all roots of the step; with conjugates only where there is no scalar form (see
  /// scalar_roots.hpp).
  using Roots = std::function<std::vector<std::complex<double>>(double)>;
  explicit PrincipalRoot(Roots roots) : roots_(std::move(roots)) {}

  /// To θ ≥ the present one, by as many steps as continuity needs.
  void advance(double theta);
  std::complex<double> value() const { return z_; }
  double phase() const { return phase_; }  ///< arg z, unwrapped [rad]

 private:
  bool try_step(double theta, bool force);

  Roots roots_;
  double theta_ = 0, phase_ = 0, step_ = 0.1;
  std::complex<double> z_ = 1, slope_ = {0, 1};  ///< d ln z/dθ
};

}  // namespace daemark
