// The planar mechanisms of the catalogue: published values, and one motion in all coordinates.
#include <fmt/format.h>

#include <cmath>

#include "base/text/bad_input.hpp"
#include "problems/system/index_one_solve.hpp"
#include "tests/problems/problem_runs.hpp"

namespace daemark {
namespace {

using test::state_at;

constexpr int bodies = 7;

/// Angles of the seven frames from β θ γ φ δ Ω ε, quarter turns included.
template <class S>
std::vector<S> frames(const std::vector<S>& q) {
  using std::acos;
  const S quarter = acos(S(0));
  return {q[0], q[0] + q[1], q[2], q[3] + q[4] - quarter, q[4], q[5] + q[6], q[6] - quarter};
}

// Initial values with 30 digits as the Test Set for IVP Solvers prints them (problem andrews).
TEST(AndrewsSqueezer, StartsWhereTheTestSetDoes) {
  const TaylorState<real50> start =
      state_at("andrews_squeezer(start=ivp,coordinates=angles)", real50(0));
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

// Three formulations by different code: joints of bodies, lengths between points, one angle.
TEST(FourBar, AllCoordinatesGiveTheSameMotion) {
  for (const int loops : {1, 2, 5}) {
    const Problem bodies = problem_registry().make(fmt::format("four_bar({})", loops));
    const Problem points =
        problem_registry().make(fmt::format("four_bar({},coordinates=natural)", loops));
    const auto absolute = bodies.make<real50>(), natural = points.make<real50>();
    EXPECT_EQ(absolute->coordinates() - absolute->constraints(), 1);
    EXPECT_EQ(natural->coordinates() - natural->constraints(), 1);
    const real50 t("0.35");  // well before the cranks are level
    const auto x = state_at(*absolute, t), y = state_at(*natural, t);
    for (const Problem* problem : {&bodies, &points}) {
      const auto angle = problem->make<real50>(true);
      const auto z = state_at(*angle, t);
      std::vector<real50> q(angle->reference_coordinates()), v(q.size());
      angle->to_reference({t, z.q.data(), z.v.data()}, q.data(), v.data());
      const auto& other = problem == &bodies ? x : y;
      ASSERT_EQ(q.size(), other.q.size());
      for (std::size_t i = 0; i < q.size(); ++i) {
        EXPECT_LT(to_double(real50(abs(q[i] - other.q[i]))), 1e-28) << loops << " " << i;
        EXPECT_LT(to_double(real50(abs(v[i] - other.v[i]))), 1e-27) << loops << " " << i;
      }
      const auto other_form = problem->make<real50>();
      const MotionPoint<real50> own{t, z.q.data(), z.v.data()}, theirs{t, q.data(), v.data()};
      EXPECT_NEAR(to_double(real50(angle->kinetic_energy(own) + angle->potential_energy(own) -
                                   other_form->kinetic_energy(theirs) -
                                   other_form->potential_energy(theirs))),
                  0, 1e-27 * loops);
    }
  }
}

TEST(FourBar, StartsAsTheBenchmarkSays) {
  const auto natural = problem_registry().make("four_bar(coordinates=natural)").make<double>();
  std::vector<double> q(natural->coordinates()), v(q.size());
  natural->initial(q.data(), v.data());
  EXPECT_EQ(q, (std::vector<double>{0, 1, 1, 1, 2, 1}));
  EXPECT_EQ(v, (std::vector<double>{1, 0, 1, 0, 1, 0}));
  // Three cranks at half height, two couplers at 1 m; each crank ½·(1/3), each coupler ½.
  EXPECT_DOUBLE_EQ(natural->potential_energy({0, q.data(), v.data()}), 3.5 * 9.81);
  EXPECT_DOUBLE_EQ(natural->kinetic_energy({0, q.data(), v.data()}), 1.5);
}

}  // namespace
}  // namespace daemark
