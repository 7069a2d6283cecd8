// Radau IIA, Gauss and Lobatto IIIC with step-size control on mechanisms: what it promises of
// errors, values inside steps, its memory, and whom it refuses.
#include "methods/collocation/collocation_stepper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using Texts = std::map<std::string, std::string>;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

RunRequest request(const std::string& problem, const std::string& formulation,
                   const std::string& method, const std::string& t_end, Texts settings) {
  RunRequest r = test::run_request(problem, formulation, method, t_end, t_end, std::move(settings));
  r.errors = true;
  return r;
}

struct Case {
  const char *problem, *t_end;
};
const Case cases[] = {{"pendulum", "2"},
                      {"andrews_squeezer(start=ivp,coordinates=absolute)", "1/100"},
                      {"two_link", "1"},
                      {"double_pendulum", "1"}};

// Errors of steps add up over the motion: to at most 30 tolerances on motions that do not part
// neighbours, of any order and on every formulation. An estimate that says nothing (where γ were
// the real eigenvalue that even numbers of stages do not have) would give errors of the size of the
// motion.
TEST(CollocationControl, ErrorsAreOfTheSizeOfTheTolerance) {
  const std::pair<const char*, const char*> methods[] = {
      {"radau_iia(3)", "fixed"}, {"radau_iia(5)", "fixed"}, {"radau_iia(3)", "varied"},
      {"gauss(3)", "fixed"},     {"gauss(4)", "fixed"},     {"lobatto_iiic(4)", "fixed"},
      {"radau_iia(4)", "fixed"}};
  for (const Case& one : cases)
    for (const char* formulation : {"index1", "index2", "ggl", "index3"})
      for (const auto& [method, order] : methods) {
        const std::string form = formulation;
        if (std::string(method).starts_with("gauss") && (form == "ggl" || form == "index3"))
          continue;
        SCOPED_TRACE(std::string(one.problem) + " " + formulation + " " + method + " " + order);
        std::vector<double> errors;
        for (const char* tol : {"1e-3", "1e-5", "1e-7"}) {
          const RunResult r = run(request(one.problem, formulation, method, one.t_end,
                                          {{"control.tol", tol}, {"control.order", order}}));
          ASSERT_EQ(r.status, "ok") << tol << " " << r.why;
          const double error = r.measures.at("error_q");
          EXPECT_LT(error, 30 * std::stod(tol)) << tol;
          errors.push_back(error);
        }
        EXPECT_LT(errors.back(), errors.front() / 10);
      }
}

// Factors are in double, stages and their sums are not.
TEST(CollocationControl, KeepsTolerancesBelowDouble) {
  for (const auto& [formulation, method] : {std::pair("index1", "gauss(12)"),
                                            {"index1", "radau_iia(16)"},
                                            {"index2", "radau_iia(12)"},
                                            {"ggl", "radau_iia(12)"},
                                            {"index3", "radau_iia(12)"},
                                            {"index3", "lobatto_iiic(12)"}}) {
    RunRequest r = request("pendulum", formulation, method, "1", {{"control.tol", "1e-32"}});
    r.precision = Precision::in_real50;
    const RunResult found = run(r);
    ASSERT_EQ(found.status, "ok") << method << " " << formulation << " " << found.why;
    EXPECT_LT(found.measures.at("error_q"), 30e-32) << method << " " << formulation;
    EXPECT_LT(found.counts.at("steps"), 200) << method << " " << formulation;
  }
}

// What is left of Newton's increments to positions on the level of Φ is round-off over the step: at
// a tolerance near it, small first steps still end.
TEST(CollocationControl, TightTolerancesStart) {
  for (const char* formulation : {"index1", "index2", "ggl", "index3"}) {
    const RunResult r = run(request("andrews_squeezer(start=ivp,coordinates=absolute)", formulation,
                                    "radau_iia(5)", "1/100", {{"control.tol", "1e-10"}}));
    ASSERT_EQ(r.status, "ok") << formulation << " " << r.why;
    EXPECT_LT(r.measures.at("error_q"), 30e-10) << formulation;
  }
}

// Steps end on their constraints, on every level the formulation gives up.
TEST(CollocationControl, StepEndsLieOnTheirConstraints) {
  const auto violations = [](const char* formulation, Texts settings) {
    settings["control.tol"] = "1e-5";
    return run(request("two_link", formulation, "radau_iia(3)", "1", std::move(settings))).measures;
  };
  const auto index2 = violations("index2", {{"project", "position"}});
  for (const auto& measures : {index2, violations("ggl", {}), violations("index3", {})}) {
    EXPECT_LT(measures.at("position_violation_max"), 1e-7);
    EXPECT_LT(measures.at("velocity_violation_max"), 1e-7);
  }
}

// Output points cut no steps where values inside are as good as step ends: not on GGL. What the
// values are: tests/conformance/convergence_conformance_test.cpp.
TEST(CollocationControl, OutputPointsCutNoSteps) {
  for (const char* formulation : {"index1", "index2", "ggl", "index3"}) {
    RunRequest whole =
        request("two_link", formulation, "radau_iia(3)", "1", {{"control.tol", "1e-6"}});
    RunRequest fine = whole;
    fine.h = Expression::parse("1/64", "h");
    const RunResult once = run(whole), often = run(fine);
    ASSERT_EQ(often.status, "ok") << often.why;
    if (std::string(formulation) == "ggl")
      EXPECT_GE(often.counts.at("steps"), 64);
    else
      EXPECT_EQ(often.counts.at("steps"), once.counts.at("steps")) << formulation;
  }
}

// Of a pendulum on index 3 at a tight tolerance, where the order varies: v and λ at output points
// as at step ends.
TEST(CollocationControl, VelocitiesAndMultipliersAtOutputPoints) {
  RunRequest r = request("pendulum", "index3", "radau_iia(3)", "1",
                         {{"control.tol", "1e-10"}, {"control.order", "varied"}});
  r.h = Expression::parse("1/100", "h");
  r.history_every = 1;
  const RunResult found = run(r);
  ASSERT_EQ(found.status, "ok") << found.why;
  const Problem pendulum = problem_registry().make("pendulum");
  for (const std::size_t k : {13U, 50U, 77U}) {
    const ReferenceState state =
        reference_states(pendulum, {std::to_string(k) + "/100"}, 20).front();
    EXPECT_NEAR(found.history.v[k][0], static_cast<double>(state.v[0]), 1e-9);
    EXPECT_NEAR(found.history.lambda[k][0], static_cast<double>(state.lambda[0]), 1e-7);
  }
}

TEST(CollocationControl, DenseOutputIsRefusedWhereThereIsNone) {
  for (const char* formulation : {"index1", "index2", "ggl"}) {
    RunRequest r = request("two_link", formulation, "radau_iia(3)", "1/4",
                           {{"control.tol", "1e-6"}, {"control.output", "inside"}});
    if (std::string(formulation) == "ggl")
      EXPECT_THROW(run(r), BadInput);
    else
      EXPECT_EQ(run(r).status, "ok") << formulation;
  }
}

TEST(CollocationControl, MemoryIsCompleteAndAttemptsLeaveIt) {
  for (const char* formulation : {"index1", "index2", "ggl", "index3"}) {
    test::MethodBench<double> bench("two_link", formulation, "radau_iia(3)", "1/64", "1",
                                    {{"control.tol", "1e-6"}, {"control.order", "varied"}});
    const auto stepper = bench.started(), other = bench.started();
    for (int i = 0; i < 15; ++i) {
      ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
      stepper->accept();
    }
    const std::vector<double> memory = stepper->memory();
    const State<double> at = stepper->state();
    ASSERT_EQ(stepper->attempt(bench.step()).status, Status::ok);
    EXPECT_EQ(stepper->memory(), memory) << formulation;
    EXPECT_NE(stepper->attempt(1e200).status, Status::ok);
    EXPECT_EQ(stepper->memory(), memory) << formulation;
    other->start(at, bench.step());
    other->set_memory(memory);
    EXPECT_EQ(other->memory(), memory) << formulation;
    for (int i = 0; i < 5; ++i)
      for (Stepper<double>* one : {stepper.get(), other.get()}) {
        ASSERT_EQ(one->attempt(bench.step()).status, Status::ok);
        one->accept();
      }
    for (std::size_t i = 0; i < at.y.size(); ++i)
      EXPECT_NEAR(stepper->state().y[i], other->state().y[i],
                  1e-9 * (1 + std::abs(other->state().y[i])))
          << formulation;
  }
}

// A chart that moves along, dependent positions of rotations, a stiff beam: the matrix is split
// where the inertia alone does not serve.
TEST(CollocationControl, RotationsAndStiffMechanisms) {
  for (const char* formulation : {"index1", "index2", "index3"}) {
    const RunResult top = run(request("heavy_top", formulation, "radau_iia(3)", "1/10",
                                      {{"control.tol", "1e-6"}, {"control.order", "varied"}}));
    ASSERT_EQ(top.status, "ok") << formulation << " " << top.why;
    EXPECT_LT(top.measures.at("error_q"), 30e-6) << formulation;
  }
}

TEST(CollocationControl, RefusesWhatItCannotDo) {
  const auto refused = [](const char* problem, const char* formulation, const char* method,
                          Texts settings, const char* why) {
    EXPECT_THAT([&] { run(request(problem, formulation, method, "1", std::move(settings))); },
                ThrowsMessage<BadInput>(HasSubstr(why)));
  };
  const Texts control = {{"control.tol", "1e-6"}};
  refused("two_link", "elimination", "radau_iia(3)", control, "accepted: ");
  refused("vertical_disk", "index2", "radau_iia(3)", control, "velocity level");
  refused("two_link", "index1", "radau_ia(2)", control, "no embedded");
  for (const char* formulation : {"ggl", "index3"})
    refused("two_link", formulation, "gauss(3)", control, "off the constraints");
  refused("two_link", "index1", "radau_iia(3)", {{"control.order", "varied"}}, "needs control.tol");
  refused("two_link", "index1", "dormand_prince_5",
          {{"control.tol", "1e-6"}, {"control.order", "varied"}}, "has one order");
  for (const char* formulation : {"index2", "index3"})
    refused("two_link", formulation, "sdirk_4", control, "stages have order 1");
  for (const char* tol : {"0", "-1e-6", "1e-17"})
    refused("two_link", "index1", "radau_iia(3)", {{"control.tol", tol}}, "control.tol");
}

}  // namespace
}  // namespace daemark
