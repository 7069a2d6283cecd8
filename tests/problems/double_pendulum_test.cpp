#include <gtest/gtest.h>

#include <cmath>

#include "problems/system/index_one_solve.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

// Lagrange's equations of two bars by hand, independent of the planar builder: with d = θ2 − θ1,
// M11 = I1 + m1 L1²/4 + m2 L1², M12 = m2 L1 L2 cos d / 2, M22 = I2 + m2 L2²/4.
TEST(DoublePendulum, AcceleratesAsLagrangeSays) {
  const auto system = problem_registry().make("double_pendulum").make<double>(true);
  ASSERT_EQ(system->coordinates(), 2);
  const double pi = std::acos(-1.0), g = 9.81;
  for (const auto& [q1, q2, v1, v2] :
       {std::array{0.0, pi / 2, 0.0, 0.0}, std::array{-1.2, -1.4, 0.7, -0.3}}) {
    const double q[] = {q1, q2}, v[] = {v1, v2}, d = q2 - q1;
    const double m11 = 0.25 + 3.0 / 4 + 0.3, m12 = 0.3 * 1.5 * std::cos(d) / 2,
                 m22 = 0.3 * 1.5 * 1.5 / 3, gyro = 0.3 * 1.5 * std::sin(d) / 2;
    const double between = 3000 * d + 5 * (v2 - v1);
    const double f1 = -400 * (q1 - 1.5 * pi) - 15 * v1 + between + gyro * v2 * v2 -
                      (1.5 + 0.3) * g * std::cos(q1),
                 f2 = -between - gyro * v1 * v1 - 0.3 * g * 0.75 * std::cos(q2);
    const double det = m11 * m22 - m12 * m12;
    double a[2], none[1];
    IndexOneSolve<double> solve(*system);
    ASSERT_TRUE(solve.solve(*system, {0.0, q, v}, {0, 0, 1}, a, none));
    EXPECT_NEAR(a[0], (m22 * f1 - m12 * f2) / det, 1e-11 * std::abs(f2) / det);
    EXPECT_NEAR(a[1], (m11 * f2 - m12 * f1) / det, 1e-11 * std::abs(f2) / det);
  }
}

}  // namespace
}  // namespace daemark
