// The problems the field argues about: what is known of each by other means.
#include <gtest/gtest.h>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

RunRequest request_of(const std::string& problem, const char* formulation, const char* method,
                      const char* h, const char* t_end) {
  RunRequest request;
  request.problem = problem, request.formulation = formulation, request.method = method;
  request.h = Expression::parse(h, "h"), request.t_end = Expression::parse(t_end, "t");
  return request;
}
RunResult run_of(const std::string& problem, const char* formulation, const char* method,
                 const char* h, const char* t_end) {
  return run(request_of(problem, formulation, method, h, t_end));
}
std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts) values.push_back(std::stod(text));
  return values;
}
void expect_near(const std::vector<std::string>& a, const std::vector<std::string>& b,
                 double bound) {
  ASSERT_EQ(a.size(), b.size());
  const std::vector<double> x = numbers(a), y = numbers(b);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], bound) << i;
}

// Taylor series and Gauss collocation know nothing of Jacobi functions; the quadrature leaves
// 1e-45.
TEST(FreeRigidBody, ClosedFormIsWhatTwoOtherRoutesFind) {
  for (const char* call : {"free_rigid_body", "free_rigid_body(coordinates=quaternion)"}) {
    Problem problem = problem_registry().make(call);
    const auto closed = problem.closed_form;
    problem.closed_form = nullptr;
    const ReferenceState found = compute_reference(problem, {"5/2"}, 40).front();
    EXPECT_GE(found.agreed_digits, 40) << found.second_route;
    std::vector<real50> q(3), v(3), lambda(1);
    closed(real50(5) / 2, q.data(), v.data(), lambda.data());
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(to_double(real50(q[i] - found.q[i]))), 1e-40) << call;
      EXPECT_LE(std::abs(to_double(real50(v[i] - found.v[i]))), 1e-40) << call;
    }
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

// A tenth of a second, two and a half turns, by collocation whose error is far below: the sets tell
// one motion. What they have in common is ψ and Ω (so3, s3), or those and x.
TEST(HeavyTopSets, TellOneMotion) {
  const auto top = [](const std::string& set) {
    return run_of("heavy_top(coordinates=" + set + ")", "index1", "gauss(6)", "1/2000", "1/20");
  };
  const RunResult flat = top("quaternion");
  ASSERT_EQ(flat.status, "ok");
  for (const char* set : {"chart", "screw", "dual_quaternion", "so3", "s3"}) {
    const RunResult result = top(set);
    ASSERT_EQ(result.status, "ok") << set << " " << result.why;
    const std::size_t n = result.q.size(), skip = flat.q.size() - n;
    expect_near(result.q, {flat.q.begin() + skip, flat.q.end()}, 1e-9);
    expect_near(result.v, {flat.v.begin() + skip, flat.v.end()}, 1e-7);
  }
}

// x = x_s = 0 has two motions: asked for accelerations there, the start says so.
TEST(SliderCrank, MinimalPassesWhatEndsTheOthersThere) {
  const RunResult minimal = run_of("slider_crank", "minimal", "gauss(4)", "1/200", "1");
  ASSERT_EQ(minimal.status, "ok") << minimal.why;
  EXPECT_LT(numbers(minimal.q)[0], 0) << "not past the upright";
  const RunResult natural = run_of("slider_crank", "index1", "gauss(4)", "1/200", "1");
  ASSERT_EQ(natural.status, "ok") << natural.why;  // no stage is near enough to be singular
  expect_near(natural.q, minimal.q, 1e-6);

  const Problem upright =
      problem_registry().make("slider_crank", DatumChange{"theta(0), of the crank", 0, "pi/2"});
  const RunRequest request = request_of("slider_crank", "index1", "gauss(4)", "1/200", "1");
  std::string status, why;
  try {
    const RunResult result = run(BoundRun(request, upright));
    status = result.status, why = result.why;
  } catch (const BadInput& refused) {
    status = "refused", why = refused.what();
  }
  EXPECT_NE(status, "ok");
  EXPECT_NE(why.find("singular"), std::string::npos) << status << ": " << why;
}

// The ring's hinges keep it closed, energy stays: what a wrong row or inertia would not.
TEST(Chain, RingKeepsEnergyAndItsHinges) {
  const RunResult result = run_of("chain(n=6,ends=closed)", "index1", "gauss(4)", "1/200", "1");
  ASSERT_EQ(result.status, "ok") << result.why;
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

// The rest the Test Set prints has −Σ log |p_i − p_j| = −54.01112997458417 (summed from its 60
// printed coordinates), whatever turns the points have taken; at t = 60 damping by e^−15 in
// velocities has left half its square of energy.
TEST(Fekete, ComesToRestWhereThePublishedPointsDo) {
  RunRequest request = request_of("fekete", "index2", "radau_iia(3)", "1/10", "60");
  const RunResult result = run(request);
  ASSERT_EQ(result.status, "ok") << result.why;
  const std::vector<double> q = numbers(result.q);
  double energy = 0;
  for (std::size_t i = 0; i < q.size(); i += 3)
    for (std::size_t j = 0; j < i; j += 3)
      energy -= std::log(std::hypot(q[i] - q[j], q[i + 1] - q[j + 1], q[i + 2] - q[j + 2]));
  EXPECT_NEAR(energy, -54.01112997458417, 1e-3);
}

// The height and the norm are held with the rows of rolling, which do no work.
TEST(RollingDisk, KeepsItsEnergyAndStaysOnThePlane) {
  const RunResult result = run_of("rolling_disk", "index1", "gauss(4)", "1/1000", "1/2");
  ASSERT_EQ(result.status, "ok") << result.why;
  EXPECT_LE(result.measures.at("energy_error_max"), 1e-9);
  EXPECT_LE(result.measures.at("position_violation_max"), 1e-9);
  EXPECT_LE(result.measures.at("velocity_violation_max"), 1e-9);
}

// Of 18 coordinates 17 independent rows leave one. The slider's velocity at the start follows from
// |BC| = 0.3: 0.24 m/s at 6 rad/s.
TEST(SpatialSliderCrank, HasOneDegreeOfFreedom) {
  const auto system = problem_registry().make("spatial_slider_crank").make<double>();
  EXPECT_EQ(system->coordinates(), 18);
  EXPECT_EQ(system->constraints(), 17);
  EXPECT_EQ(system->rank(), 17);
  const RunResult start = run_of("spatial_slider_crank", "index1", "gauss(3)", "1/1000", "1/10");
  ASSERT_EQ(start.status, "ok") << start.why;
  EXPECT_LE(start.measures.at("energy_error_max"), 1e-9);
  // The length of the rod, from the crank's angle and the slider's place.
  const std::vector<double> q = numbers(start.q);
  const double angle = q[3], x = q[12], y = 0.1 - 0.08 * std::sin(angle),
               z = 0.12 + 0.08 * std::cos(angle);
  EXPECT_NEAR(std::sqrt(x * x + y * y + z * z), 0.3, 1e-9);
}

// Force and moment at t have done what momentum says: m v = ∫F, with F = 20 t/2.5 N along x.
TEST(CosseratRod, GainsTheMomentumOfItsLoad) {
  const RunResult result = run_of("cosserat_rod(segments=4)", "index1", "gauss(3)", "1/100", "1/2");
  ASSERT_EQ(result.status, "ok") << result.why;
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
  ASSERT_EQ(minimal.status, "ok") << minimal.why;
  ASSERT_EQ(bodies.status, "ok") << bodies.why;
  expect_near(minimal.q, bodies.q, 1e-8);
  EXPECT_NEAR(minimal.measures.at("energy_error_max"), 0, 1e-6);
}

}  // namespace
}  // namespace daemark
