#include "analysis/reference/taylor_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/text/bad_input.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

// Point mass m = 2 on a circle of radius l = 3/2, row x^2 + y^2 - l^2, g = 981/100.
template <class S>
void record_pendulum(graph::Graph&, const Var* q, const Var*, const Var* a, const Var* lambda,
                     const Var&, Var* R, Var* Phi) {
  const S gravity = S(981) / 100;
  R[0] = 2 * a[0] + 2 * q[0] * lambda[0];
  R[1] = 2 * a[1] + 2 * q[1] * lambda[0] + 2 * gravity;
  Phi[0] = square(q[0]) + square(q[1]) - 2.25;
}

template <class S>
double error(const S& value, const S& expected) {
  using std::abs;
  return to_double(S(abs(value - expected))) / std::max(1.0, to_double(S(abs(expected))));
}

template <class S>
class TaylorReferenceTest : public ::testing::Test {
 protected:
  static double roundings(double count) { return count * unit_roundoff<S>(); }
};
using Scalars = ::testing::Types<double, real50>;
TYPED_TEST_SUITE(TaylorReferenceTest, Scalars);

// Released at 120 degrees: quarter period K(sin 60) sqrt(l/g), K = pi / (2 agm(1, cos 60)).
TYPED_TEST(TaylorReferenceTest, PendulumKeepsItsPeriod) {
  using S = TypeParam;
  using std::acos;
  using std::sqrt;
  S upper(1), lower = S(1) / 2;
  for (int i = 0; i < 9; ++i) {
    const S mean = (upper + lower) / 2;
    lower = sqrt(upper * lower);
    upper = mean;
  }
  const S l = S(3) / 2, g = S(981) / 100;
  const S quarter = acos(S(-1)) / (2 * upper) * sqrt(l / g);
  TaylorIntegrator<S> integrator(2, 1, record_pendulum<S>);
  const std::vector<S> start{l * sqrt(S(3)) / 2, l / 2};
  const auto states = integrator.integrate(S(0), start, {S(0), S(0)}, {4 * quarter, S(0), quarter});
  ASSERT_EQ(states.size(), 3u);

  const S speed = sqrt(3 * g * l);  // it has fallen 3/2 l
  EXPECT_LE(error(states[2].q[0], S(0)), this->roundings(300));
  EXPECT_LE(error(states[2].q[1], S(-l)), this->roundings(300));
  EXPECT_LE(error(states[2].v[0], S(-speed)), this->roundings(300));
  EXPECT_LE(error(states[2].a[1], S(3 * g)), this->roundings(300));
  EXPECT_LE(error(states[2].lambda[0], S(8 * g / (2 * l))), this->roundings(300));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(states[1].q[i], start[i]);
    EXPECT_LE(error(states[0].q[i], start[i]), this->roundings(1000));
    EXPECT_LE(error(states[0].v[i], S(0)), this->roundings(5000));
  }
  EXPECT_LE(error(states[1].lambda[0], S(-g / (2 * l))), this->roundings(20));
  EXPECT_LE(states[0].position_violation, this->roundings(1000));
  EXPECT_LE(states[0].velocity_violation, this->roundings(1000));
}

// x = sin t prescribed, y'' = -2 x x' = -sin 2t.
TYPED_TEST(TaylorReferenceTest, TimeDependentConstraint) {
  using S = TypeParam;
  using std::cos;
  using std::sin;
  TaylorIntegrator<S> integrator(2, 1,
                                 [](graph::Graph&, const Var* q, const Var* v, const Var* a,
                                    const Var* lambda, const Var& t, Var* R, Var* Phi) {
                                   R[0] = 2 * a[0] + lambda[0];
                                   R[1] = a[1] + 2 * q[0] * v[0];
                                   Phi[0] = q[0] - sin(t);
                                 });
  const S t0 = S(1) / 2, t = S(7) / 2;
  const auto states = integrator.integrate(t0, {S(sin(t0)), S(sin(2 * t0) / 4)},
                                           {S(cos(t0)), S(cos(2 * t0) / 2)}, {t});
  EXPECT_LE(error(states[0].q[0], S(sin(t))), this->roundings(100));
  EXPECT_LE(error(states[0].q[1], S(sin(2 * t) / 4)), this->roundings(100));
  EXPECT_LE(error(states[0].v[1], S(cos(2 * t) / 2)), this->roundings(100));
  EXPECT_LE(error(states[0].lambda[0], S(2 * sin(t))), this->roundings(100));
  EXPECT_EQ(states[0].t, t);
}

// Chaotic: round-off and truncation of unequal orders grow as any other perturbation would.
TEST(TaylorReference, OrdersAndStopsAgreeOnTwoLink) {
  const auto system = problem_registry().make("two_link").make<real50>();
  std::vector<real50> q(6), v(6);
  system->initial(q.data(), v.data());
  TaylorIntegrator<real50> standard(*system), low(*system, 44);
  const auto first = standard.integrate(0, q, v, {real50(1)});
  const int steps = standard.steps();
  const auto second = low.integrate(0, q, v, {real50("0.3"), real50(1)});
  EXPECT_GT(low.steps(), steps);
  for (int i = 0; i < 6; ++i) {
    EXPECT_LE(error(first[0].q[i], second[1].q[i]), 1e-47);
    EXPECT_LE(error(first[0].v[i], second[1].v[i]), 1e-46);
  }
  for (int i = 0; i < 4; ++i) EXPECT_LE(error(first[0].lambda[i], second[1].lambda[i]), 1e-46);
  EXPECT_LE(first[0].position_violation, 1e-48);
  EXPECT_LE(first[0].velocity_violation, 1e-48);
}

// Without constraints.
TEST(TaylorReference, FailuresAreReported) {
  TaylorIntegrator<double> massless(
      1, 0, [](auto&, auto* q, auto*, auto*, auto*, auto&, auto* R, auto*) { R[0] = q[0]; });
  EXPECT_THROW(massless.integrate(0, {1}, {0}, {1}), TaylorFailure);
  // x = 1 / (1 - t)^2 ends at t = 1.
  TaylorIntegrator<double> pole(1, 0,
                                [](auto&, auto* q, auto*, auto* a, auto*, auto&, auto* R, auto*) {
                                  R[0] = a[0] - 6 * q[0] * q[0];
                                });
  EXPECT_NEAR(pole.integrate(0, {1}, {2}, {0.5})[0].q[0], 4, 1e-13);
  EXPECT_THROW(pole.integrate(0, {1}, {2}, {2}), TaylorFailure);
  EXPECT_THROW(pole.integrate(0, {1}, {2}, {-1}), BadInput);
}

}  // namespace
}  // namespace daemark
