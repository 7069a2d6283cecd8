// Linear analysis of a method by the roots of one step: amplitude decay, period elongation,
// spectral radius, stability region. Zhang 2022, section 4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

struct AnalyseRequest {
  std::string method;  ///< call as text
  /// x = Δt/(nT), each 1e-15 to 1e15, any order; n: stages counted (MethodInfo cost), T = 2π/ω.
  std::vector<Expression> x;
};

struct RationalFunctionText {
  std::vector<std::string> num, den;  ///< ascending powers of z, den[0] = 1, 30 digits
};

/// One entry per x, in the order asked for. With z the principal root, a = −ln|z|, φ = arg z
/// unwrapped from 0 and Ω = √(a² + φ²): decay 100 a/Ω, elongation 100 (ωΔt/Ω − 1), ωΔt = 2πnx. The
/// spectral radius is the largest modulus of any root, per full step. At small steps (ωΔt < 0.01)
/// and for numbers below 1e-8 %, a value that round-off in real50 could produce is reported as 0.
struct AnalyseResult {
  std::string method;  ///< canonical
  int n = 1;
  std::vector<double> x, amplitude_decay_percent, period_elongation_percent, spectral_radius;
  std::optional<RationalFunctionText> stability_function;  ///< of methods with a tableau
};

/// Throws BadInput for unknown methods and x out of range, NumericalFailure where a step fails.
AnalyseResult analyse(const AnalyseRequest& request);

/// The same numbers where steps ωΔt of an undamped oscillator are given, ≥ 0, any order; at 0 there
/// is neither decay nor elongation. Throws as analyse().
struct OscillatorSteps {
  std::string method;  ///< canonical
  std::vector<double> amplitude_decay_percent, period_elongation_percent, spectral_radius;
};
OscillatorSteps oscillator_steps(const std::string& method, const std::vector<real50>& omega_step);

/// A row of the table of all methods.
struct LinearSummary {
  std::string method;
  int n = 1;
  std::string failure;  ///< why there are no numbers; else empty
  int order = 0;        ///< of the roots against exp; for Runge–Kutta an upper bound of the order
  double rho_infinity = 0;  ///< largest root modulus at ωΔt → ∞
  double decay_005 = 0, decay_010 = 0, elongation_005 = 0, elongation_010 = 0;  ///< [%]
};
LinearSummary summarise(const std::string& method);

/// |R(z)| (the largest root modulus) on a grid of the complex plane, row by row from im_min
/// upwards.
struct StabilityRegion {
  double re_min = -10, re_max = 10, im_min = -10, im_max = 10;
  int columns = 81, rows = 81;
  std::vector<double> modulus;
};
/// Fills `modulus`, computed with the stepper.
void fill_region(const std::string& method, StabilityRegion& region);

}  // namespace daemark
