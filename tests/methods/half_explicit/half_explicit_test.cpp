// Half-explicit methods: their steps against a step written out plainly, the constraints at step
// ends, the estimate, refusals. Orders: tests/conformance/order_conformance_test.cpp.
#include "methods/half_explicit/half_explicit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "base/program/interrupt.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The catalogue's, and both bases of mexx.
std::vector<std::string> methods() {
  std::vector<std::string> out{"mexx(4)", "mexx(3,midpoint)"};
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit))
    out.push_back(method.id);
  return out;
}

struct Point {
  real50 x, y;
  real50 dot(const Point& o) const { return x * o.x + y * o.y; }
};

// hem3 on the pendulum m r'' + 2λ r = −m g e_y, r·r = l²: stages with a scalar multiplier each,
// from 2 r̂·(v̂ + β a) = 0. λ at the end: Φ̈ = 2 (v·v + r·a) = 0.
TEST(HalfExplicit, StepsOfHem3AreThoseWrittenOut) {
  MethodBench<real50> bench("pendulum", "index2", "hem3", "1/16", "1");
  const auto stepper = bench.started();
  const std::vector<real50>& start = bench.initial.y;
  const real50 h = bench.step(), g("9.80665");
  const real50 A[4][3] = {
      {0, 0, 0}, {real50(1) / 3, 0, 0}, {-1, 2, 0}, {0, real50(3) / 4, real50(1) / 4}};
  Point r{start[0], start[1]}, v{start[2], start[3]};
  for (int step = 0; step < 4; ++step) {
    ASSERT_EQ(stepper->step().status, Status::ok);
    Point V[3], a[3];
    const auto sum = [&](const Point& base, const Point* of, int row, int count) {
      Point out = base;
      for (int j = 0; j < count; ++j)
        out.x += h * A[row][j] * of[j].x, out.y += h * A[row][j] * of[j].y;
      return out;
    };
    for (int i = 0; i < 3; ++i) {
      const Point Q = sum(r, V, i, i);
      V[i] = sum(v, a, i, i);
      const Point ahead = sum(r, V, i + 1, i + 1), speed = sum(v, a, i + 1, i);
      const real50 beta = h * A[i + 1][i];
      // a = (0, −g) − λ' Q, λ' = 2λ/m
      const real50 multiplier = (ahead.dot(speed) - beta * ahead.y * g) / (beta * ahead.dot(Q));
      a[i] = {-multiplier * Q.x, -g - multiplier * Q.y};
    }
    r = sum(r, V, 3, 3), v = sum(v, a, 3, 3);
    const real50 at[] = {r.x, r.y, v.x, v.y};
    for (int k = 0; k < 4; ++k)
      EXPECT_LT(to_double(real50(abs(stepper->state().y[k] - at[k]))), 1e-29) << step << " " << k;
    const real50 mass("44.452050"), lambda = mass * (v.dot(v) - r.y * g) / (2 * r.dot(r));
    EXPECT_LT(to_double(real50(abs(stepper->state().y[4] - lambda))), 1e-26);
  }
}

TEST(HalfExplicit, WithoutConstraintsAreTheirTableau) {
  for (const char* method : {"phem56", "hedop5"}) {
    MethodBench<double> pair("two_link", "minimal", method, "1/64", "1"),
        plain("two_link", "minimal", "dormand_prince_5", "1/64", "1");
    const auto a = pair.started(), b = plain.started();
    for (int i = 0; i < 32; ++i) {
      ASSERT_EQ(a->step().status, Status::ok);
      ASSERT_EQ(b->step().status, Status::ok);
    }
    for (std::size_t k = 0; k < a->state().y.size(); ++k)  // sums in another order
      EXPECT_NEAR(a->state().y[k], b->state().y[k], 1e-12) << method;
  }
}

// Velocities to round-off of Φ̇, of some 10 m/s here; positions as far as the method has order.
TEST(HalfExplicit, HoldVelocitiesAtStepEnds) {
  for (const std::string& method : methods())
    for (const char* problem : {"two_link", "chaplygin_sleigh"}) {
      MethodBench<double> bench(problem, "index2", method, "1/64", "1");
      const auto stepper = bench.started();
      for (int i = 0; i < 64; ++i) ASSERT_EQ(stepper->step().status, Status::ok) << method;
      MotionValues<double> out;
      std::vector<double> rates(bench.constraints());
      out.velocity = rates.data();
      bench.cell.mechanism->evaluate(bench.cell.motion(stepper->state()), {}, out);
      for (const double rate : rates) EXPECT_NEAR(rate, 0, 1e-12) << method << " " << problem;
    }
}

// On the way to more columns a step was tried again and again as large as it had been rejected.
TEST(HalfExplicit, AStepThatIsRejectedIsMadeAgainSmaller) {
  RunRequest request;
  request.problem = "pendulum", request.formulation = "index2";
  request.method = "mexx(columns=3,basis=midpoint)";
  request.h = request.t_end = Expression::parse("5", "h");
  request.settings = {{"control.order", "varied"}};
  for (const char* tol : {"1e-4", "1e-6"}) {
    request.settings["control.tol"] = tol;
    const Watch watch(30);  // it never ended
    const RunResult result = run(request);
    EXPECT_EQ(result.status, "ok") << result.why;
    EXPECT_LT(result.counts.at("rejected_steps"), 10);
  }
}

TEST(HalfExplicit, ControlAsksForLessErrorAndGetsIt) {
  const test::TemporaryResults folder;
  for (const char* method : {"hem5", "hedop5", "phem56", "mexx(4)", "mexx(3,midpoint)"}) {
    double last = 1;
    for (const char* tol : {"1e-4", "1e-6", "1e-8"}) {
      RunRequest request;
      request.problem = "two_link", request.formulation = "index2", request.method = method;
      request.h = request.t_end = Expression::parse("1", "h");
      request.settings = {{"control.tol", tol}};
      request.errors = true;
      const RunResult result = run(request);
      ASSERT_EQ(result.status, "ok") << method;
      const double error = result.measures.at("error_q");
      EXPECT_LT(error, last / 5) << method << " " << tol;
      EXPECT_LT(error, 300 * std::stod(tol)) << method << " " << tol;
      last = error;
    }
  }
}

TEST(HalfExplicit, SaysWhatItTakes) {
  for (const std::string& call : methods()) {
    const auto method = method_registry().make(call);
    for (const char* formulation : {"index1", "index3", "ggl", "elimination"}) {
      const std::string why = method->refusal(Formulation::parse(formulation).info);
      EXPECT_NE(why.find("accepted: index2, minimal"), std::string::npos) << call << ": " << why;
    }
    SystemTraits redundant(Formulation::parse("index2").info);
    redundant.full_rank = false;
    EXPECT_EQ(method->refusal(redundant), refusals::redundant);
  }
}

}  // namespace
}  // namespace daemark
