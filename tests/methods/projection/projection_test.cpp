// Projections of step ends, and the augmented Lagrangian form.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "methods/loop/integrator.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

RunResult run_with(const char* formulation, const char* method, const char* h,
                   std::map<std::string, std::string> settings) {
  RunRequest r = test::run_request("two_link", formulation, method, h, "2", std::move(settings));
  return run(r);
}

// Every kind of method and memory: the violations of a projected level are round-off of numbers of
// size 10 over entries of G of size 1.
TEST(Projection, HoldsItsLevelsForEveryMethod) {
  for (const char* method : {"erk4", "gauss(2)", "bdf(2)", "ss(2,1/2)", "trapezoidal", "tr_bdf2",
                             "average_acceleration", "generalized_alpha(1/2)"}) {
    SCOPED_TRACE(method);
    const RunResult drift = run_with("index1", method, "1/100", {});
    ASSERT_EQ(drift.status, "ok");
    for (const char* metric : {"mass", "euclidean"}) {
      const RunResult both =
          run_with("index1", method, "1/100", {{"project", "both"}, {"project.metric", metric}});
      ASSERT_EQ(both.status, "ok") << both.why;
      EXPECT_LE(both.measures.at("position_violation_max"), 1e-14);
      EXPECT_LE(both.measures.at("velocity_violation_max"), 1e-13);
      EXPECT_GT(drift.measures.at("position_violation_max"), 1e-12) << "nothing to project";
    }
    const RunResult position = run_with("index1", method, "1/100", {{"project", "position"}});
    EXPECT_LE(position.measures.at("position_violation_max"), 1e-14);
    EXPECT_GT(position.measures.at("velocity_violation_max"), 1e-12);
    const RunResult velocity = run_with("index1", method, "1/100", {{"project", "velocity"}});
    EXPECT_LE(velocity.measures.at("velocity_violation_max"), 1e-13);
    EXPECT_GT(velocity.measures.at("position_violation_max"), 1e-12);
  }
}

double error_q(const char* formulation, const char* method, const char* h,
               std::map<std::string, std::string> settings) {
  RunRequest r = test::run_request("two_link", formulation, method, h, "1/2", std::move(settings));
  r.errors = true;
  return run(r).measures.at("error_q");
}

// Fourth order stays: the ratio of errors at h and h/2 is 16 but for the next term.
TEST(Projection, KeepsTheOrder) {
  for (const char* metric : {"mass", "euclidean"}) {
    const std::map<std::string, std::string> both{{"project", "both"}, {"project.metric", metric}};
    const double ratio =
        error_q("index1", "erk4", "1/200", both) / error_q("index1", "erk4", "1/400", both);
    EXPECT_NEAR(std::log2(ratio), 4, 0.25) << metric;
  }
}

TEST(Projection, RefusesWhatHasNoConstraints) {
  EXPECT_THROW(run_with("minimal", "erk4", "1/100", {{"project", "both"}}), BadInput);
}

TEST(AugmentedLagrangian, PositionsHoldAndOtherLevelsNearly) {
  for (const char* penalty : {"10^7", "10^9"}) {
    const std::string call = std::string("augmented_lagrangian(penalty=") + penalty + ")";
    const RunResult r = run_with("index3", call.c_str(), "1/100", {});
    ASSERT_EQ(r.status, "ok") << r.why;
    EXPECT_LE(r.measures.at("position_violation_max"), 1e-10);
    // |v* violation| of size h² a, a of size 10, divided by c α ≥ 250 here; GW⁻¹Gᵀ of size 1.
    EXPECT_LE(r.measures.at("velocity_violation_max"), 1e-2 * 10 / 250);
    EXPECT_GT(r.measures.at("velocity_violation_max"), 1e-12) << "it is not exact";
  }
  const RunResult weak = run_with("index3", "augmented_lagrangian(penalty=10^7)", "1/100", {}),
                  strong = run_with("index3", "augmented_lagrangian(penalty=10^9)", "1/100", {});
  const double ratio =
      weak.measures.at("velocity_violation_max") / strong.measures.at("velocity_violation_max");
  EXPECT_NEAR(std::log10(ratio), 2, 0.3);  // as 1/penalty
}

// Through the horizontal, where G loses rank: a step that fails is made in other parts.
TEST(Retry, TakesStructuralAndTangentMethodsThroughAFailedStep) {
  const std::pair<const char*, const char*> cases[] = {
      {"tangent_space(average_acceleration)", "2"},
      {"tangent_space(average_acceleration,null_space)", "2"},
      {"tangent_space(sdirk_2)", "2"},
      {"hht(alpha=-1/10)", "6"}};
  for (const auto& [method, iterations] : cases) {
    SCOPED_TRACE(method);
    test::MethodBench<double> bench(
        "four_bar(2)", "index3", method, "1/100", "1",
        {{"newton.max", iterations}, {"retry", "12"}, {"newton.tol", "strict"}});
    const auto integrator =
        make_integrator<double>(*bench.setup.method, bench.cell.target(), bench.setup.settings);
    integrator->start(bench.initial, {0.0, 0.01, 100});
    for (int k = 0; k < 100; ++k) {
      const StepReport report = integrator->advance();
      ASSERT_EQ(report.status, Status::ok) << k << " " << report.why;
      EXPECT_NEAR(integrator->state().t, 0.01 * (k + 1), 1e-13);
    }
    EXPECT_GT(integrator->counts().rejected_steps, 0) << "nothing failed";
    EXPECT_GT(integrator->counts().steps, 100);
  }
}

}  // namespace
}  // namespace daemark
