// The problems the field argues about: what is known of each by other means.
#include "analysis/reference/reference.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/linear/rank_revealing_qr.hpp"
#include "tests/problems/problem_runs.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

using test::numbers, test::run_request, test::run_of;

/// At time t by Taylor series in 113 bits: positions and velocities in the coordinates of
/// reference.
std::array<std::vector<real50>, 2> by_series(const char* problem, const real50& t) {
  const auto system = problem_registry().make(problem).make<real50>();
  const int n = system->reference_coordinates();
  std::vector<real50> shown_q(n), shown_v(n);
  const TaylorState<real50> end = test::state_at(*system, t);
  system->to_reference({t, end.q.data(), end.v.data()}, shown_q.data(), shown_v.data());
  return {shown_q, shown_v};
}
/// The last entries of two states, as many as the shorter has.
void expect_same_ends(const std::vector<real50>& a, const std::vector<real50>& b, double bound) {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 1; i <= n; ++i)
    EXPECT_LE(std::abs(to_double(real50(a[a.size() - i] - b[b.size() - i]))), bound) << i;
}

// Taylor series and Gauss collocation know nothing of Jacobi functions; the quadrature leaves
// 1e-45.
TEST(FreeRigidBody, ClosedFormIsWhatTwoOtherRoutesFind) {
  Problem problem = problem_registry().make("free_rigid_body");
  const auto closed = problem.closed_form;
  problem.closed_form = nullptr;
  const ReferenceState found = compute_reference(problem, {"5/2"}, 40).front();
  EXPECT_GE(found.agreed_digits, 40) << found.second_route;
  std::vector<real50> q(3), v(3);
  closed(real50(5) / 2, q.data(), v.data(), nullptr);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(std::abs(to_double(real50(q[i] - found.q[i]))), 1e-40);
    EXPECT_LE(std::abs(to_double(real50(v[i] - found.v[i]))), 1e-40);
  }
}

// Both sides of the separatrix, where the axis of the closed form changes.
TEST(FreeRigidBody, KeepsEnergyAndMomentumAboutEitherAxis) {
  for (const char* third : {"-9/10", "-6"}) {
    const Problem problem = problem_registry().make(
        "free_rigid_body", DatumChange{"Omega(0), from R(0) = I", 2, third});
    std::vector<real50> q(3), v(3), w(3), lambda(1);
    problem.closed_form(real50(0), q.data(), v.data(), lambda.data());
    problem.closed_form(real50(7), q.data(), w.data(), lambda.data());
    const std::array<real50, 3> J{real50(3) / 5, real50(4) / 5, real50(1)};
    real50 energy = 0, momentum = 0;
    for (int i = 0; i < 3; ++i) {
      energy += J[i] * (w[i] * w[i] - v[i] * v[i]);
      momentum += J[i] * J[i] * (w[i] * w[i] - v[i] * v[i]);
    }
    EXPECT_LE(std::abs(to_double(energy)), 1e-46);
    EXPECT_LE(std::abs(to_double(momentum)), 1e-46);
  }
}

// Seven rad of spin. What sets have in common is ψ and Ω (so3, s3), or those and x. Series leave
// less than 1e-28 of states of size 150, collocation of order 12 far less than 1e-9.
TEST(HeavyTopSets, TellOneMotion) {
  const auto [q, v] = by_series("heavy_top(coordinates=quaternion)", real50(1) / 20);
  for (const char* set : {"heavy_top(coordinates=dual_quaternion)", "heavy_top(coordinates=s3)"}) {
    const auto [other_q, other_v] = by_series(set, real50(1) / 20);
    expect_same_ends(q, other_q, 1e-26), expect_same_ends(v, other_v, 1e-24);
  }
  for (const char* set : {"heavy_top(coordinates=screw)", "heavy_top(coordinates=so3)"}) {
    const RunResult result = run_of(set, "index1", "gauss(6)", "1/2000", "1/20");
    std::vector<real50> end_q, end_v;
    for (const std::string& x : result.q) end_q.emplace_back(x);
    for (const std::string& x : result.v) end_v.emplace_back(x);
    expect_same_ends(q, end_q, 1e-9), expect_same_ends(v, end_v, 1e-7);
  }
}

// x = x_s = 0 has two motions: asked for accelerations there, the start says so.
TEST(SliderCrank, MinimalPassesWhatEndsTheOthersThere) {
  const RunResult minimal = run_of("slider_crank", "minimal", "gauss(4)", "1/200", "1");
  const double theta = numbers(minimal.q)[0];
  EXPECT_GT(theta, M_PI / 2) << "not past the upright";
  const RunResult natural = run_of("slider_crank", "index1", "gauss(4)", "1/200", "1");
  const std::vector<double> q = numbers(natural.q),
                            expected{std::cos(theta), std::sin(theta), 2 * std::cos(theta)};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(q[i], expected[i], 1e-9) << i;

  const Problem upright =
      problem_registry().make("slider_crank", DatumChange{"theta(0), of the crank", 0, "pi/2"});
  const RunRequest request = run_request("slider_crank", "index1", "gauss(4)", "1/200", "1");
  EXPECT_THAT(test::refusal([&] { run(BoundRun(request, upright)); }),
              testing::HasSubstr("rank 1, the mechanism names 2"));
}

// The ring's hinges keep it closed, energy stays: what a wrong row or inertia would not.
TEST(Chain, RingKeepsEnergyAndItsHinges) {
  const RunResult result = run_of("chain(n=6,ends=closed)", "index1", "gauss(4)", "1/200", "1");
  EXPECT_LE(result.measures.at("energy_error_max"), 1e-7);
  EXPECT_LE(result.measures.at("position_violation_max"), 1e-7);
  EXPECT_THROW(problem_registry().make("chain(n=2,ends=closed)"), BadInput);
}

// Entries of the patterns a body: a chain of 10,000 costs a body what one of 100 does.
TEST(Chain, PatternsGrowWithTheNumberOfBodies) {
  const auto entries = [](int n) {
    const auto chain = problem_registry().make("chain(n=" + std::to_string(n) + ")").make<double>();
    return double(chain->mass_pattern().size() + chain->gradient_pattern().size() +
                  chain->residual_q_pattern().size() + chain->curvature_pattern().size()) /
           n;
  };
  EXPECT_NEAR(entries(10000) / entries(100), 1, 0.02);
}

// Of 18 coordinates 17 independent rows leave one.
TEST(SpatialSliderCrank, HasOneDegreeOfFreedom) {
  const auto system = problem_registry().make("spatial_slider_crank").make<double>();
  EXPECT_EQ(system->coordinates(), 18);
  EXPECT_EQ(system->constraints(), 17);
  EXPECT_EQ(system->rank(), 17);
}

// Force and moment at t have done what momentum says: m v = ∫F, with F = 20 t/2.5 N along x.
TEST(CosseratRod, GainsTheMomentumOfItsLoad) {
  const RunResult result = run_of("cosserat_rod(segments=4)", "index1", "gauss(3)", "1/100", "1/2");
  const std::vector<double> v = numbers(result.v);
  double momentum = 0;
  for (int node = 0; node <= 4; ++node)
    momentum += (node == 0 || node == 4 ? 1.25 : 2.5) * v[6 * node];
  EXPECT_NEAR(momentum, 20.0 / 2.5 * 0.25 / 2, 1e-10);
}

// Four unknowns against 24 with 20 constraints: one motion.
TEST(FlyballGovernor, MinimalFormMovesAsTheBodiesDo) {
  const RunResult minimal = run_of("flyball_governor", "minimal", "radau_iia(3)", "1/1000", "1/10"),
                  bodies = run_of("flyball_governor", "index1", "radau_iia(3)", "1/1000", "1/10");
  const std::vector<double> q = numbers(minimal.q), v = numbers(minimal.v);
  EXPECT_NEAR(q[1], bodies.outputs.at("s"), 1e-8);
  EXPECT_NEAR(v[1], bodies.outputs.at("v_s"), 1e-7);
  EXPECT_NEAR(v[0], bodies.outputs.at("omega"), 1e-7);
}

// The Bricard mechanism: rank, and one motion in both coordinate sets.

// 60 rows, of which by Grübler's count none is too many, and one is.
TEST(Bricard, OneConstraintFollowsFromTheOthers) {
  for (const auto& [call, n] : {std::pair("bricard", 60), std::pair("bricard(section=thin)", 60),
                                std::pair("bricard(coordinates=absolute)", 30)}) {
    const auto system = problem_registry().make(call).make<double>();
    EXPECT_EQ(system->coordinates(), n) << call;
    EXPECT_EQ(system->constraints(), n) << call;
    std::vector<double> q(n), v(n), zero(n), gradient(system->gradient_pattern().size());
    std::vector<double> chart(system->chart_size());
    system->initial(q.data(), v.data());
    system->initial_chart(chart.data());
    MotionValues<double> out;
    out.gradient = gradient.data();
    system->evaluate({0, q.data(), v.data(), zero.data(), zero.data(), chart.data()}, {}, out);
    RankRevealingQr qr;
    qr.resize(n, n, n - 1);
    for (int j = 0; j < n; ++j) std::fill_n(qr.column(j), n, 0.0);
    for (int k = 0; k < system->gradient_pattern().size(); ++k) {
      const auto [row, column] = system->gradient_pattern().entries[k];
      qr.column(row)[column] += gradient[k];
    }
    EXPECT_EQ(qr.factor(), RankRevealingQr::Outcome::ok);
    EXPECT_EQ(qr.rank_of(1e-9), n - 1) << call;
    EXPECT_EQ(system->rank(), n - 1) << call;
  }
}

/// The last rod's mass centre after half a second.
std::array<double, 3> end_rod(const char* call, const char* method, int steps) {
  test::Simulation<double> s(problem_registry().make(call), "index3", method, wide(1) / 2 / steps);
  EXPECT_EQ(s.run(steps), Status::ok) << call << " " << method;
  const std::vector<double>& y = s.stepper->state().y;
  std::array<double, 3> centre;
  for (int k = 0; k < 3; ++k)
    centre[k] = s.mechanism->chart_size() > 0 ? y[24 + k] : (y[48 + k] + y[51 + k]) / 2;
  return centre;
}

// Two coordinate sets, two methods of second order: what separates them falls by four with the
// halved step.
TEST(Bricard, BothCoordinateSetsMoveAlike) {
  const auto apart = [](int steps) {
    const auto natural =
        end_rod("bricard", "tangent_space(inner=average_acceleration,form=null_space)", steps);
    const auto absolute = end_rod("bricard(coordinates=absolute)", "augmented_lagrangian", steps);
    double worst = 0;
    for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(natural[k] - absolute[k]));
    return worst;
  };
  const double coarse = apart(50), fine = apart(100);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

}  // namespace
}  // namespace daemark
