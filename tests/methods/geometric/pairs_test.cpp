// Symplectic pairs, compositions, symmetric projection and the energy-momentum scheme: what they
// are said to keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/run/run.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/geometry/body_frames.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using test::MethodBench;

template <class S>
double energy(MethodBench<S>& bench, const State<S>& state) {
  const MotionPoint<S> point = bench.cell.motion(state);
  return to_double(S(bench.cell.mechanism->kinetic_energy(point) +
                     bench.cell.mechanism->potential_energy(point)));
}

/// RATTLE written down once more for the point mass of `pendulum`: m q̈ = (0, −m g) − 2 q λ.
struct PlainRattle {
  double m, l, g, q[2], v[2];

  void step(double h) {
    const double force[2] = {0, -m * g};
    double half[2], next[2], lambda = 0;
    for (int i = 0; i < 200; ++i) {  // Newton on |q₁|² = l² in λ
      double phi = -l * l, slope = 0;
      for (int k = 0; k < 2; ++k) {
        half[k] = v[k] + h / (2 * m) * (force[k] - 2 * q[k] * lambda);
        next[k] = q[k] + h * half[k];
        phi += next[k] * next[k];
        slope += 2 * next[k] * (-h * h / m * q[k]);
      }
      lambda -= phi / slope;
    }
    double off = 0;
    for (int k = 0; k < 2; ++k) {
      half[k] += h / (2 * m) * force[k];
      off += next[k] * half[k];
    }
    for (int k = 0; k < 2; ++k) q[k] = next[k], v[k] = half[k] - off / (l * l) * next[k];
  }
};

// On q'' = -q; what separates the three is where the force is taken.
TEST(Pairs, EulerAndVerletAreTheMethodsAsTheyAreWrittenDown) {
  constexpr double h = 1.0 / 8;
  const std::map<std::string, std::function<void(double&, double&)>> plain = {
      {"symplectic_euler", [](double& q, double& v) { v -= h * q, q += h * v; }},
      {"velocity_verlet", [](double& q, double& v) { v -= h / 2 * q, q += h * v, v -= h / 2 * q; }},
      {"position_verlet",
       [](double& q, double& v) { q += h / 2 * v, v -= h * q, q += h / 2 * v; }}};
  for (const auto& [method, advance] : plain) {
    SCOPED_TRACE(method);
    MethodBench<double> bench("oscillator", "minimal", method, "1/8", "4");
    double q = bench.initial.y[0], v = bench.initial.y[1];
    const auto stepper = bench.started();
    for (int i = 0; i < 32; ++i) {
      ASSERT_EQ(stepper->step().status, Status::ok);
      advance(q, v);
      EXPECT_NEAR(stepper->state().y[0], q, 1e-13);
      EXPECT_NEAR(stepper->state().y[1], v, 1e-13);
    }
  }
}

// With constraints velocity Verlet is RATTLE; the others have no multipliers that would hold them.
TEST(Pairs, VelocityVerletHoldsConstraintsAsRattleDoes) {
  MethodBench<double> verlet("two_link", "index3", "velocity_verlet", "1/50", "1"),
      rattle("two_link", "index3", "rattle", "1/50", "1");
  const auto one = verlet.started(), other = rattle.started();
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(one->step().status, Status::ok);
    ASSERT_EQ(other->step().status, Status::ok);
  }
  EXPECT_EQ(one->state().y, other->state().y);
  for (const char* method : {"position_verlet", "symplectic_euler"})
    EXPECT_THAT(
        test::refusal([&] { MethodBench<double>("two_link", "index3", method, "1/50", "1"); }),
        testing::HasSubstr("hold no constraint"));
}

TEST(Pairs, RattleIsTheMethodAsItIsWrittenDown) {
  for (const char* method : {"rattle", "lobatto_iiia_iiib(2)", "rattlie"}) {
    SCOPED_TRACE(method);
    MethodBench<double> bench("pendulum", "index3", method, "1/16", "4");
    const double m = 44.452050, l = 1.98120, g = 9.80665;
    PlainRattle plain{m, l, g, {bench.initial.y[0], bench.initial.y[1]}, {0, 0}};
    const auto stepper = bench.started();
    for (int i = 0; i < 64; ++i) {
      ASSERT_EQ(stepper->step().status, Status::ok);
      plain.step(1.0 / 16);
      for (int k = 0; k < 2; ++k) {
        // 64 steps of round-off, growing no faster than with t² on a pendulum
        EXPECT_NEAR(stepper->state().y[k], plain.q[k], 1e-11) << i;
        EXPECT_NEAR(stepper->state().y[2 + k], plain.v[k], 1e-10) << i;
      }
    }
  }
}

TEST(Pairs, ShakeHasThePositionsOfRattle) {
  MethodBench<double> one("two_link", "index3", "shake", "1/64", "1"),
      other("two_link", "index3", "rattle", "1/64", "1");
  const auto shake = one.started(), rattle = other.started();
  double off = 0;
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(shake->step().status, Status::ok);
    ASSERT_EQ(rattle->step().status, Status::ok);
    for (int k = 0; k < one.coordinates(); ++k) {
      EXPECT_NEAR(shake->state().y[k], rattle->state().y[k], 1e-10);
      off = std::max(off, std::abs(shake->state().y[one.coordinates() + k] -
                                   rattle->state().y[one.coordinates() + k]));
    }
  }
  EXPECT_GT(off, 1e-3) << "its velocities are beside the constraint";
}

/// A step h and a step −h from its end: the state it began with, to round-off of Newton.
TEST(Pairs, SymmetricMethodsLeadBack) {
  struct Case {
    const char *formulation, *method;
  };
  for (const Case& c :
       {Case{"index3", "rattle"}, Case{"index3", "lobatto_iiia_iiib(4)"},
        Case{"minimal", "lobatto_iiia_iiib(3)"}, Case{"index2", "spark(3)"},
        Case{"index1", "symmetric_projection(gauss(2))"}, Case{"index3", "energy_momentum"},
        Case{"index3", "composition(rattle,yoshida_6)"}}) {
    SCOPED_TRACE(c.method);
    MethodBench<real50> bench("two_link", c.formulation, c.method, "1/32", "1");
    const auto stepper = bench.started();
    const auto back = bench.fresh();
    ASSERT_EQ(stepper->step().status, Status::ok);
    const State<real50> first = stepper->state();
    ASSERT_EQ(stepper->step().status, Status::ok);
    back->start(stepper->state(), -bench.step());
    ASSERT_EQ(back->attempt(-bench.step()).status, Status::ok);
    for (int k = 0; k < 2 * bench.coordinates(); ++k)
      EXPECT_LT(std::abs(to_double(real50(back->candidate().y[k] - first.y[k]))), 1e-22) << k;
  }
}

/// The energy error of a symplectic method stays in a band: over the second half of 2,000 periods
/// as wide as over the first. Backward Euler leaves it, so that the test can fail.
TEST(Pairs, EnergyStaysInABand) {
  const auto bands = [](const char* formulation, const char* method) {
    MethodBench<double> bench("pendulum", formulation, method, "1/8", "4096");
    const auto stepper = bench.started();
    const double begin = energy(bench, bench.initial);
    std::array<double, 2> band{};
    for (int i = 0; i < 32768; ++i) {
      if (stepper->step().status != Status::ok) ADD_FAILURE() << method;
      double& half = band[i < 16384 ? 0 : 1];
      half = std::max(half, std::abs(energy(bench, stepper->state()) - begin));
    }
    return band;
  };
  for (const char* method : {"rattle", "lobatto_iiia_iiib(3)"}) {
    const auto band = bands("index3", method);
    EXPECT_NEAR(band[1] / band[0], 1, 0.02) << method;
  }
  const auto damped = bands("index2", "radau_iia(3)");
  EXPECT_GT(damped[1], 1.5 * damped[0]);
}

TEST(EnergyMomentum, KeepsTheEnergyAtAnyStep) {
  for (const char* problem : {"pendulum", "two_link"}) {
    MethodBench<double> bench(problem, "index3", "energy_momentum", "1/16", "16");
    const auto stepper = bench.started();
    const double begin = energy(bench, bench.initial);
    double scale = std::abs(begin), off = 0;
    for (int i = 0; i < 256; ++i) {
      ASSERT_EQ(stepper->step().status, Status::ok);
      const double now = energy(bench, stepper->state());
      off = std::max(off, std::abs(now - begin));
      scale = std::max(scale, std::abs(to_double(bench.cell.mechanism->kinetic_energy(
                                  bench.cell.motion(stepper->state())))));
    }
    EXPECT_LT(off, 1e-11 * (1 + scale)) << problem;  // 256 steps of Newton's rest
    MethodBench<double> other(problem, "index3", "rattle", "1/16", "16");
    const auto rattle = other.started();
    for (int i = 0; i < 16; ++i) ASSERT_EQ(rattle->step().status, Status::ok);
    EXPECT_GT(std::abs(energy(other, rattle->state()) - begin), 1e-6 * scale)
        << "a test that rattle passes shows nothing";
  }
}

TEST(SymmetricProjection, HoldsBothConstraints) {
  const RunResult result =
      run(test::run_request("two_link", "index1", "symmetric_projection(gauss(2))", "1/128", "1"));
  ASSERT_EQ(result.status, "ok") << result.why;
  EXPECT_LT(result.measures.at("position_violation_max"), 1e-10);
  EXPECT_LT(result.measures.at("velocity_violation_max"), 1e-9);
}

TEST(GeometricMethods, RefuseWithAReason) {
  const auto why = [](const char* problem, const char* formulation, const char* method) {
    return test::refusal([&] { MethodBench<double>(problem, formulation, method, "1/64", "1"); });
  };
  EXPECT_NE(why("two_link", "index1", "rattle").find("index3"), std::string::npos);
  EXPECT_NE(why("two_link", "minimal", "energy_momentum").find("mass"), std::string::npos);
  EXPECT_NE(why("heavy_top", "index3", "composition(rattle)").find("symmetric"), std::string::npos);
  EXPECT_NE(why("double_pendulum", "index3", "rattlie").find("velocities"), std::string::npos);
  EXPECT_NE(why("knife_edge", "index3", "rattle").find("velocity level"), std::string::npos);
  EXPECT_EQ(why("knife_edge", "index2", "spark(2)"), "accepted");
  EXPECT_THROW(method_registry().make("composition(radau_iia(2))"), BadInput);
  EXPECT_THROW(method_registry().make("composition(gauss(2))"), BadInput);
  EXPECT_THROW(method_registry().make("symmetric_projection(radau_iia(2))"), BadInput);
  EXPECT_THROW(method_registry().make("rkmk(gauss(2))"), BadInput);
}

// Integrators on Lie groups on the heavy top (chart: SO(3) × R³): order 2 against collocation, the
// transient of λ with the plain start and its cure, what the variational one keeps.

/// Position and rotation vector, velocities of x and of the body's frame, multipliers.
struct End {
  std::vector<double> q, v, lambda;
};

End end_of(const std::string& formulation, const std::string& method, int steps) {
  MethodBench<double> bench("heavy_top", formulation, method, "1/50/" + std::to_string(steps),
                            "1/50");
  const auto stepper = bench.started();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step();
    if (report.status != Status::ok) ADD_FAILURE() << method << ": " << report.why;
    if (report.status != Status::ok) break;
  }
  const int n = bench.coordinates(), m = bench.constraints();
  End end{std::vector<double>(n), std::vector<double>(n), {}};
  const State<double>& state = stepper->state();
  bench.cell.mechanism->to_reference(bench.cell.motion(state), end.q.data(), end.v.data());
  end.lambda.assign(state.y.begin() + 2 * n, state.y.begin() + 2 * n + m);
  return end;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

const End& truth() {
  static const End end = end_of("index1", "gauss(4)", 400);
  return end;
}

/// The slope between 100 and 400 steps of 1/50 s, in which the top turns by 3 rad; at 800
/// multipliers on index 3 are round-off over h².
void expect_slopes(const std::string& formulation, const std::string& method, double order) {
  SCOPED_TRACE(method + " on " + formulation);
  const End coarse = end_of(formulation, method, 100), fine = end_of(formulation, method, 400);
  const auto slope = [](const std::vector<double>& a, const std::vector<double>& b,
                        const std::vector<double>& exact) {
    return std::log(distance(a, exact) / distance(b, exact)) / std::log(4.0);
  };
  EXPECT_NEAR(slope(coarse.q, fine.q, truth().q), order, 0.2);
  EXPECT_NEAR(slope(coarse.v, fine.v, truth().v), order, 0.2);
  EXPECT_NEAR(slope(coarse.lambda, fine.lambda, truth().lambda), order, 0.2);
}

TEST(LieGroups, HaveTheirOrdersOnTheHeavyTop) {
  expect_slopes("index3", "lie_generalized_alpha(rho=9/10)", 2);
  expect_slopes("ggl", "lie_generalized_alpha(rho=9/10)", 2);
  expect_slopes("index3", "bliedf(k=2)", 2);
  expect_slopes("ggl", "bliedf(k=2)", 2);
  expect_slopes("index3", "bliedf(k=1)", 1);
  expect_slopes("index3", "rattlie", 2);
  expect_slopes("index1", "rkmk(heun_2)", 2);
}

TEST(LieGroups, MuntheKaasHasTheOrderOfItsTableau) {
  const auto errors = [](int steps) {
    return distance(end_of("index1", "rkmk(erk4)", steps).q, truth().q);
  };
  EXPECT_NEAR(std::log2(errors(50) / errors(100)), 4, 0.3);
}

/// Largest error of λ over the first ten steps against the index-1 solve at the states themselves.
double transient(const char* method, const char* formulation, int steps) {
  MethodBench<double> bench("heavy_top", formulation, method, "1/50/" + std::to_string(steps),
                            "1/50");
  MethodBench<double> exact("heavy_top", "index1", "gauss(3)", "1/50/" + std::to_string(steps),
                            "1/50");
  const auto stepper = bench.started(), truth = exact.started();
  const int n = bench.coordinates(), m = bench.constraints();
  double worst = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(stepper->step().status, Status::ok);
    EXPECT_EQ(truth->step().status, Status::ok);
    for (int k = 0; k < m; ++k)
      worst =
          std::max(worst, std::abs(stepper->state().y[2 * n + k] - truth->state().y[2 * n + k]));
  }
  return worst;
}

// Arnold, Brüls & Cardona 2015: the plain start leaves an error of size h in the first multipliers
// on index 3, the perturbed one h²; the stabilised form has none of the size h.
TEST(LieGroups, TheTransientOfTheMultiplierFallsWithThePerturbedStart) {
  const char *plain = "lie_generalized_alpha(rho=9/10,start=plain)",
             *cured = "lie_generalized_alpha(rho=9/10)";
  const auto slope = [](const char* method, const char* formulation) {
    return std::log2(transient(method, formulation, 400) / transient(method, formulation, 800));
  };
  EXPECT_NEAR(slope(plain, "index3"), 1, 0.2);
  EXPECT_NEAR(slope(cured, "index3"), 2, 0.25);
  EXPECT_NEAR(slope(cured, "ggl"), 2, 0.25);
  EXPECT_GT(transient(plain, "index3", 800), 5 * transient(cured, "index3", 800));
}

TEST(LieGroups, RattlieKeepsTheMomentumAboutTheVertical) {
  MethodBench<double> bench("heavy_top", "index3", "rattlie", "1/1000", "1");
  const auto stepper = bench.started();
  const auto vertical = [&](const State<double>& state) {
    // p = M v at the origin of the chart is in space: x × m ẋ + J ω, its z component
    std::vector<double> p(6), none(6, 0.0);
    MotionValues<double> out;
    out.inertia = p.data();
    bench.cell.mechanism->evaluate({state.t, state.y.data(), state.y.data() + 6, state.y.data() + 6,
                                    none.data(), state.chart.data()},
                                   {}, out);
    return state.y[0] * p[1] - state.y[1] * p[0] + p[5];
  };
  const double begin = vertical(bench.initial);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(stepper->step().status, Status::ok);
    EXPECT_NEAR(vertical(stepper->state()), begin, 1e-9) << i;
  }
}

TEST(BodyFrames, TangentMapIsThatOfTheExponential) {
  using rotation::Vec3;
  const Vec3<real50> w{real50(0.3), real50(-1.1), real50(0.7)},
      x{real50(0.4), real50(0.2), real50(-0.9)};
  const real50 step = ldexp(real50(1), -38);
  const auto moved = [&](int sign) {
    return rotation::exponential(rotation::combine(real50(1), w, real50(sign) * step, x));
  };
  const auto turn =
      rotation::logarithm(rotation::product(rotation::conjugate(moved(-1)), moved(1)));
  const int terms = rotation::series_terms<real50>();
  const Vec3<real50> tangent = rotation::tangent(w, x, terms),
                     back = rotation::tangent_inverse(w, tangent, terms);
  for (int k = 0; k < 3; ++k) {
    // a central difference: step² and ε/step
    EXPECT_LT(std::abs(to_double(real50(turn[k] / (2 * step) - tangent[k]))), 1e-21);
    EXPECT_LT(std::abs(to_double(real50(back[k] - x[k]))), 1e-32);
  }
}

TEST(BodyFrames, RigidInertiaIsFound) {
  const auto rigid = [](const char* problem) {
    return has_rigid_inertia(*problem_registry().make(problem).make<double>(false));
  };
  EXPECT_TRUE(rigid("heavy_top"));
  EXPECT_TRUE(rigid("two_link"));
  EXPECT_FALSE(rigid("double_pendulum"));  // dampers
}

}  // namespace
}  // namespace daemark
