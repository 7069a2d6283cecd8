// The multipliers of a step from the position constraints at its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/multiplier/multiplier_solver.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

RunRequest request(const std::string& problem, const std::string& method, const char* h,
                   const char* t_end = "1") {
  RunRequest r = test::run_request(problem, "index3", method, h, t_end);
  r.errors = true;
  return r;
}

// G(λ) = A λ − b: Newton needs one iteration, the others come to the same root.
TEST(MultiplierSolver, SolvesLinearEquations) {
  const double A[2][2] = {{-2, 1}, {1, -3}}, b[2] = {1, 2};
  for (const MultiplierSolverKind kind :
       {MultiplierSolverKind::broyden, MultiplierSolverKind::broyden_fd,
        MultiplierSolverKind::newton}) {
    NewtonSettings settings;
    settings.tol = 1e-12;
    MultiplierSolver<double> solver(kind, 2, 1e-4, settings, [&](const double* x, double* g) {
      for (int i = 0; i < 2; ++i) g[i] = A[i][0] * x[0] + A[i][1] * x[1] - b[i];
      return StepReport{};
    });
    double x[2] = {7, -5};
    Counts counts;
    ASSERT_EQ(solver.solve(x, counts).status, Status::ok);
    EXPECT_NEAR(x[0], -1, 1e-11);  // by Cramer's rule
    EXPECT_NEAR(x[1], -1, 1e-11);
    // Differences of a linear function are exact but for rounding.
    if (kind != MultiplierSolverKind::broyden) {
      EXPECT_LE(counts.multiplier_iterations, 2);
    }
  }
}

TEST(MultiplierSolver, SaysThatTheDerivativeIsSingular) {
  for (const MultiplierSolverKind kind :
       {MultiplierSolverKind::broyden, MultiplierSolverKind::broyden_fd,
        MultiplierSolverKind::newton, MultiplierSolverKind::secant}) {
    MultiplierSolver<double> solver(kind, 1, 1e-4, {}, [](const double*, double* g) {
      g[0] = 1;  // whatever λ is
      return StepReport{};
    });
    double x = 0;
    Counts counts;
    EXPECT_EQ(solver.solve(&x, counts).status, Status::singular_matrix);
  }
}

// A tolerance that rounding of G forbids ends at the floor of every solver, with nothing lost.
TEST(MultiplierShooting, EndsAtTheRoundOffFloor) {
  for (const char* solver : {"broyden", "broyden_fd", "newton", "secant"}) {
    RunRequest r =
        request("pendulum", std::string("multiplier_shooting(erk4,") + solver + ")", "1/100");
    r.settings["newton.tol"] = "1e-30";
    const RunResult result = run(r);
    ASSERT_EQ(result.status, "ok") << solver << ": " << result.why;
    EXPECT_GT(result.counts.at("floor_stops"), 0) << solver;
    EXPECT_LE(result.measures.at("position_violation_max"), 1e-14) << solver;  // 22 ulp of l²
  }
}

// Of one multiplier the rank-2 update is the secant: the same iterates.
TEST(MultiplierShooting, BroydenIsTheSecantForOneMultiplier) {
  const RunResult a = run(request("pendulum", "multiplier_shooting(erk4,broyden)", "1/100")),
                  b = run(request("pendulum", "multiplier_shooting(erk4,secant)", "1/100"));
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.counts, b.counts);
}

// λ is held: order 2 in v, 4 in q (two halvings of h: factors 4² and 4⁴, half an order of slack).
TEST(MultiplierShooting, KeepsThePositionConstraint) {
  for (const char* inner : {"erk4", "gauss(2)", "dormand_prince_5"}) {
    const std::string method = std::string("multiplier_shooting(") + inner + ",newton)";
    const RunResult coarse = run(request("two_link", method, "1/50")),
                    fine = run(request("two_link", method, "1/200"));
    ASSERT_EQ(coarse.status, "ok") << coarse.why;
    ASSERT_EQ(fine.status, "ok") << fine.why;
    EXPECT_LE(fine.measures.at("position_violation_max"), 1.01e-10) << inner;  // newton.tol
    EXPECT_GT(coarse.measures.at("error_v") / fine.measures.at("error_v"), 8) << inner;
    EXPECT_GT(coarse.measures.at("error_q") / fine.measures.at("error_q"), 128) << inner;
    EXPECT_GE(fine.counts.at("inner_sweeps"), fine.counts.at("steps"));
  }
}

TEST(MultiplierShooting, FailsWithAStatusFromAFarStart) {
  const RunResult r = run(request("pendulum", "multiplier_shooting(start=1e12)", "1/10"));
  EXPECT_NE(r.status, "ok");
  EXPECT_FALSE(r.why.empty());
  EXPECT_EQ(r.counts.at("failed_solves"), 1);
  // Nearer, the same root is found.
  const RunResult near = run(request("pendulum", "multiplier_shooting(start=100)", "1/100")),
                  usual = run(request("pendulum", "multiplier_shooting(erk4)", "1/100"));
  ASSERT_EQ(near.status, "ok") << near.why;
  EXPECT_NEAR(near.measures.at("error_q"), usual.measures.at("error_q"), 1e-9);
}

TEST(MultiplierShooting, RefusesWhatItCannotTake) {
  const auto refused = [](const RunRequest& r, const char* reason) {
    EXPECT_THAT([&] { run(r); }, ThrowsMessage<BadInput>(HasSubstr(reason)));
  };
  refused(request("two_link", "multiplier_shooting(erk4,secant)", "1/10"), "one multiplier");
  refused(request("heavy_top", "multiplier_shooting(erk4)", "1/10"), "charts");
  refused(request("pendulum", "multiplier_shooting(bdf(2))", "1/10"), "Runge–Kutta");
  refused(request("pendulum", "multiplier_shooting(erk4,steepest)", "1/10"), "broyden");
  RunRequest other = request("pendulum", "multiplier_shooting(erk4)", "1/10");
  other.formulation = "index1";
  refused(other, "index3");
}

}  // namespace
}  // namespace daemark
