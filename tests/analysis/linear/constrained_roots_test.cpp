// Roots of a step on a linear constrained system, against what the formulas give in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/exact/theory/second_order.hpp"
#include "analysis/linear/amplification.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

ConstrainedRoots of(const char* method, const char* formulation) {
  ConstrainedRootsRequest request{method, formulation, {}};
  for (const char* x : {"1/20", "1/5"}) request.x.push_back(Expression::parse(x, "x"));
  return constrained_roots(request);
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
  ConstrainedRootsRequest request{"backward_euler", "baumgarte(alpha=1/h,beta=1/h)", {}};
  for (const char* x : {"1/100", "1/10", "1"}) request.x.push_back(Expression::parse(x, "x"));
  for (const double radius : constrained_roots(request).radius) EXPECT_NEAR(radius, 0.5, 1e-8);
}

}  // namespace
}  // namespace daemark
