#include "experiments/advice/advice.hpp"

#include <gtest/gtest.h>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "experiments/cells/support/integration.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

/// The error of the advised run against the reference, which has nothing to do with the runs that
/// the advice was judged by.
TEST(Advice, PredictsTheErrorOfWhatItAdvises) {
  for (const char* problem : {"two_link", "double_pendulum", "four_bar(loops=2)", "slider_crank",
                              "generated(seed=3,bodies=6,loops=0)"}) {
    AdviceRequest request;
    request.problem = problem_registry().make(problem).name;
    request.t_end = "1/2", request.accuracy = 1e-5;
    const Advice advice = advise(request);
    ASSERT_FALSE(advice.trials.empty());
    const Trial& best = advice.trials.front();
    ASSERT_TRUE(best.reached) << problem;
    // One that needs long, or fails, takes no time from the others: there are alternatives.
    EXPECT_TRUE(advice.trials.at(2).reached) << problem;
    RunRequest again = run_request(best.cell);
    again.errors = true;
    const RunResult result = run(again);
    ASSERT_EQ(result.status, "ok") << problem;
    const double error = result.measures.at("error_q") / advice.way;
    EXPECT_LE(error, request.accuracy + advice.uncertainty) << problem;
    // What judges may be off by `uncertainty`, the least error that is told.
    EXPECT_LE(std::abs(error - best.error), advice.uncertainty) << problem;
  }
}

/// Implicit methods refuse rows that depend on each other; two explicit pairs judge then, whose
/// errors may be alike: their difference is no bound, and the accuracy is what is kept.
TEST(Advice, JudgesMechanismsWithDependentRows) {
  AdviceRequest request;
  request.problem = problem_registry().make("generated(seed=9,loops=0,redundancy=1)").name;
  request.t_end = "1/2", request.accuracy = 1e-5;
  const Advice advice = advise(request);
  ASSERT_TRUE(advice.trials.at(2).reached);
  RunRequest again = run_request(advice.trials.front().cell);
  again.errors = true;
  EXPECT_LE(run(again).measures.at("error_q") / advice.way, request.accuracy);
}

TEST(Advice, SaysToWhichAccuracyTwoMethodsAgree) {
  AdviceRequest request;
  request.problem = problem_registry().make("two_link").name;
  request.t_end = "60", request.accuracy = 1e-9;  // chaotic: all digits are lost
  EXPECT_THAT(test::refusal<NoReference>([&] { advise(request); }), testing::HasSubstr("agree to"));
}

}  // namespace
}  // namespace daemark
