#include <gtest/gtest.h>

#include <cmath>

#include "analysis/reference/taylor_reference.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

constexpr int bodies = 7;

/// The state of a problem at t, with accelerations and multipliers from its Taylor series.
template <class S>
TaylorState<S> state_at(MechanicalSystem<S>& system, const S& t) {
  std::vector<S> q(system.coordinates()), v(q.size());
  system.initial(q.data(), v.data());
  return TaylorIntegrator<S>(system).integrate(S(0), q, v, {t}).front();
}

/// Angles of the seven frames from β θ γ φ δ Ω ε, quarter turns included.
template <class S>
std::vector<S> frames(const std::vector<S>& q) {
  using std::acos;
  const S quarter = acos(S(0));
  return {q[0], q[0] + q[1], q[2], q[3] + q[4] - quarter, q[4], q[5] + q[6], q[6] - quarter};
}

// Initial values with 30 digits as the Test Set for IVP Solvers prints them (problem andrews).
TEST(AndrewsSqueezer, StartsWhereTheTestSetDoes) {
  const auto angles =
      problem_registry().make("andrews_squeezer(start=ivp,coordinates=angles)").make<real50>();
  const TaylorState<real50> start = state_at(*angles, real50(0));
  const char* q[] = {"-0.0617138900142764496358948458001", "0",
                     "0.455279819163070380255912382449",   "0.222668390165885884674473185609",
                     "0.487364979543842550225598953530",   "-0.222668390165885884674473185609",
                     "1.23054744454982119249735015568"};
  for (int i = 0; i < bodies; ++i) EXPECT_LT(abs(start.q[i] - real50(q[i])), 1e-29) << i;
  EXPECT_LT(abs(start.a[0] - real50("14222.4439199541138705911625887")), 1e-24);
  EXPECT_LT(abs(start.a[1] + real50("10666.8329399655854029433719415")), 1e-24);
  EXPECT_LT(abs(start.lambda[0] - real50("98.5668703962410896057654982170")), 1e-27);
  EXPECT_LT(abs(start.lambda[1] + real50("6.12268834425566265503114393122")), 1e-27);
}

TEST(AndrewsSqueezer, StartsOfTheOtherBenchmarkCloseTheLoops) {
  for (const char* call :
       {"andrews_squeezer(start=iftomm)", "andrews_squeezer(start=iftomm,coordinates=angles)"}) {
    const auto system = problem_registry().make(call).make<real50>();
    const TaylorState<real50> start = state_at(*system, real50(0));
    EXPECT_LT(start.position_violation, 1e-48) << call;
    const int crank = system->coordinates() > bodies ? 2 : 0;
    EXPECT_LT(abs(start.q[crank] + real50("0.062")), 1e-48);
  }
}

// The end values printed by the test set come from a run in double: its β is off by 1.1e-9. A shift
// of 1e-12 s, taken from β, explains its positions to 1e-11; its velocities are then off by 1.3e-7
// and its multipliers by 1.5e-5 (both routes here agree on 30 digits).
TEST(AndrewsSqueezer, AgreesWithThePublishedReference) {
  const auto angles =
      problem_registry().make("andrews_squeezer(start=ivp,coordinates=angles)").make<real50>();
  const double q[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                      -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                      1.048080741042263};
  const double v[] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                      0.5735699284790808, -19.29337464421385, 0.3231791658026955};
  const double lambda[] = {199.1753333731910, -29.75531228015052, 23.06654119098399,
                           31.45271365475927, 22.64249232082739,  11.61740700019673};
  const TaylorState<real50> nominal = state_at(*angles, real50("0.03"));
  const real50 shift = (real50(q[0]) - nominal.q[0]) / nominal.v[0];
  EXPECT_LT(std::abs(to_double(shift)), 2e-12);
  const TaylorState<real50> end = state_at(*angles, real50(real50("0.03") + shift));
  for (int i = 0; i < bodies; ++i) {
    EXPECT_NEAR(to_double(end.q[i]), q[i], 1e-11) << i;
    EXPECT_NEAR(to_double(end.v[i]), v[i], 2e-7) << i;
  }
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(to_double(end.lambda[i]), lambda[i], 2e-5) << i;
}

// Two formulations assembled by different code move alike: angles, loop multipliers, energy.
TEST(AndrewsSqueezer, BothCoordinatesGiveTheSameMotion) {
  const auto angles =
      problem_registry().make("andrews_squeezer(coordinates=angles)").make<real50>();
  const auto absolute = problem_registry().make("andrews_squeezer").make<real50>();
  const real50 t("0.01");
  const auto x = state_at(*angles, t), y = state_at(*absolute, t);
  const auto frame = frames(x.q), rate = frames(x.v);
  for (int b = 0; b < bodies; ++b)
    EXPECT_LT(to_double(real50(abs(y.q[3 * b + 2] - frame[b]))), 1e-28) << b;
  for (int i = 0; i < 6; ++i)
    EXPECT_LT(to_double(real50(abs(y.lambda[14 + i] - x.lambda[i]))), 1e-24) << i;
  const auto energy = [](MechanicalSystem<real50>& s, const TaylorState<real50>& at) {
    const MotionPoint<real50> point{at.t, at.q.data(), at.v.data()};
    return real50(s.kinetic_energy(point) + s.potential_energy(point) - s.work(point));
  };
  const real50 start = energy(*angles, state_at(*angles, real50(0)));
  EXPECT_LT(to_double(real50(abs(energy(*angles, x) - start))), 1e-30);
  EXPECT_LT(to_double(real50(abs(energy(*absolute, y) - start))), 1e-30);
  EXPECT_GT(to_double(angles->work({t, x.q.data(), x.v.data()})), 1e-3);
}

// Jacobians against central differences, which h² leaves near 1e-11 relative.
TEST(AndrewsSqueezer, JacobiansMatchDifferences) {
  for (const char* call : {"andrews_squeezer", "andrews_squeezer(coordinates=angles)"}) {
    const auto system = problem_registry().make(call).make<real50>();
    const int n = system->coordinates(), m = system->constraints();
    TaylorState<real50> at = state_at(*system, real50("0.004"));
    const ConstraintWeights<real50> weights{real50(2), real50(3), real50(5)};
    std::vector<real50> R(n), C(m), Rp(n), Cp(m), Rm(n), Cm(m);
    std::vector<real50> dq(system->residual_q_pattern().size()),
        gradient(system->gradient_pattern().size()), curvature(system->curvature_pattern().size());
    MotionValues<real50> jac = MotionValues<real50>::equations(R.data(), C.data());
    jac.residual_q = dq.data(), jac.gradient = gradient.data(), jac.curvature_q = curvature.data();
    system->evaluate({at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data()}, weights, jac);
    const real50 step("1e-11");
    for (int j = 0; j < n; ++j) {
      const real50 q = at.q[j];
      at.q[j] = q + step;
      system->evaluate({at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data()}, weights,
                       MotionValues<real50>::equations(Rp.data(), Cp.data()));
      at.q[j] = q - step;
      system->evaluate({at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data()}, weights,
                       MotionValues<real50>::equations(Rm.data(), Cm.data()));
      at.q[j] = q;
      std::vector<real50> column(n, real50(0)), row(m, real50(0));
      const auto gather = [j](const Pattern& pattern, const std::vector<real50>& values,
                              std::vector<real50>& into, const real50& weight) {
        for (int k = 0; k < pattern.size(); ++k)
          if (pattern.entries[k].second == j) into[pattern.entries[k].first] += weight * values[k];
      };
      gather(system->residual_q_pattern(), dq, column, real50(1));
      gather(system->gradient_pattern(), gradient, row, weights.position);
      gather(system->curvature_pattern(), curvature, row, real50(1));
      const auto expect = [&](const real50& derivative, const real50& plus, const real50& minus) {
        const double exact = to_double(derivative);
        const double scale = 1 + std::abs(to_double(plus)) * 1e-3 + std::abs(exact);
        EXPECT_NEAR(to_double(real50((plus - minus) / (step + step))), exact, 1e-9 * scale)
            << call << " " << j;
      };
      for (int i = 0; i < n; ++i) expect(column[i], Rp[i], Rm[i]);
      for (int i = 0; i < m; ++i) expect(row[i], Cp[i], Cm[i]);
    }
  }
}

// Table 2 of Fernández de Bustos et al. 2021 moves a decimal point and shifts two rows.
TEST(AndrewsSqueezer, TakesTheMassesOfTheMisprintedTable) {
  const auto printed = problem_registry().make("andrews_squeezer(masses=printed)").make<double>();
  std::vector<double> mass(printed->mass_pattern().size()), q(21), zero(41);
  printed->initial(q.data(), zero.data());
  MotionValues<double> out;
  out.mass = mass.data();
  printed->evaluate({0, q.data(), zero.data(), zero.data(), zero.data()}, {}, out);
  EXPECT_DOUBLE_EQ(mass[0], 0.004325);
  EXPECT_DOUBLE_EQ(mass[12], 0.05498);
  EXPECT_DOUBLE_EQ(mass[18], 0.02373);
  EXPECT_DOUBLE_EQ(mass[6], 0.02373);
  EXPECT_EQ(problem_registry().make("andrews_squeezer").name,
            "andrews_squeezer(start=ivp,coordinates=absolute)");
}

TEST(AndrewsSqueezer, RefusesOtherStarts) {
  EXPECT_THROW(problem_registry().make("andrews_squeezer(start=else)"), BadInput);
  EXPECT_THROW(problem_registry().make("andrews_squeezer(coordinates=polar)"), BadInput);
}

}  // namespace
}  // namespace daemark
