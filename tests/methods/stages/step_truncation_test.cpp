// Newton's iteration that stops by the step (newton.tol=step, the default): the errors of a run are
// those of a strict iteration, with less work and without ends at round-off.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

RunResult truncated_run(const std::string& problem, const std::string& formulation,
                        const std::string& method, const std::string& h, const std::string& t_end,
                        std::map<std::string, std::string> settings) {
  RunRequest r = test::run_request(problem, formulation, method, h, t_end, std::move(settings));
  r.errors = true;
  return run(r);
}

struct Case {
  const char *problem, *h, *t_end;
};
const Case cases[] = {{"andrews_squeezer(start=ivp,coordinates=absolute)", "1/20000", "1/100"},
                      {"two_link", "1/50", "1"},
                      {"pendulum", "1/20", "2"}};
const char* const methods[] = {"radau_iia(2)",
                               "radau_iia(3)",
                               "gauss(2)",
                               "lms(2,1/2)",
                               "bdf(3)",
                               "esdirk_3_2_4l",
                               "sdirk_4",
                               "pade_block(r=4,k=2)",
                               "generalized_alpha(rho=4/5)"};

// What Newton leaves is a thousandth of an estimate of the step's truncation, which is right to a
// factor of fifty: errors of q, v, λ change by less than a twentieth of themselves, or by what
// 1e-12 of the coordinates makes of them. All in all there are fewer iterations.
TEST(NewtonByTheStep, ErrorsAreThoseOfAStrictIteration) {
  long iterations_strict = 0, iterations_by_step = 0;
  for (const Case& one : cases)
    for (const char* formulation : {"index1", "index2", "ggl", "index3"})
      for (const char* method : methods)
        for (const char* kind : {"full", "simplified"}) {
          if (std::string(formulation) == "ggl" && std::string(method).starts_with("general"))
            continue;
          SCOPED_TRACE(std::string(one.problem) + " " + formulation + " " + method + " " + kind);
          const auto with = [&](const char* tol) {
            return truncated_run(one.problem, formulation, method, one.h, one.t_end,
                                 {{"newton.tol", tol}, {"newton.kind", kind}});
          };
          const RunResult strict = with("strict"), by_step = with("step");
          ASSERT_EQ(by_step.status, strict.status);
          if (strict.status != "ok") continue;
          iterations_strict += strict.counts.at("newton_iterations");
          iterations_by_step += by_step.counts.at("newton_iterations");
          for (const char* kind_of : {"error_q", "error_v", "error_lambda"}) {
            const double error = strict.measures.at(kind_of);
            EXPECT_NEAR(by_step.measures.at(kind_of), error, 0.05 * error + 1e-10) << kind_of;
          }
        }
  EXPECT_LT(iterations_by_step, iterations_strict);
}

// Index 3 with 200 steps: a strict iteration ends at round-off in every step.
TEST(NewtonByTheStep, StopsAboveRoundOffOnIndexThree) {
  const auto with = [](const char* tol) {
    return truncated_run("andrews_squeezer(start=ivp,coordinates=absolute)", "index3",
                         "radau_iia(2)", "0.03/200", "0.03", {{"newton.tol", tol}})
        .counts;
  };
  auto strict = with("strict"), by_step = with("step");
  EXPECT_EQ(strict.at("floor_stops"), 200);
  EXPECT_LT(by_step.at("floor_stops"), 10);
  EXPECT_LT(2 * by_step.at("newton_iterations"), strict.at("newton_iterations"));
}

// With step-size control it stops by the tolerance.
TEST(NewtonByTheStep, FollowsTheToleranceOfSteps) {
  const auto with = [](const char* tol, const char* newton) {
    return truncated_run("two_link", "index2", "esdirk_4_3_6l", "1", "1",
                         {{"control.tol", tol}, {"newton.tol", newton}});
  };
  const RunResult strict = with("1e-5", "strict"), by_step = with("1e-5", "step");
  ASSERT_EQ(by_step.status, "ok");
  EXPECT_LT(by_step.counts.at("newton_iterations"), strict.counts.at("newton_iterations"));
  EXPECT_NEAR(by_step.measures.at("error_q"), strict.measures.at("error_q"),
              0.1 * strict.measures.at("error_q"));
}

}  // namespace
}  // namespace daemark
