// Timing of a run, and runs that are stopped from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "analysis/run/run_warnings.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/tableaus.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

RunRequest request() { return test::run_request("two_link", "index3", "bdf(2)", "1/100", "1/2"); }

TEST(RunTiming, OnlyWhereItIsAskedFor) {
  RunRequest r = request();
  const RunResult timed = run(r);
  EXPECT_GT(timed.seconds, 0);
  r.repeat = 0;
  const RunResult untimed = run(r);
  EXPECT_EQ(untimed.seconds, 0);
  EXPECT_EQ(untimed.q, timed.q);
  EXPECT_EQ(untimed.counts, timed.counts);
  r.repeat = 3;
  EXPECT_GT(run(r).seconds, 0);
  r.repeat = -1;
  EXPECT_THROW(run(r), BadInput);
}

TEST(RunStop, OutOfTimeIsAStatusWithWhatThereIs) {
  StopToken token;
  const StopScope scope(token);
  RunRequest r = request();
  r.history_every = 1;
  int rows = 0;
  r.history_sink = [&](const History&) {
    if (++rows == 4) token.stop(StopCause::timed_out);  // the start and three steps
  };
  const RunResult result = run(r);
  EXPECT_EQ(result.status, "timed_out");
  EXPECT_EQ(result.why, "out of time in the step from t = 0.03");
  EXPECT_EQ(result.t, 0.03);
  EXPECT_EQ(result.counts.at("steps"), 3);
  EXPECT_EQ(result.q.size(), 6U);
  EXPECT_TRUE(token.noticed());
}

TEST(RunStop, OutOfTimeInTheSetUpIsAStatusToo) {
  StopToken token;
  token.stop(StopCause::timed_out);
  const StopScope scope(token);
  const RunResult result = run(request());
  EXPECT_EQ(result.status, "timed_out");
  EXPECT_EQ(result.why, "out of time before the first step");
  EXPECT_EQ(result.t, 0);
  EXPECT_TRUE(token.noticed());
}

TEST(RunStop, AnInterruptEndsTheWork) {
  StopToken token;
  token.stop(StopCause::interrupted);
  const StopScope scope(token);
  EXPECT_THROW(run(request()), Stopped);
}

TEST(RunHistory, GoesToItsSinkAsItComes) {
  RunRequest r = request();
  r.history_every = 7;
  const RunResult kept = run(r);
  std::vector<double> t, energy;
  r.history_sink = [&](const History& rows) {
    ASSERT_EQ(rows.t.size(), 1U);
    t.push_back(rows.t.front());
    energy.push_back(rows.energy_error.front());
  };
  const RunResult streamed = run(r);
  EXPECT_EQ(t, kept.history.t);
  EXPECT_EQ(energy, kept.history.energy_error);
  EXPECT_TRUE(streamed.history.t.empty());
  EXPECT_EQ(static_cast<long>(t.size()), history_rows(BoundRun(r)));
}

TEST(RunHistory, WhatCannotFitIsRefusedWithTheNumber) {
  RunRequest r = request();
  r.h = Expression::parse("1/1000000000", "h");
  r.t_end = Expression::parse("1", "t");
  r.history_every = 1;  // 1e9 rows of at least 160 bytes
  const std::string why = test::refusal([&] { run(r); });
  EXPECT_NE(why.find("1000000001 rows"), std::string::npos) << why;
  EXPECT_NE(why.find("GB"), std::string::npos) << why;
}

TEST(Registry, AMethodIsMadeOnce) {
  const auto a = method_registry().make("mssth(4,3/5)");
  EXPECT_EQ(a, method_registry().make("mssth(n=4,rho=0.6)"));
  EXPECT_NE(a, method_registry().make("mssth(4,1/2)"));
}

TEST(Registry, ChecksRefuseWhatMakingRefuses) {
  for (const std::string& call : method_registry().examples())
    EXPECT_NO_THROW(method_registry().check(call)) << call;
  for (const char* call : {"mssth(2,0)", "mssth(6,0)", "mssth(4,2)", "mssth_min(4,-1)", "lms(1,0)",
                           "gauss(0)", "nothing"}) {
    EXPECT_THROW(method_registry().check(call), BadInput) << call;
    EXPECT_THROW(method_registry().make(call), BadInput) << call;
  }
}

// Runs that end with status ok and should not be trusted.

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings(const std::string& problem, const std::string& formulation,
                                  const std::string& method, const std::string& t_end,
                                  Precision precision = Precision::in_double,
                                  std::map<std::string, std::string> settings = {}) {
  RunRequest request = test::run_request(problem, formulation, method, "1/100", t_end);
  request.precision = precision, request.settings = std::move(settings);
  request.warnings = true;
  const RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << result.why;
  return result.warnings;
}

TEST(RunWarnings, MechanismThatIsNotAssembledAndItsEnergy) {
  const auto told = warnings("four_bar(loops=1)", "index1", "erk4", "10");
  EXPECT_THAT(told, Contains(AllOf(HasSubstr("constraints are violated by"),
                                   HasSubstr("(threshold 0.01)"))));
  EXPECT_THAT(told, Contains(AllOf(HasSubstr("energy of this conservative motion drifts by"),
                                   HasSubstr("(threshold 0.05)"))));
}

// Of 48003 by 32002 entries G is never made dense: their number is no int.
TEST(RunWarnings, LargeMechanisms) {
  EXPECT_THAT(warnings("four_bar(loops=8000)", "index3", "lms(2)", "3/100"), IsEmpty());
}

// Upright bars, x = x_s = 0, whatever the method makes of them.
TEST(RunWarnings, SingularPosition) {
  for (const char* method : {"phem56", "rodasp", "lms(2)"}) {
    const std::string formulation = method == std::string("phem56") ? "index2" : "index1";
    EXPECT_THAT(warnings("slider_crank", formulation, method, "1"),
                Contains(AllOf(HasSubstr("it passes a singular position near t = "),
                               HasSubstr("(threshold 0.05)"))))
        << method;
  }
}

TEST(RunWarnings, NoneWhereAllIsWell) {
  for (const char* problem : {"pendulum", "two_link", "double_pendulum", "car_axis", "fekete"})
    EXPECT_THAT(warnings(problem, "index2", "radau_iia(3)", "1"), IsEmpty()) << problem;
  EXPECT_THAT(warnings("two_link", "index3", "generalized_alpha", "1"), IsEmpty());
  EXPECT_THAT(warnings("pendulum", "index2", "radau_iia(3)", "1/10", Precision::in_real50),
              IsEmpty());
}

std::vector<BoundRun> study(const std::string& method, const std::string& formulation,
                            const std::vector<std::string>& steps, int newton_max = 30) {
  RunRequest r;
  r.problem = "pendulum", r.formulation = formulation, r.method = method;
  r.t_end = Expression::parse("1", "t");
  r.precision = Precision::in_real50;
  r.settings = {{"newton.max", std::to_string(newton_max)}, {"newton.rescue", "off"}};
  return bind_study(r, expressions(steps));
}

// The orders: tests/conformance/convergence_conformance_test.cpp.
TEST(Converge, HasErrorsOfComponents) {
  const test::TemporaryResults folder;
  const ConvergeResult r =
      converge(study("radau_iia(2)", "index2", {"1/64", "1/128", "1/256", "1/512"}));
  ASSERT_EQ(r.status, (std::vector<std::string>(4, "ok")));
  ASSERT_EQ(r.component_error_q.size(), 4u);
  ASSERT_EQ(r.component_slope_q.size(), 2u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_DOUBLE_EQ(std::hypot(r.component_error_q[k][0], r.component_error_q[k][1]),
                     r.error[0][k]);
  EXPECT_EQ(r.fit[0].used, std::vector<bool>(4, true));
  EXPECT_EQ(r.runs.size(), 4u);
  EXPECT_EQ(r.runs[1].counts.at("steps"), 128);
}

// Studies that share their integrations, one of which has enough before the others.
TEST(Converge, AtSeveralTimesIsAStudyAtEach) {
  const test::TemporaryResults folder;
  const std::vector<BoundRun> runs =
      study("radau_iia(2)", "index2", {"1/16", "1/32", "1/64", "1/128", "1/256"});
  constexpr int enough = 3;
  const std::vector<Expression> ends = expressions({"1/4", "1/2", "1"});
  const std::vector<ConvergeResult> all = converge(runs, ends, enough);
  ASSERT_EQ(all.size(), ends.size());
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const ConvergeResult one = converge(runs, {ends[k]}, enough).front();
    EXPECT_EQ(all[k].status, one.status);
    EXPECT_EQ(all[k].fit[2].used, one.fit[2].used);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (one.status[i] != "ok") continue;
      EXPECT_EQ(all[k].error[0][i], one.error[0][i]);
      EXPECT_EQ(all[k].error[2][i], one.error[2][i]);
      EXPECT_EQ(all[k].runs[i].counts, one.runs[i].counts);
    }
    EXPECT_EQ(all[k].fit[0].slope, one.fit[0].slope);
  }
}

TEST(Converge, RefusesBeforeItRuns) {
  EXPECT_THROW(converge(study("radau_iia(2)", "index2", {"1/64"})), BadInput);
  EXPECT_THROW(converge(study("radau_iia(2)", "index2", {"1/64", "3/10"})), BadInput);
  EXPECT_THROW(converge(study("erk4", "index2", {"1/64", "1/32"})), BadInput);
}

TEST(Converge, FailedRunsLeaveTheOthers) {
  const test::TemporaryResults folder;
  const ConvergeResult result =
      converge(study("pade_block(4,2)", "index3", {"1", "1/64", "1/128"}, 5));
  EXPECT_NE(result.status[0], "ok");
  EXPECT_TRUE(std::isnan(result.error[0][0]));
  EXPECT_FALSE(result.fit[0].used[0]);
  EXPECT_EQ(result.status[2], "ok");
  EXPECT_GT(result.fit[0].slope, 3.5);
}

}  // namespace
}  // namespace daemark
