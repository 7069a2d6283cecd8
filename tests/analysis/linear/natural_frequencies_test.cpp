// Frequencies of linearised mechanisms against what can be said by hand.
#include "analysis/linear/natural_frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/core/registry.hpp"

namespace daemark {
namespace {

NaturalFrequencies at_start(const std::string& problem, bool minimal = false) {
  const auto system = problem_registry().make(problem).make<double>(minimal);
  std::vector<double> q(system->coordinates()), v(q.size());
  system->initial(q.data(), v.data());
  return FrequencyAnalysis(system).at(0, q.data(), v.data());
}

// θ̈ = −g sin θ about θ = 0, in either coordinates; three digits short of double.
TEST(NaturalFrequencies, OfAHangingPendulum) {
  const double omega = std::sqrt(9.8);
  EXPECT_NEAR(at_start("driven_pendulum", true).reduced, omega, 1e-13);
  EXPECT_NEAR(at_start("driven_pendulum").reduced, omega, 1e-13);
  EXPECT_TRUE(std::isinf(at_start("driven_pendulum").free)) << "the rod has no inertia";
}

// On the curve (sin θ, −cos θ, θ) the coordinate along the tangent is α = (δ + sin δ)/√2 for an
// angle δ from the point, so α̈ = √2 δ̈ − δ δ̇²/√2 + …: M_R⁻¹ K_R = g cos θ + θ̇²/2.
TEST(NaturalFrequencies, OfAMovingPendulum) {
  const auto system = problem_registry().make("driven_pendulum").make<double>();
  const double theta = 0.8, omega = 1.3;
  const double q[] = {std::sin(theta), -std::cos(theta), theta};
  const double v[] = {omega * std::cos(theta), omega * std::sin(theta), omega};
  EXPECT_NEAR(FrequencyAnalysis(system).at(0, q, v).reduced,
              std::sqrt(9.8 * std::cos(theta) + omega * omega / 2), 1e-13);
}

// J θ̈ = −W cos θ at θ = π/2 has the stiffness −W.
TEST(NaturalFrequencies, OfAnUprightFourBar) {
  const double J = 3.0 / 3 + 2, W = (1.5 + 2) * 9.81;
  EXPECT_NEAR(at_start("four_bar", true).reduced, std::sqrt(W / J), 1e-13);
}

TEST(NaturalFrequencies, OfAnOscillator) {
  EXPECT_NEAR(at_start("oscillator(omega=7)").free, 7, 1e-14);
  EXPECT_NEAR(at_start("oscillator(omega=7)").reduced, 7, 1e-14);
}

}  // namespace
}  // namespace daemark
