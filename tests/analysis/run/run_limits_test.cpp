// Timing of a run, and runs that are stopped from outside.
#include <gtest/gtest.h>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

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

TEST(RunSteps, NearestOnesAreOfferedAsTheyCanBeTyped) {
  RunRequest r = request();
  r.t_end = Expression::parse("1", "t");
  const auto refusal = [&](const std::string& h) {
    r.h = Expression::parse(h, "h");
    return test::refusal([&] { run(r); });
  };
  EXPECT_NE(refusal("0.33333333333333331").find("nearest steps are 1/3 (3 steps)"),
            std::string::npos)
      << refusal("0.33333333333333331");
  EXPECT_NE(refusal("2").find("nearest steps are 1 (1 steps)"), std::string::npos) << refusal("2");
  EXPECT_EQ(refusal("1/3"), "accepted");
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

}  // namespace
}  // namespace daemark
