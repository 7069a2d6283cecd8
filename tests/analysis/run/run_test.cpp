#include "analysis/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/setup/bound_run.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/tableaus.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;

RunRequest as_default(const std::string& method = "erk4", const std::string& formulation = "index1",
                      const std::string& problem = "two_link") {
  return test::run_request(problem, formulation, method, "1/100", "1/2");
}

std::string refusal(const RunRequest& r) {
  return test::refusal([&] { run(r); });
}

TEST(Run, ReportsStateMeasuresAndCounts) {
  RunRequest r = as_default();
  r.history_every = 20;
  const RunResult result = run(r);
  EXPECT_EQ(result.status, "ok");
  EXPECT_TRUE(result.why.empty());
  EXPECT_DOUBLE_EQ(result.t, 0.5);
  EXPECT_EQ(result.counts.at("steps"), 50);
  EXPECT_EQ(result.counts.at("newton_iterations"), 0);
  EXPECT_EQ(result.counts.at("residual_evals"), 4 * 50) << "three stages and the step end";
  EXPECT_EQ(result.measures.count("error_q"), 0u);
  ASSERT_EQ(result.history.t.size(), 4u) << "0, 20, 40 and the last step";
  EXPECT_DOUBLE_EQ(result.history.t[1], 0.2);
  EXPECT_DOUBLE_EQ(result.history.t.back(), 0.5);
  // The same steps by hand: every number of the result is one of the stepper's.
  test::MethodBench<double> bench("two_link", "index1", "erk4", "1/100", "1/2");
  const auto stepper = bench.started();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
  const State<double>& end = stepper->state();
  const auto digits = [](auto first, int count) {
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) texts.push_back(full_digits(*first++));
    return texts;
  };
  EXPECT_EQ(result.q, digits(end.y.begin(), 6));
  EXPECT_EQ(result.v, digits(end.y.begin() + 6, 6));
  EXPECT_EQ(result.a, digits(end.rate.begin() + 6, 6));
  EXPECT_EQ(result.lambda, digits(end.y.begin() + 12, 4));
  EXPECT_EQ(result.history.q.back(), (std::vector<double>(end.y.begin(), end.y.begin() + 6)));
}

TEST(Run, MeasuresAreTheExtremesOfTheHistory) {
  RunRequest r = as_default();
  r.history_every = 1;
  const RunResult result = run(r);
  const History& history = result.history;
  const std::pair<const char*, const std::vector<double>*> all[] = {
      {"energy_error", &history.energy_error},
      {"position_violation", &history.position_violation},
      {"velocity_violation", &history.velocity_violation},
      {"acceleration_violation", &history.acceleration_violation}};
  for (const auto& [name, values] : all) {
    ASSERT_EQ(values->size(), 51u) << name;
    double largest = 0;
    for (const double x : *values) largest = std::max(largest, std::abs(x));
    EXPECT_GT(largest, 0) << name << ": an explicit method on index 1 drifts in all of them";
    EXPECT_EQ(result.measures.at(std::string(name) + "_max"), largest);
    EXPECT_EQ(result.measures.at(std::string(name) + "_final"), std::abs(values->back()));
  }
}

TEST(Run, PrecisionsAgreeToDouble) {
  std::vector<RunResult> results;
  for (const Precision precision : {Precision::in_double, Precision::in_real50}) {
    RunRequest r = as_default("gauss(3)");
    r.precision = precision;
    results.push_back(run(r));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const real50 narrow(results[0].q[i]), wider(results[1].q[i]);
    // Newton's tolerance is 1e-10; its last increment leaves the square of that or round-off, some
    // hundred times over 50 steps.
    EXPECT_LE(abs(narrow - wider), 1e-11) << i;
  }
}

// A second-order method far from convergence, so that the errors are large; the closed form is the
// reference of the pendulum, taken here from the problem itself.
TEST(Run, ErrorsAreAgainstTheReference) {
  const test::TemporaryResults folder;
  RunRequest r = as_default("gauss(1)", "index1", "pendulum");
  r.errors = true;
  const RunResult result = run(r);
  real50 q[2], v[2], lambda[1];
  problem_registry().make("pendulum").closed_form(real50(0.5), q, v, lambda);
  const auto norm = [](const std::vector<std::string>& ours, const real50* exact) {
    real50 sum = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
      sum += pow(real50(real50(std::stod(ours[i])) - exact[i]), 2);
    return to_double(real50(sqrt(sum)));
  };
  // The digits of the result read back to the same doubles; norms are rounded once.
  EXPECT_DOUBLE_EQ(result.measures.at("error_q"), norm(result.q, q));
  EXPECT_DOUBLE_EQ(result.measures.at("error_v"), norm(result.v, v));
  EXPECT_DOUBLE_EQ(result.measures.at("error_lambda"), norm(result.lambda, lambda));
  for (int i = 0; i < 2; ++i)
    EXPECT_DOUBLE_EQ(result.measures.at("error_q_" + std::to_string(i)),
                     std::abs(to_double(real50(real50(std::stod(result.q[i])) - q[i]))));
  // h² = 1e-4 times derivatives of order 10 and more over half a second.
  for (const char* name : {"error_q", "error_v", "error_lambda"})
    EXPECT_GT(result.measures.at(name), 1e-6) << name;
}

TEST(Run, RefusesBadRequests) {
  RunRequest r = as_default();
  r.h = Expression::parse("3/10", "h");
  EXPECT_THAT(refusal(r), HasSubstr("does not divide"));
  EXPECT_THAT(refusal(r), HasSubstr("nearest steps are 1/4 (2 steps) or 1/2 (1 steps)"));
  r.t_end = Expression::parse("1", "t"), r.h = Expression::parse("0.33333333333333331", "h");
  EXPECT_THAT(refusal(r), HasSubstr("nearest steps are 1/3 (3 steps)")) << "as it can be typed";
  r.h = Expression::parse("2", "h");
  EXPECT_THAT(refusal(r), HasSubstr("nearest steps are 1 (1 steps)"));
  r.h = Expression::parse("1/3", "h");
  EXPECT_EQ(refusal(r), "accepted");
  r.h = Expression::parse("3/10", "h");
  r.problem = "beam_shaft(elements=2)", r.t_end = Expression::parse("1/7", "t_end");
  EXPECT_THAT(refusal(r), HasSubstr("does not divide the time from the start at -1 s"));
  for (const char* h : {"0", "-1/10", "2", "1e-12"}) {
    r = as_default();
    r.h = Expression::parse(h, "h");
    EXPECT_NE(refusal(r), "accepted") << h;
  }
  EXPECT_THAT(refusal(as_default("erk4", "index3")), HasSubstr("explicit"));
  EXPECT_THAT(refusal(as_default("erk4", "minimal", "pendulum")), HasSubstr("no minimal form"));
  EXPECT_NE(refusal(as_default("no_method")), "accepted");
  EXPECT_NE(refusal(as_default("erk4", "index9")), "accepted");
  r = as_default();
  r.settings = {{"newton.tol", "0"}};
  EXPECT_NE(refusal(r), "accepted");
}

TEST(Run, ChecksTheUsersInitialState) {
  RunRequest r = as_default("erk4", "index1", "pendulum");
  r.initial = InitialState{expressions({"0", "-198120/100000"}), expressions({"1", "0"})};
  const RunResult swinging = run(r);
  EXPECT_EQ(swinging.status, "ok");
  // v² − v₀² = 2 g (y₀ − y), to the error of erk4: h⁴ = 1e-8 times derivatives of some 100.
  const double y = std::stod(swinging.q[1]), vx = std::stod(swinging.v[0]),
               vy = std::stod(swinging.v[1]);
  EXPECT_NEAR(vx * vx + vy * vy - 1, 2 * 9.80665 * (-1.9812 - y), 1e-6);
  EXPECT_GT(y, -1.9812 + 0.01) << "it has risen";
  r.initial = InitialState{expressions({"0", "-2"}), expressions({"1", "0"})};
  EXPECT_THAT(refusal(r), HasSubstr("position constraints by 0.0748"));
  r.initial = InitialState{expressions({"0", "-198120/100000"}), expressions({"1", "1"})};
  EXPECT_THAT(refusal(r), HasSubstr("velocity constraints by 3.96"));
  r.initial = InitialState{expressions({"0"}), expressions({"1", "0"})};
  EXPECT_THAT(refusal(r), HasSubstr("1 positions"));
}

TEST(Run, NumericalFailureIsAResult) {
  RunRequest r = as_default("pade_block(4,2)", "index3");
  r.h = r.t_end = Expression::parse("2", "h");
  const RunResult result = run(r);
  EXPECT_NE(result.status, "ok");
  EXPECT_THAT(result.why, HasSubstr("in the step from t = 0"));
  EXPECT_EQ(result.t, 0);
  EXPECT_EQ(result.q.size(), 6u) << "the last good state";
}

void expect_same(const RunResult& one, const RunResult& other) {
  EXPECT_EQ(one.status, other.status);
  EXPECT_EQ(one.why, other.why);
  EXPECT_EQ(one.t, other.t);
  EXPECT_EQ(one.q, other.q);
  EXPECT_EQ(one.v, other.v);
  EXPECT_EQ(one.a, other.a);
  EXPECT_EQ(one.lambda, other.lambda);
  EXPECT_EQ(one.measures, other.measures);
  EXPECT_EQ(one.counts, other.counts);
}

std::vector<RunResult> run_to_each(const RunRequest& r, const std::vector<Expression>& ends) {
  std::vector<BoundRun> runs;
  const BoundRun bound(r);
  for (const Expression& end : ends) runs.push_back(bound.until(end));
  return run_together(runs);
}

/// To the last digit: a stop on the way changes nothing.
TEST(Run, ThroughSeveralEndsIsARunToEach) {
  const test::TemporaryResults folder;
  for (const auto& [method, formulation, precision] :
       std::vector<std::tuple<const char*, const char*, Precision>>{
           {"radau_iia(3)", "index2", Precision::in_double},
           {"bdf(4)", "index1", Precision::in_double},
           {"average_acceleration", "index3", Precision::in_double},
           {"gauss(2)", "index1", Precision::in_real50},
           {"cvode(1e-6)", "index1", Precision::in_double}}) {
    RunRequest r = as_default(method, formulation);
    r.precision = precision, r.errors = true, r.repeat = 0;
    std::vector<Expression> ends = expressions({"1/10", "1/4", "1/2"});
    for (int order = 0; order < 2; ++order) {  // ascending or not
      const std::vector<RunResult> through = run_to_each(r, ends);
      ASSERT_EQ(through.size(), ends.size());
      for (std::size_t i = 0; i < ends.size(); ++i) {
        r.t_end = ends[i];
        expect_same(through[i], run(r));
      }
      std::swap(ends[0], ends[2]);
    }
  }
}

TEST(Run, ThroughSeveralEndsFailsAtThoseBehindTheFailure) {
  RunRequest r = as_default("euler_explicit", "index1", "oscillator(omega=10^100)");
  r.h = Expression::parse("1/10", "h"), r.repeat = 0;
  const std::vector<Expression> ends = expressions({"1/10", "1", "2"});
  const std::vector<RunResult> through = run_to_each(r, ends);
  EXPECT_EQ(through[0].status, "ok");
  EXPECT_NE(through[1].status, "ok");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    r.t_end = ends[i];
    expect_same(through[i], run(r));
  }
}

}  // namespace
}  // namespace daemark
