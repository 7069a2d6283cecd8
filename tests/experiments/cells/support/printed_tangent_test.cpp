// The tangent-space method as printed, on its own: orders, and all constraint levels.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/cells/kinds/printed_tangent_cell.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

MechanicalPtr<double> pendulum() {
  return problem_registry().make("driven_pendulum(T0=0,theta0=1)").make<double>();
}

/// θ at 1 s; 0.25 and 1/12 are average acceleration and Fox-Goodwin.
double angle(double beta, ParticularSolution choice, int steps) {
  PrintedTangent method(pendulum(), 0.5, beta, choice);
  EXPECT_TRUE(method.start());
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(method.step(1.0 / steps));
  return method.q()[2];
}

double order(double beta, ParticularSolution choice) {
  const double a = angle(beta, choice, 80), b = angle(beta, choice, 160),
               c = angle(beta, choice, 320);
  return std::log2(std::abs((a - b) / (b - c)));
}

// Richardson's three values: C h^p (1 + c h) leaves c h/2 of p, with h = 1/160 and c of order 10.
TEST(PrintedTangent, MinimumNormIsOfSecondOrderAndSparseOfFirst) {
  EXPECT_NEAR(order(1.0 / 4, ParticularSolution::minimum), 2, 0.1);
  EXPECT_NEAR(order(1.0 / 12, ParticularSolution::minimum), 2, 0.3) << "not 4";
  EXPECT_NEAR(order(1.0 / 4, ParticularSolution::sparse), 1, 0.1);
  EXPECT_NEAR(order(1.0 / 12, ParticularSolution::sparse), 1, 0.1);
}

TEST(PrintedTangent, KeepsAllLevels) {
  const auto system = pendulum();
  PrintedTangent method(system, 0.5, 0.25, ParticularSolution::minimum);
  ASSERT_TRUE(method.start());
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(method.step(0.02));
  double levels[6];
  MotionValues<double> out;
  out.position = levels, out.velocity = levels + 2, out.acceleration = levels + 4;
  system->evaluate({1, method.q().data(), method.v().data(), method.a().data()}, {}, out);
  // The iteration stops at changes of 1e-14 in x, 1e-14/h in ẋ and 1e-14/h² in ẍ, and converges
  // faster than linearly.
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(levels[i]), 1e-14);
    EXPECT_LT(std::abs(levels[2 + i]), 1e-12);
    EXPECT_LT(std::abs(levels[4 + i]), 1e-10);
  }
}

}  // namespace
}  // namespace daemark
