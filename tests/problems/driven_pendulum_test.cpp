#include <gtest/gtest.h>

#include <cmath>

#include "analysis/reference/taylor_reference.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

template <class S>
TaylorState<S> state_at(MechanicalSystem<S>& system, const S& t) {
  std::vector<S> q(system.coordinates()), v(q.size());
  system.initial(q.data(), v.data());
  return TaylorIntegrator<S>(system).integrate(S(0), q, v, {t}).front();
}

TEST(DrivenPendulum, HasTheEquationsOfThePaper) {
  const auto minimal = problem_registry().make("driven_pendulum(T0=5)").make<double>(true);
  ASSERT_EQ(minimal->coordinates(), 1);
  const double t = 3, theta = 0.7, omega = -0.4, a = 1.1;
  double r = 0, no_constraint = 0;
  minimal->evaluate({t, &theta, &omega, &a}, {},
                    MotionValues<double>::equations(&r, &no_constraint));
  // Eq. 13 with m = L = 1, g = 9.8.
  EXPECT_NEAR(r, a + 9.8 * std::sin(theta) - 5 * std::sin(0.1 * t), 1e-14);
  const MotionPoint<double> point{t, &theta, &omega, &a};
  EXPECT_NEAR(minimal->power(point), 5 * std::sin(0.1 * t) * omega, 1e-15);
}

// The mass matrix of the absolute form is singular (no inertia about the mass): the multipliers of
// the pivot carry the torque. Both forms move alike.
TEST(DrivenPendulum, MasslessRodMovesLikeTheAngle) {
  const Problem problem = problem_registry().make("driven_pendulum(T0=5)");
  const auto absolute = problem.make<real50>();
  const auto angle = problem.make<real50>(true);
  ASSERT_EQ(absolute->coordinates() - absolute->constraints(), 1);
  const real50 t("4.5");
  const auto x = state_at(*absolute, t), y = state_at(*angle, t);
  EXPECT_LT(to_double(real50(abs(x.q[2] - y.q[0]))), 1e-28);
  EXPECT_LT(to_double(real50(abs(x.a[2] - y.a[0]))), 1e-26);
  // The mass hangs at the pivot's reaction: x + λ_x = 0 where m = 1, for rows "pivot of the body
  // minus ground".
  EXPECT_LT(to_double(real50(abs(x.a[0] + x.lambda[0]))), 1e-26);
  EXPECT_GT(std::abs(to_double(x.q[2])), 0.1);
}

}  // namespace
}  // namespace daemark
