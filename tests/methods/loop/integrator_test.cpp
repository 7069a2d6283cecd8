// The stepping contract and the integrators above it.
#include "methods/loop/integrator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "methods/core/stepper.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

RunRequest loop_request(const char* method, const char* formulation, const char* h,
                        std::map<std::string, std::string> settings) {
  RunRequest r = test::run_request("two_link", formulation, method, h, "1", std::move(settings));
  r.errors = true;
  return r;
}

// An attempt that is not accepted, and one that fails, leave the memory; the next one is the same.
TEST(SteppingContract, AttemptsLeaveTheMemory) {
  int methods = 0;
  for (const char* method : {"erk4", "gauss(2)", "radau_iia(2)", "tr_bdf2", "bdf(3)", "lms(3,1/2)",
                             "ss(3,1/2)", "pade_block(4,2)"}) {
    for (const char* predictor : {"constant", "extrapolated"}) {
      test::MethodBench<double> bench("two_link", "index1", method, "1/50", "1",
                                      {{"predictor", predictor}});
      const auto stepper = bench.started(), other = bench.started();
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(stepper->step().status, Status::ok);
        ASSERT_EQ(other->step().status, Status::ok);
      }
      const auto memory = stepper->memory();
      const double t = stepper->state().t;
      ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
      EXPECT_EQ(stepper->memory(), memory) << method;
      EXPECT_EQ(stepper->state().t, t);
      EXPECT_NE(stepper->candidate().y, stepper->state().y) << method;
      ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
      stepper->accept();
      ASSERT_EQ(other->step().status, Status::ok);
      EXPECT_EQ(stepper->memory(), other->memory()) << method;
      EXPECT_EQ(stepper->counts().steps, other->counts().steps);
      ++methods;
    }
  }
  EXPECT_EQ(methods, 16);
}

// What a decorator writes into the candidate is what the next step starts from.
TEST(SteppingContract, TheCandidateMayBeChanged) {
  for (const char* method : {"erk4", "radau_iia(2)", "lms(2,1/2)", "ss(2,1/2)"}) {
    test::MethodBench<double> bench("two_link", "index1", method, "1/50", "1");
    const auto stepper = bench.started();
    ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
    stepper->candidate().y[0] += 0.125;
    const double changed = stepper->candidate().y[0];
    stepper->accept();
    EXPECT_EQ(stepper->state().y[0], changed) << method;
    const auto plain = bench.started();
    ASSERT_EQ(plain->step().status, Status::ok);
    ASSERT_EQ(plain->step().status, Status::ok);
    ASSERT_EQ(stepper->step().status, Status::ok);
    EXPECT_GT(std::abs(stepper->state().y[0] - plain->state().y[0]), 0.05) << method;
  }
}

TEST(SteppingContract, VariableStepsWhereTheMethodAllowsThem) {
  for (const char* method : {"erk4", "gauss(2)", "tr_bdf2"}) {
    test::MethodBench<double> bench("two_link", "index1", method, "1/50", "1");
    EXPECT_FALSE(bench.setup.method->constant_step());
    const auto stepper = bench.started();
    ASSERT_EQ(stepper->attempt(0.005).status, Status::ok);
    stepper->accept();
    EXPECT_DOUBLE_EQ(stepper->state().t, 0.005);
    ASSERT_EQ(stepper->attempt(0.02).status, Status::ok);
    stepper->accept();
    EXPECT_DOUBLE_EQ(stepper->state().t, 0.025);
  }
  for (const char* method : {"lms(3,0)", "ss(2,0)"}) {
    test::MethodBench<double> bench("two_link", "index1", method, "1/50", "1");
    EXPECT_TRUE(bench.setup.method->constant_step());
    EXPECT_THROW(bench.started()->attempt(0.005), std::logic_error) << method;
  }
}

// The error follows the tolerance over four decades; the steps grow less than in proportion.
TEST(StepSizeControl, FollowsTheTolerance) {
  for (const char* method : {"dormand_prince_5", "sdirk_4", "verner_8", "lms(2,1/2)", "bdf(3)",
                             "bdf(6)", "newmark(1/2,1/4)", "generalized_alpha(1/2)",
                             "generalized_alpha(1/2,chung_hulbert)", "hht(-1/5)"}) {
    double last_error = 1, last_steps = 0;
    for (const char* tol : {"1e-4", "1e-6", "1e-8"}) {
      const RunResult r = run(loop_request(method, "index1", "1/10", {{"control.tol", tol}}));
      ASSERT_EQ(r.status, "ok") << r.why;
      EXPECT_EQ(r.t, 1);
      const double error = r.measures.at("error_q"),
                   steps = static_cast<double>(r.counts.at("steps"));
      // Local errors of size tol add up over a second of a motion that is not chaotic so soon.
      EXPECT_LT(error, 100 * std::stod(tol)) << method;
      EXPECT_LT(error, last_error / 3) << method << " " << tol;
      EXPECT_GT(steps, last_steps) << method;
      last_error = error, last_steps = steps;
    }
    EXPECT_GT(last_steps, 10);
  }
}

// On index 2 and 3 the estimate sees the motion alone; unfiltered, v̇ of the stages would hold the
// step down by the errors of the multipliers.
TEST(StepSizeControl, FollowsTheToleranceOnHigherIndex) {
  for (const char* formulation : {"index2", "index3", "ggl"})
    for (const char* method :
         {"esdirk_3_2_4l", "lms(2,1/2)", "bdf(3)", "bdf(5)", "generalized_alpha(1/2)"}) {
      if (formulation == std::string("ggl") && method == std::string("generalized_alpha(1/2)"))
        continue;  // needs q' = v
      double last_error = 1;
      for (const char* tol : {"1e-4", "1e-6"}) {
        const RunResult r = run(loop_request(method, formulation, "1/10", {{"control.tol", tol}}));
        ASSERT_EQ(r.status, "ok") << method << " " << formulation << ": " << r.why;
        const double error = r.measures.at("error_q");
        EXPECT_LT(error, 1000 * std::stod(tol)) << method << " " << formulation;
        EXPECT_LT(error, last_error / 3) << method << " " << formulation << " " << tol;
        last_error = error;
      }
    }
}

TEST(StepSizeControl, RefusesTolerancesBelowRoundOff) {
  for (const char* tol : {"0", "-1e-6", "1e-20"})
    EXPECT_THROW(run(loop_request("dormand_prince_5", "index1", "1/2", {{"control.tol", tol}})),
                 BadInput)
        << tol;
}

// Every controller reaches the end with errors of the size of the others', in steps of its own.
TEST(StepSizeControl, EveryControllerFollowsTheTolerance) {
  std::set<long> steps;
  for (const StepFilter& filter : step_filters()) {
    const RunResult r = run(loop_request("dormand_prince_5", "index1", "1/10",
                                         {{"control.tol", "1e-6"}, {"control.kind", filter.name}}));
    ASSERT_EQ(r.status, "ok") << filter.name;
    EXPECT_LT(r.measures.at("error_q"), 1e-4) << filter.name;
    steps.insert(r.counts.at("steps"));
  }
  EXPECT_GT(steps.size(), 2u) << "controllers that all make the same steps are one";
}

/// On index 1, where the estimates of q and v both count.
RunResult with_tolerances(std::map<std::string, std::string> tolerances) {
  tolerances["control.tol"] = "1e-6";
  return run(loop_request("dormand_prince_5", "index1", "1/10", std::move(tolerances)));
}

TEST(StepSizeControl, TolerancesOfTheirOwnForPositionsAndVelocities) {
  const RunResult plain = with_tolerances({});
  // The same tolerances given one by one are the same run.
  const RunResult same = with_tolerances({{"control.atol.position", "1e-6"},
                                          {"control.rtol.position", "1e-6"},
                                          {"control.atol.angle", "1e-6"},
                                          {"control.rtol.angle", "1e-6"},
                                          {"control.atol.velocity", "1e-6"},
                                          {"control.rtol.velocity", "1e-6"}});
  EXPECT_EQ(same.q, plain.q);
  EXPECT_EQ(same.counts, plain.counts);
  // No bound on velocities leaves positions to decide, and the other way round: fewer steps than
  // with both, and one of them as many or nearly.
  const RunResult position =
      with_tolerances({{"control.atol.velocity", "1e6"}, {"control.rtol.velocity", "0"}});
  const std::map<std::string, std::string> no_bound = {{"control.atol.position", "1e6"},
                                                       {"control.rtol.position", "0"},
                                                       {"control.atol.angle", "1e6"},
                                                       {"control.rtol.angle", "0"}};
  const RunResult velocity = with_tolerances(no_bound);
  const auto steps = [](const RunResult& r) { return r.counts.at("steps"); };
  EXPECT_LE(steps(position), steps(plain));
  EXPECT_LE(steps(velocity), steps(plain));
  EXPECT_NE(steps(position), steps(velocity));
  // A relative tolerance of zero asks for more than one beside the same absolute one.
  EXPECT_GE(steps(with_tolerances({{"control.rtol.velocity", "0"}})), steps(plain));
  EXPECT_GT(
      steps(with_tolerances({{"control.atol.velocity", "1e-9"}, {"control.rtol.velocity", "0"}})),
      steps(plain));
}

// Multipliers take part on index 2 and 3 alone.
TEST(StepSizeControl, TolerancesOfMultipliers) {
  const auto steps = [](const char* formulation, const char* tolerance) {
    const RunResult r = run(loop_request("esdirk_3_2_4l", formulation, "1/10",
                                         {{"control.tol", "1e-4"},
                                          {"control.algebraic", "full"},
                                          {"control.atol.multiplier", tolerance},
                                          {"control.rtol.multiplier", "0"}}));
    EXPECT_EQ(r.status, "ok") << r.why;
    return r.counts.at("steps");
  };
  EXPECT_GT(steps("index2", "1e-5"), steps("index2", "1e3"));
  EXPECT_EQ(steps("index1", "1e-5"), steps("index1", "1e3"));
}

// 1.2 times the tolerance: what else would be rejected is kept.
TEST(StepSizeControl, AcceptanceBeyondTheToleranceRejectsLess) {
  const auto rejected = [](const char* accept) {
    return run(loop_request("dormand_prince_5", "index1", "1/2",
                            {{"control.tol", "1e-8"},
                             {"control.kind", "i"},
                             {"control.safety", "1"},
                             {"control.accept", accept}}))
        .counts.at("rejected_steps");
  };
  EXPECT_LT(rejected("1.2"), rejected("1"));
}

TEST(StepSizeControl, RejectsStepsThatAreTooLarge) {
  const RunResult r = run(loop_request("dormand_prince_5", "index1", "1/2",
                                       {{"control.tol", "1e-8"}, {"control.first", "1/2"}}));
  ASSERT_EQ(r.status, "ok");
  EXPECT_GT(r.counts.at("rejected_steps"), 0);
  const RunResult most = run(loop_request("dormand_prince_5", "index1", "1/2",
                                          {{"control.tol", "1e-2"}, {"control.most", "1/100"}}));
  EXPECT_GE(most.counts.at("steps"), 100);
  const RunResult least = run(loop_request("dormand_prince_5", "index1", "1/2",
                                           {{"control.tol", "1e-14"}, {"control.least", "1/20"}}));
  EXPECT_EQ(least.status, "step_limit");
  EXPECT_THAT(least.why, HasSubstr("control.least"));
}

TEST(StepSizeControl, IsRefusedWithTheReason) {
  EXPECT_THAT(
      [] {
        run(loop_request("lms(3,0)", "index1", "1/10", {{"control.tol", "1e-6"}}));
      },
      ThrowsMessage<BadInput>(HasSubstr("constant step")));
  EXPECT_THAT(
      [] {
        run(loop_request("radau_ia(2)", "index1", "1/10", {{"control.tol", "1e-6"}}));
      },
      ThrowsMessage<BadInput>(HasSubstr("no embedded formula")));
  EXPECT_THAT(
      [] {
        run(loop_request("erk4", "index1", "1/10", {{"control.most", "1"}}));
      },
      ThrowsMessage<BadInput>(HasSubstr("need control.tol")));
}

// Three iterations are too few for a step of 1/10 and enough for its quarters.
TEST(Retry, HalvesAStepThatFails) {
  std::map<std::string, std::string> settings = {
      {"newton.max", "4"}, {"newton.rescue", "off"}, {"newton.tol", "strict"}};
  const RunResult failed = run(loop_request("radau_iia(2)", "index1", "1/5", settings));
  EXPECT_EQ(failed.status, "newton_diverged");
  settings["retry"] = "8";
  const RunResult r = run(loop_request("radau_iia(2)", "index1", "1/5", settings));
  ASSERT_EQ(r.status, "ok") << r.why;
  EXPECT_EQ(r.t, 1);
  EXPECT_GT(r.counts.at("rejected_steps"), 0);
  EXPECT_GT(r.counts.at("steps"), 5);
  EXPECT_THAT([&] { run(loop_request("lms(3,0)", "index1", "1/10", settings)); },
              ThrowsMessage<BadInput>(HasSubstr("constant step")));
}

}  // namespace
}  // namespace daemark
