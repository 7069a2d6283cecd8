// Frequencies of linearised mechanisms against what can be said by hand.
#include "analysis/linear/natural_frequencies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/exact/theory/second_order.hpp"
#include "analysis/linear/amplification.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/tableaus.hpp"

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

std::vector<Mode> modes_of(const Problem& problem) {
  const auto system = problem.make<double>();
  std::vector<double> q(system->coordinates()), v(q.size()), chart(system->chart_size());
  system->initial(q.data(), v.data());
  system->initial_chart(chart.data());
  return FrequencyAnalysis(system).modes(0, q.data(), v.data(), chart.data());
}

// The largest eigenvalue of the modes is the highest reduced frequency where nothing damps.
TEST(Modes, OfTheSqueezerEndAtItsReducedFrequency) {
  const std::vector<Mode> modes = modes_of(problem_registry().make("andrews_squeezer"));
  ASSERT_FALSE(modes.empty());
  EXPECT_NEAR(modes.back().frequency(), at_start("andrews_squeezer").reduced, 1e-6);
}

/// A bar of 1 kg and 1 m that hangs from a spherical joint, with a damper at its tip.
Problem hanging_bar(Exact damping) {
  SpatialMechanism m;
  m.gravity({0, 0, "-981/100"});
  m.body("bar", 1, {"1/12", "1/12", "1/100"}, {{0, 0, "-1/2"}});
  m.spherical(SpatialMechanism::ground, 0, {0, 0, 0});
  m.damper(SpatialMechanism::ground, {1, 0, -1}, 0, {0, 0, -1}, damping);
  return m.problem("hanging_bar");
}

// Two swings with ω² = m g l / (m l² + J) = 3 g / 2 and the free spin about the bar itself; a
// damper d in the plane x at 1 m acts on J θ̈ + d θ̇ + … of the swing in that plane only: ζ = d/(2 J
// ω).
TEST(Modes, OfAHangingBar) {
  const double omega = std::sqrt(1.5 * 9.81), d = 0.01;
  const std::vector<Mode> modes = modes_of(hanging_bar("1/100"));
  std::vector<double> damping;
  for (const Mode& mode : modes)
    if (mode.frequency() > 1) {
      EXPECT_NEAR(mode.frequency(), omega, 1e-7);
      damping.push_back(mode.damping());
    }
  ASSERT_EQ(damping.size(), 2u);
  EXPECT_NEAR(*std::min_element(damping.begin(), damping.end()), 0, 1e-7);
  EXPECT_NEAR(*std::max_element(damping.begin(), damping.end()), d / (2 * omega / 3), 1e-7);
}

TEST(NaturalFrequencies, OfAnOscillator) {
  EXPECT_NEAR(at_start("oscillator(omega=7)").free, 7, 1e-14);
  EXPECT_NEAR(at_start("oscillator(omega=7)").reduced, 7, 1e-14);
}

// Roots of a step on a linear constrained system, against what the formulas give in closed form.

ConstrainedRoots of(const char* method, const char* formulation) {
  return constrained_roots({method, formulation, expressions({"1/20", "1/5"})});
}

// Along a position constraint β z² + (γ + 1/2 − 2β) z + (β − γ + 1/2), whatever ω h is.
TEST(ConstrainedRoots, ClassicalIndexThreeHasItsOwnRoots) {
  const ConstrainedRoots fox = of("fox_goodwin", "index3");
  for (const auto& roots : fox.constraint) {
    ASSERT_EQ(roots.size(), 2u);
    EXPECT_NEAR(roots[0].real(), -5 - std::sqrt(24.0), 1e-9);
    EXPECT_NEAR(roots[1].real(), -5 + std::sqrt(24.0), 1e-9);
  }
  const ConstrainedRoots average = of("average_acceleration", "index3");
  for (const auto& roots : average.constraint) {
    ASSERT_EQ(roots.size(), 2u);
    // A double root is found to the square root of the unit round-off, ~1e-9 in long double.
    for (const auto& z : roots) EXPECT_NEAR(std::abs(z + 1.0), 0, 1e-6);
  }
}

TEST(ConstrainedRoots, AgreeWithTheFormulas) {
  for (const char* method : {"newmark(3/4,25/64)", "hht(-1/5)", "generalized_alpha(1/2)"})
    for (const char* formulation : {"index2", "index3"}) {
      const auto* step = method_registry().make(method)->as<ExactSecondOrder>();
      const bool third = std::string(formulation) == "index3";
      const double expected = largest_root(third ? step->position_roots : step->velocity_roots);
      for (const auto& roots : of(method, formulation).constraint) {
        SCOPED_TRACE(std::string(method) + " " + formulation);
        ASSERT_GE(roots.size(), 2u);
        // Velocity constraints hold no positions: these stay where they are, the root 1.
        if (!third) {
          EXPECT_NEAR(std::abs(roots[0] - 1.0), 0, 1e-9);
        }
        EXPECT_NEAR(std::abs(roots[third ? 0 : 1]), expected, 1e-5);  // triple roots: ε^(1/3)
      }
    }
}

// All levels hold: nothing of the method is left along the constraint.
TEST(ConstrainedRoots, TangentSpaceHasNone) {
  for (const char* method : {"tangent_space(fox_goodwin)", "tangent_space(average_acceleration)",
                             "tangent_space(radau_iia(2))", "tangent_space(sdirk_2,null_space)"})
    for (const auto& roots : of(method, "index3").constraint) EXPECT_TRUE(roots.empty()) << method;
}

// Φ̈ + (2/h) Φ̇ + Φ/h² = 0 has hλ = −1 twice at every step: 1/(1 − hλ) = 1/2.
TEST(ConstrainedRoots, GainsOfTheStepSeeTheStep) {
  const ConstrainedRootsRequest request{"backward_euler", "baumgarte(alpha=1/h,beta=1/h)",
                                        expressions({"1/100", "1/10", "1"})};
  for (const double radius : constrained_roots(request).radius) EXPECT_NEAR(radius, 0.5, 1e-8);
}

}  // namespace
}  // namespace daemark
