// Spatial mechanisms: motions against what is known of them, every joint, coupling and load by its
// derivatives and energy, and what the builder refuses.
#include "problems/spatial/spatial_mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/geometry/rotation.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/spatial/spatial_system.hpp"
#include "problems/system/index_one_solve.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

using namespace rotation;
using test::Simulation;

template <class S>
MotionPoint<S> motion(const Simulation<S>& s) {
  const State<S>& at = s.stepper->state();
  const int n = s.mechanism->coordinates();
  return {at.t,           at.y.data(), at.y.data() + n, at.rate.data() + n, at.y.data() + 2 * n,
          at.chart.data()};
}

template <class S>
S energy(const Simulation<S>& s) {
  return s.mechanism->kinetic_energy(motion(s)) + s.mechanism->potential_energy(motion(s));
}

// gauss(5) on steps of 0.03 rad: (0.03)^10 is round-off, some hundred steps of it are left.
TEST(SpatialMotion, AFreeBodyKeepsEnergyAndMomentum) {
  SpatialMechanism m;
  m.body("b", 2, {1, 2, 3}, {{}, Orientation::turn({1, 1, 0}, 1), {1, 2, 3}, {2, "1/10", 1}});
  for (int axis = 0; axis < 3; ++axis)
    m.output(std::string("h") + "xyz"[axis], "moment of momentum", "kg m^2/s",
             [axis](const SpatialView& view) {
               Vec3<Var> h = rotate(conjugate(view.orientation(0)), view.spin(0));
               for (int i = 0; i < 3; ++i) h[i] *= Var(i + 1);
               return rotate(view.orientation(0), h)[axis];
             });
  Simulation<double> s(m.problem("free"), "index1", "gauss(5)", wide(1) / 100);
  const auto angular = [&] {
    Vec3<double> h;
    s.mechanism->output_values(motion(s), h.data());
    return h;
  };
  const double E = energy(s);
  const Vec3<double> H = angular();
  ASSERT_EQ(s.run(200), Status::ok);
  EXPECT_NEAR(energy(s), E, 1e-12 * E);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(angular()[i], H[i], 1e-11);
    EXPECT_NEAR(motion(s).q[i], 2.0 * (i + 1), 1e-12);
  }
}

/// Three bodies hang from each other on spherical joints, all moving.
SpatialMechanism chain(const Orientation& turned = {}, const Vector& moved = {}) {
  const auto direction = [&](Exact x, Exact y, Exact z) {
    return Vector::of(rotate(turned.p, Vector{x, y, z}.value()));
  };
  const auto place = [&](Exact x, Exact y, Exact z) {
    return Vector::of(combine(wide(1), direction(x, y, z).value(), wide(1), moved.value()));
  };
  SpatialMechanism m;
  m.gravity(direction(0, 0, "-981/100"));
  int before = SpatialMechanism::ground;
  for (int i = 0; i < 3; ++i) {
    const int body = m.body("b" + std::to_string(i), i + 1, {"1/10", "1/5", "3/20"},
                            {place(wide(i) + wide(1) / 2, 0, 0), turned, direction(0, 0, 0), {}});
    m.spherical(before, body, place(i, 0, 0));
    before = body;
  }
  m.inertia(1, "1/2", {"1/50", "1/50", "1/50"}, {0, "3/10", "1/5"});
  return m;
}

// The whole mechanism in another place and orientation moves alike, to round-off times what a
// second of this motion makes of it.
TEST(SpatialMotion, PlaceAndOrientationDoNotMatter) {
  const Orientation turned = Orientation::turn({1, -2, "1/2"}, "11/10");
  const Vector moved{3, -2, 5};
  Simulation<double> a(chain().problem("here"), "index2", "radau_iia(3)", wide(1) / 100);
  Simulation<double> b(chain(turned, moved).problem("there"), "index2", "radau_iia(3)",
                       wide(1) / 100);
  ASSERT_EQ(a.run(100), Status::ok);
  ASSERT_EQ(b.run(100), Status::ok);
  Quaternion<double> p;
  for (int i = 0; i < 4; ++i) p[i] = to_double(turned.p[i]);
  for (int body = 0; body < 3; ++body) {
    const MotionPoint<double> at_a = motion(a), at_b = motion(b);
    const Vec3<double> here = rotate(p, vector(at_a.q + 6 * body)),
                       there = vector(at_b.q + 6 * body);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(here[i] + to_double(moved.value()[i]), there[i], 1e-10);
  }
}

// θ = 20 t for a second: three turns and a bit. Index 3 holds the angle and index 2 the spin; the
// other has the method's error at steps of 1/5 rad.
TEST(SpatialMotion, APrescribedTurnIsFollowed) {
  SpatialMechanism m;
  m.body("bar", 1, {"1/12", "1/1000", "1/12"}, {{0, 0, 0}, {}, {}, {20, 0, 0}});
  m.revolute(SpatialMechanism::ground, 0, {0, 0, 0}, {1, 0, 0});
  m.turn(SpatialMechanism::ground, 0, {1, 0, 0}, [](auto t) { return t * 20; });
  for (const char* formulation : {"index3", "index2"}) {
    Simulation<double> s(m.problem("driven"), formulation, "radau_iia(3)", wide(1) / 100);
    ASSERT_EQ(s.run(100), Status::ok);
    const MotionPoint<double> point = motion(s);
    const auto p = normalised(product(cayley_quaternion(point.q + 3), quaternion(point.chart)));
    const Vec3<double> y = rotate(p, Vec3<double>{0, 1, 0}),
                       spin = cayley_spin(vector(point.q + 3), vector(point.v + 3));
    const bool position = formulation == std::string("index3");
    EXPECT_NEAR(y[1], std::cos(20.0), position ? 1e-10 : 1e-4);
    EXPECT_NEAR(y[2], std::sin(20.0), position ? 1e-10 : 1e-4);
    EXPECT_NEAR(spin[0], 20, position ? 1e-2 : 1e-9);
  }
}

void expect_refused(const SpatialMechanism& m, const char* why) {
  EXPECT_THAT(test::refusal([&] { m.problem("it"); }), testing::HasSubstr(why));
}

TEST(SpatialBuilder, RefusesWhatDoesNotFit) {
  SpatialMechanism bodies;
  bodies.body("a", 1, {1, 1, 1}, {{1, 0, 0}});
  bodies.body("b", 1, {1, 1, 1}, {{2, 0, 0}});
  SpatialMechanism m = bodies;
  m.spherical(SpatialMechanism::ground, 0, {0, 0, 0});
  m.spherical(Anchor{0, {"1/2", 0, 0}}, Anchor{1, {"-2/5", 0, 0}});
  expect_refused(m, "spherical2 (a, b) does not close: its points are 0.1 m apart");
  m = bodies;
  m.revolute(Anchor{0, {"1/2", 0, 0}, {0, 0, 1}}, Anchor{1, {"-1/2", 0, 0}, {0, "1/10", 1}});
  expect_refused(m, "revolute1 (a, b): its axes differ by");
  m = bodies;
  m.universal(0, 1, {0, 0, 0}, {1, 0, 0}, {1, 1, 0});
  expect_refused(m, "its axes differ by");
  m = SpatialMechanism();
  m.body("a", 1, {1, 1, 1}, {{1, 0, 0}, {}, {0, 1, 0}});
  m.spherical(SpatialMechanism::ground, 0, {0, 0, 0});
  expect_refused(m, "the start velocities violate spherical1 (a) by 1 ");
  m = bodies;
  m.clamp(SpatialMechanism::ground, 0, {0, 0, 0}), m.clamp(0, 1, {0, 0, 0});
  expect_refused(m, "nothing can move: 12 constraints of rank 12 on 12 coordinates");
  m = bodies;
  m.clamp(SpatialMechanism::ground, 0, {0, 0, 0}),
      m.parallel(SpatialMechanism::ground, 0, {1, 0, 0}), m.redundant(1);
  expect_refused(m, "1 redundant constraints are declared, the rank at the start says 2");
  EXPECT_THROW(m.body("c", 0, {1, 1, 1}, {}), BadInput) << "mass";
  EXPECT_THROW(m.body("d", 1, {1, 1, 3}, {}), BadInput) << "inertia";
  EXPECT_THROW(m.body("a", 1, {1, 1, 1}, {}), BadInput) << "name";
  EXPECT_THROW(m.revolute(0, 1, {0, 0, 0}, {0, 0, 0}), BadInput) << "axis";
  EXPECT_THROW(m.spherical(0, 0, {0, 0, 0}), BadInput) << "pair";
  EXPECT_THROW(m.spherical(0, 7, {0, 0, 0}), BadInput) << "body";
  EXPECT_THROW(m.spring(0, {0, 0, 0}, 1, {0, 0, 0}, 1, 1), BadInput) << "length";
  EXPECT_THROW(m.spring(0, {0, 0, 0}, 1, {1, 0, 0}, 0, 1), BadInput) << "stiffness";
  EXPECT_THROW(SpatialMechanism().problem("empty"), BadInput);
}

/// Four bars of 1 m in a square on hinges about z, of which one leans: exact fit, no motion.
SpatialMechanism square_linkage(const Vector& last_axis) {
  SpatialMechanism m;
  m.body("left", 1, {1, 1, 1}, {{0, "1/2", 0}});
  m.body("top", 1, {1, 1, 1}, {{"1/2", 1, 0}});
  m.body("right", 1, {1, 1, 1}, {{1, "1/2", 0}});
  m.revolute(SpatialMechanism::ground, 0, {0, 0, 0}, {0, 0, 1});
  m.revolute(0, 1, {0, 1, 0}, {0, 0, 1});
  m.revolute(1, 2, {1, 1, 0}, {0, 0, 1});
  m.revolute(2, SpatialMechanism::ground, {1, 0, 0}, last_axis);
  return m;
}

// Grübler counts −2 for a planar loop in space; three rows follow from the rest, one motion is
// left. With one axis that leans the bars are locked.
TEST(SpatialBuilder, KnowsRedundantAndLockedLoops) {
  const auto system = square_linkage({0, 0, 1}).problem("loop").make<double>();
  EXPECT_EQ(system->constraints(), 20);
  EXPECT_EQ(system->rank(), 17);
  expect_refused(square_linkage({"1/10", 0, 1}), "nothing can move");
}

TEST(Charts, HoldTurnsBelow171Degrees) {
  Charts<double> charts({Chart::rotation(0, {1, 0, 0, 0})});
  const double inside[] = {24.9, 0, 0}, outside[] = {0, 25.1, 0};
  EXPECT_TRUE(charts.hold(inside));
  EXPECT_FALSE(charts.hold(outside));
  // 100 degrees one way and 100 degrees the other are 200 apart: no increment.
  const double g = 2 * std::tan(50 * std::acos(-1.0) / 180);
  double chart[4] = {1, 0, 0, 0}, new_q[] = {g, 0, 0}, old_q[] = {-g, 0, 0}, zero[3] = {};
  charts.rebase(chart, {{new_q, zero, zero, zero}, {old_q, zero, zero, zero}});
  EXPECT_EQ(new_q[0], 0);
  EXPECT_FALSE(std::isfinite(old_q[0]));
  EXPECT_NEAR(chart[1], std::sin(50 * std::acos(-1.0) / 180), 1e-15);
}

/// λ of the last row at the start.
double last_multiplier(const Problem& problem) {
  const auto system = problem.make<double>();
  const int n = system->coordinates();
  std::vector<double> q(n), v(n), a(n), lambda(system->constraints()), chart(system->chart_size());
  system->initial(q.data(), v.data()), system->initial_chart(chart.data());
  EXPECT_TRUE(IndexOneSolve<double>(*system).solve(
      *system, {0, q.data(), v.data(), nullptr, nullptr, chart.data()}, {0, 0, 1}, a.data(),
      lambda.data()));
  return lambda.back();
}

// Multipliers of drives have one sign: every row is the motion of b against a minus the law, so
// that the drive acts on b with −λ, as M q̈ + Gᵀλ = f says. From rest, with acceleration 1 along
// positive coordinates: the drive acts on b with its mass or inertia times 1.
TEST(DriveSign, IsMinusWhatActsOnTheSecondBody) {
  constexpr double mass = 5, inertia = 2;
  const auto angle = [] { return [](auto t) { return t * t / 2; }; };
  const auto rate = [] { return [](auto t) { return t; }; };
  PlanarMechanism planar;
  const int arm = planar.body("arm", mass, inertia, 0);
  planar.revolute(PlanarMechanism::ground, {0, 0}, arm, {0, 0});
  planar.drive(PlanarMechanism::ground, arm, angle());
  EXPECT_NEAR(last_multiplier(planar.problem("drive")), -inertia, 1e-13);

  const auto spatial = [&](auto join) {
    SpatialMechanism m;
    const int body = m.body("b", mass, Inertia{inertia, inertia, inertia}, {});
    join(m, body);
    return last_multiplier(m.problem("drive"));
  };
  constexpr int ground = SpatialMechanism::ground;
  for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, -1, 0}, Vector{1, 2, 2}}) {
    const auto turned = spatial([&](SpatialMechanism& m, int b) {
      m.revolute(ground, b, {0, 0, 0}, axis), m.turn(ground, b, axis, angle());
    });
    const auto turned_at = spatial([&](SpatialMechanism& m, int b) {
      m.revolute(ground, b, {0, 0, 0}, axis), m.turn_rate(ground, b, axis, rate());
    });
    const auto slid = spatial([&](SpatialMechanism& m, int b) {
      m.prismatic(ground, b, {0, 0, 0}, axis), m.slide(ground, b, {0, 0, 0}, axis, angle());
    });
    EXPECT_NEAR(turned, -inertia, 1e-12);
    EXPECT_NEAR(turned_at, -inertia, 1e-12);
    EXPECT_NEAR(slid, -mass, 1e-12);
  }
}

/// Every joint, coupling and load once, between turned bodies, one with an eccentric piece.
SpatialMechanism of_everything() {
  constexpr int ground = SpatialMechanism::ground;
  SpatialMechanism m;
  m.gravity({1, 2, "-981/100"}, [](const Var& t) { return t * t + t; });
  const Orientation turned = Orientation::turn({1, 2, 3}, "7/10");
  const int a = m.body("a", 2, {1, "3/2", 2, "1/10", "1/5", "-1/10"}, {{0, 0, 0}, turned});
  const int b = m.body("b", 1, {"1/2", "3/5", "4/5"}, {{1, 0, 0}});
  m.inertia(b, "1/3", {"1/10", "1/10", "1/10"}, {"1/5", "-1/10", "3/10"});
  const int c = m.body("c", 3, {1, 1, 1}, {{0, 1, 0}, Orientation::axes({1, 1, 0}, {0, 0, 1})});
  const int d = m.body("d", 1, {1, 1, 1}, {{0, 0, 1}});
  m.revolute(ground, a, {0, "1/10", 0}, {1, 0, 1});
  m.spherical(a, b, {"1/2", 0, 0});
  m.universal(b, c, {"1/2", "1/2", 0}, {1, 0, 0}, {0, 1, "1/3"});
  m.cylindrical(c, d, {0, "1/2", "1/2"}, {1, 2, 1});
  m.prismatic(ground, d, {1, 1, 1}, {0, 0, 1});
  m.inline_point(a, c, {0, "1/2", 0}, {3, 1, 1});
  m.parallel(b, d, {1, 1, 0});
  m.clamp(a, d, {1, 1, 1});
  m.turn(ground, a, {1, 0, 1}, [](auto t) { return t + t * t; });
  m.turn_rate(ground, b, {1, 2, -1}, [](auto t) { return t * t; });
  m.turn_rate(a, d, {0, 1, 1}, [](auto t) { return t + t; });
  m.slide(c, d, {1, 0, 0}, {0, 1, 1}, [](auto t) { return t * t; });
  m.spring(ground, {0, 0, 3}, a, {"1/2", 0, 0}, 100, 2);
  m.damper(b, {1, 1, 0}, c, {0, 2, 1}, "3/2");
  m.damper(b, {1, 1, 0}, d, {0, 2, 1}, 1, [](auto t) { return t; });
  m.force(b, {1, "1/2", 0}, {1, 2, 3});
  m.force(c, {1, "1/2", 0}, {1, 2, 3}, [](auto t) { return t * t; });
  m.moment(d, {3, 1, 2}, [](auto t) { return t; });
  return m;
}

TEST(SpatialSystem, DerivativesAndEnergyFitTheEquations) {
  const auto system = std::make_shared<RecordedSystem<real50>>(recorded(of_everything()));
  ASSERT_EQ(system->coordinates(), 24);
  for (const test::MotionSample& at : test::sample_motions(*system, 2)) {
    test::check_derivatives(*system, at);
    test::check_rates_of_constraints(*system, at);
    test::check_energy_rate(*system, at);
    test::check_mass(*system, at);
  }
}

}  // namespace
}  // namespace daemark
