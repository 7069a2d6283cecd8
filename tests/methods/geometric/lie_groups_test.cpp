// Integrators on Lie groups on the heavy top (chart: SO(3) × R³): order 2 against collocation, the
// transient of λ with the plain start and its cure, what the variational one keeps.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/geometry/body_frames.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

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

/// The slope between 100 and 400 steps of 1/50 s, in which the top turns by 3 rad; at 800 multipliers
/// on index 3 are round-off over h².
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
