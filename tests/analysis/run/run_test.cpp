#include "analysis/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/text/bad_input.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;

RunRequest request(const std::string& method = "erk4", const std::string& formulation = "index1",
                   const std::string& problem = "two_link") {
  RunRequest r;
  r.problem = problem, r.formulation = formulation, r.method = method;
  r.h = Expression::parse("1/100", "h");
  r.t_end = Expression::parse("1/2", "t");
  return r;
}

std::string refusal(const RunRequest& r) {
  try {
    run(r);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Run, ReportsStateMeasuresAndCounts) {
  RunRequest r = request();
  r.history_every = 20;
  const RunResult result = run(r);
  EXPECT_EQ(result.status, "ok");
  EXPECT_TRUE(result.why.empty());
  EXPECT_DOUBLE_EQ(result.t, 0.5);
  EXPECT_EQ(result.q.size(), 6u);
  EXPECT_EQ(result.v.size(), 6u);
  EXPECT_EQ(result.a.size(), 6u);
  EXPECT_EQ(result.lambda.size(), 4u);
  EXPECT_EQ(result.counts.at("steps"), 50);
  EXPECT_EQ(result.counts.at("newton_iterations"), 0);
  EXPECT_EQ(result.counts.at("residual_evals"), 4 * 50) << "three stages and the step end";
  EXPECT_GT(result.measures.at("energy_error_max"), 0);
  EXPECT_LT(result.measures.at("energy_error_max"), 1e-3);
  EXPECT_EQ(result.measures.count("error_q"), 0u);
  EXPECT_EQ(result.history.t.size(), 4u) << "0, 20, 40 and the last step";
  EXPECT_DOUBLE_EQ(result.history.t.back(), 0.5);
  EXPECT_EQ(result.history.q.back()[0], std::stod(result.q[0]));
}

TEST(Run, IsReproducible) {
  for (const char* precision : {"double", "quad", "real50"}) {
    RunRequest r = request("radau_iia(2)", "index2");
    r.precision = precision;
    const RunResult a = run(r), b = run(r);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.lambda, b.lambda);
    EXPECT_EQ(a.measures, b.measures);
    EXPECT_EQ(a.counts, b.counts);
  }
}

TEST(Run, PrecisionsAgreeToTheNarrowerOne) {
  std::vector<RunResult> results;
  for (const char* precision : {"double", "quad", "real50"}) {
    RunRequest r = request("gauss(3)");
    r.precision = precision;
    results.push_back(run(r));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const real50 narrow(results[0].q[i]), middle(results[1].q[i]), wider(results[2].q[i]);
    // Newton's tolerances are 1e-10, ε^0.7 ≈ 1e-24; its last increment leaves the square of that
    // or round-off, some hundred times over 50 steps.
    EXPECT_LE(abs(narrow - wider), 1e-11) << i;
    EXPECT_LE(abs(middle - wider), 1e-23) << i;
  }
}

TEST(Run, ErrorsAreAgainstTheReference) {
  const test::TemporaryResults folder;
  RunRequest r = request("gauss(4)", "index1", "pendulum");
  r.errors = true;
  const RunResult result = run(r);
  EXPECT_LT(result.measures.at("error_q"), 1e-10);
  EXPECT_LT(result.measures.at("error_v"), 1e-10);
  EXPECT_LT(result.measures.at("error_lambda"), 1e-8);
  EXPECT_GE(result.measures.at("error_q"), result.measures.at("error_q_0"));
}

TEST(Run, RefusesBadRequests) {
  RunRequest r = request();
  r.h = Expression::parse("3/10", "h");
  EXPECT_THAT(refusal(r), HasSubstr("does not divide"));
  EXPECT_THAT(refusal(r), HasSubstr("0.25 (2 steps) or 0.5 (1 steps)"));
  for (const char* h : {"0", "-1/10", "2", "1e-12"}) {
    r = request();
    r.h = Expression::parse(h, "h");
    EXPECT_NE(refusal(r), "accepted") << h;
  }
  r = request();
  r.precision = "single";
  EXPECT_THAT(refusal(r), HasSubstr("double, quad, real50"));
  EXPECT_THAT(refusal(request("erk4", "index3")), HasSubstr("explicit"));
  EXPECT_THAT(refusal(request("erk4", "minimal", "pendulum")), HasSubstr("no minimal form"));
  EXPECT_NE(refusal(request("no_method")), "accepted");
  EXPECT_NE(refusal(request("erk4", "index9")), "accepted");
  r = request();
  r.settings = {{"newton.tol", "0"}};
  EXPECT_NE(refusal(r), "accepted");
}

TEST(Run, ChecksTheUsersInitialState) {
  const auto numbers = [](std::initializer_list<const char*> list) {
    std::vector<Expression> x;
    for (const char* text : list) x.push_back(Expression::parse(text, "init"));
    return x;
  };
  RunRequest r = request("erk4", "index1", "pendulum");
  r.initial = InitialState{numbers({"0", "-198120/100000"}), numbers({"1", "0"})};
  const RunResult swinging = run(r);
  EXPECT_EQ(swinging.status, "ok");
  EXPECT_GT(std::stod(swinging.q[0]), 0);
  r.initial = InitialState{numbers({"0", "-2"}), numbers({"1", "0"})};
  EXPECT_THAT(refusal(r), HasSubstr("position constraints by 0.0748"));
  r.initial = InitialState{numbers({"0", "-198120/100000"}), numbers({"1", "1"})};
  EXPECT_THAT(refusal(r), HasSubstr("velocity constraints by 3.96"));
  r.initial = InitialState{numbers({"0"}), numbers({"1", "0"})};
  EXPECT_THAT(refusal(r), HasSubstr("1 positions"));
}

TEST(Run, NumericalFailureIsAResult) {
  RunRequest r = request("pade_block(4,2)", "index3");
  r.h = r.t_end = Expression::parse("2", "h");
  const RunResult result = run(r);
  EXPECT_NE(result.status, "ok");
  EXPECT_THAT(result.why, HasSubstr("in the step from t = 0"));
  EXPECT_EQ(result.t, 0);
  EXPECT_EQ(result.q.size(), 6u) << "the last good state";
}

}  // namespace
}  // namespace daemark
