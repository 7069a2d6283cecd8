#include "methods/runge_kutta/runge_kutta_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/method_bench.hpp"
#include "tests/support/sample_mechanisms.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

using test::MethodBench;
using test::Simulation;

// Whatever solves the stage equations, the stages are the same up to the tolerance.
TEST(RungeKuttaStepper, SolverSettingsDoNotChangeTheSolution) {
  const std::map<std::string, std::string> variants[] = {
      {{"newton.kind", "simplified"}},
      {{"newton.kind", "simplified"}, {"newton.reuse", "5"}, {"predictor", "extrapolated"}},
      {{"predictor", "extrapolated"}},
      {{"newton.norm", "two"}}};
  for (const char* method : {"pade_block(4,2)", "radau_iia(3)", "gauss(2)", "sdirk_3", "tr_bdf2",
                             "lobatto_iiic(3)", "pade_block(r=2,k=1)"}) {
    for (const char* formulation : {"index1", "index2", "ggl", "minimal"}) {
      SCOPED_TRACE(std::string(method) + " on " + formulation);
      std::map<std::string, std::string> tight{{"newton.tol", "1e-24"}};
      MethodBench<real50> plain("two_link", formulation, method, "1/64", "1", tight);
      const auto expected = plain.started();
      for (int i = 0; i < 6; ++i) ASSERT_EQ(expected->step().status, Status::ok);
      for (auto variant : variants) {
        variant.insert(tight.begin(), tight.end());
        MethodBench<real50> bench("two_link", formulation, method, "1/64", "1", variant);
        const auto stepper = bench.started();
        for (int i = 0; i < 6; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
        // Six steps pass on what the tolerance on ẏ leaves, a factor of some hundred in λ.
        for (std::size_t i = 0; i < expected->state().y.size(); ++i)
          EXPECT_NEAR(to_double(real50(expected->state().y[i] - stepper->state().y[i])), 0, 1e-21)
              << i;
      }
    }
  }
}

TEST(RungeKuttaStepper, SimplifiedNewtonSavesJacobians) {
  MethodBench<double> full("two_link", "index1", "radau_iia(3)", "1/100", "1");
  MethodBench<double> simplified("two_link", "index1", "radau_iia(3)", "1/100", "1",
                                 {{"newton.kind", "simplified"}});
  const auto a = full.started(), b = simplified.started();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(a->step().status, Status::ok);
    ASSERT_EQ(b->step().status, Status::ok);
  }
  EXPECT_EQ(b->counts().jacobian_evals, 20);
  // One matrix in each of 3 stages and iterations, and at least two iterations a step: the first
  // guess keeps the acceleration of a moving mechanism over h, whose increment is far above 1e-10.
  EXPECT_EQ(a->counts().jacobian_evals, 3 * a->counts().newton_iterations);
  EXPECT_GE(a->counts().newton_iterations, 2 * 20);
}

// A tolerance of 1e-6 on ẏ is to leave 1e-6 in q after 10 s, too: what an iteration leaves in a
// step is a small part of the tolerance, because steps add it up.
TEST(RungeKuttaStepper, SimplifiedNewtonLeavesAPartOfTheTolerance) {
  std::map<std::string, std::string> settings{
      {"newton.kind", "simplified"}, {"newton.tol", "1e-6"}, {"predictor", "extrapolated"}};
  MethodBench<double> loose("two_link", "index1", "gauss(8)", "1/50", "10", settings);
  settings["newton.tol"] = "1e-12";
  MethodBench<double> tight("two_link", "index1", "gauss(8)", "1/50", "10", settings);
  const auto a = loose.started(), b = tight.started();
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(a->step().status, Status::ok);
    ASSERT_EQ(b->step().status, Status::ok);
  }
  double squares = 0;
  for (int i = 0; i < 6; ++i) squares += std::pow(a->state().y[i] - b->state().y[i], 2);
  EXPECT_LE(std::sqrt(squares), 1e-6);
  EXPECT_LT(2 * a->counts().newton_iterations, b->counts().newton_iterations);
}

// After a solution in double each correction gains what double factors know, some 13 digits: a
// single one in wide scalars, which an increment below 1e-12 is, leaves 1e-12 times 1e-13.
TEST(RungeKuttaStepper, ExtendedPrecisionNeedsFewWideCorrections) {
  const auto run_to = [](const char* tolerance, long& iterations) {
    MethodBench<real50> bench("two_link", "index1", "gauss(4)", "1/100", "1",
                              {{"newton.tol", tolerance}});
    const auto stepper = bench.started();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(stepper->step().status, Status::ok);
    iterations = stepper->counts().newton_iterations;
    return stepper->state().y;
  };
  long one = 0, more = 0;
  const auto a = run_to("1e-12", one), b = run_to("1e-28", more);
  EXPECT_GE(more, one + 100);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(to_double(real50(a[i] - b[i])), 0, 1e-24) << i;
}

// Fehlberg's stage 11 serves the error estimate only. The first stage is the last evaluation of the
// step before: where the last stage is the step end, that stage.
TEST(RungeKuttaStepper, StagesThatNothingUsesAreLeftOut) {
  const std::pair<const char*, int> evaluations[] = {
      {"fehlberg_8", 12},      {"verner_8", 12},          {"cooper_verner_8", 11},
      {"dormand_prince_5", 6}, {"bogacki_shampine_3", 3}, {"erk4", 4}};
  for (const auto& [method, a_step] : evaluations) {
    MethodBench<double> bench("two_link", "index1", method, "1/100", "1");
    const auto stepper = bench.started();
    for (int i = 0; i < 10; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
    EXPECT_EQ(stepper->counts().residual_evals, 10 * a_step) << method;
  }
}

/// A stepper of the method that solves for the rate at each step end, whatever its last stage says.
template <class S>
std::unique_ptr<Stepper<S>> solving_again(MethodBench<S>& bench) {
  RungeKuttaForm form = *bench.setup.method->template as<RungeKuttaForm>();
  form.first_same_as_last = false;
  auto stepper = runge_kutta_method(form)->stepper(bench.cell.target(), bench.setup.settings);
  stepper->start(bench.initial, bench.step());
  return stepper;
}

// Each attempt is one evaluation cheaper where the last stage's rate is carried, every bit stays:
// with attempts that are dropped, other step sizes, charts, a return to an earlier memory.
template <class S>
void expect_same_bits(const char* problem, const char* formulation, const char* method) {
  SCOPED_TRACE(std::string(method) + " on " + problem + ", " + formulation);
  MethodBench<S> first(problem, formulation, method, "1/128", "1", {{"control.tol", "1e-6"}});
  MethodBench<S> second(problem, formulation, method, "1/128", "1", {{"control.tol", "1e-6"}});
  const auto carried = first.started(), solved = solving_again(second);
  const S h = first.step();
  int attempts = 0;
  const auto attempt = [&](const S& step) {
    ++attempts;
    ASSERT_EQ(carried->attempt(step).status, Status::ok);
    ASSERT_EQ(solved->attempt(step).status, Status::ok);
    EXPECT_EQ(carried->error_estimate(), solved->error_estimate());
  };
  std::vector<S> memory;
  for (int i = 0; i < 8; ++i) {
    if (i % 3 == 1) attempt(2 * h);
    attempt(i % 2 == 0 ? h : S(h / 2));
    carried->accept(), solved->accept();
    EXPECT_EQ(carried->state().y, solved->state().y);
    EXPECT_EQ(carried->state().rate, solved->state().rate);
    EXPECT_EQ(carried->memory(), solved->memory());
    if (i == 3) memory = carried->memory();
    if (i == 5) carried->set_memory(memory), solved->set_memory(memory);
  }
  EXPECT_EQ(solved->counts().residual_evals, carried->counts().residual_evals + attempts);
  EXPECT_EQ(solved->counts().factorizations, carried->counts().factorizations + attempts);
}

TEST(RungeKuttaStepper, FirstSameAsLastChangesCountsOnly) {
  for (const char* method : {"dormand_prince_5", "bogacki_shampine_3"}) {
    for (const char* formulation :
         {"index1", "minimal", "baumgarte(alpha=5,beta=5)", "elimination", "substituted(c=1)"})
      expect_same_bits<double>("two_link", formulation, method);
    expect_same_bits<double>("heavy_top", "index1", method);
    expect_same_bits<real50>("two_link", "index1", method);
  }
}

TEST(RungeKuttaStepper, TimeHasNoDriftAndDrivesSeeIt) {
  const Problem problem = test::driven_rod().problem("driven_rod");
  Simulation<double> run(problem, "index3", "radau_iia(3)", wide(1) / 10);
  for (int i = 0; i < 30; ++i) ASSERT_EQ(run.run(1), Status::ok);
  EXPECT_EQ(run.stepper->state().t, 30 * 0.1) << "t0 + n h, not a running sum";
  const double t = 3, angle = run.stepper->state().y[2];
  EXPECT_NEAR(angle, 0.25 + 2 * t + (1 - std::cos(3 * t)) / 9, 1e-13);
}

// Continuing from a state at t ≠ 0: start() sets the clock, memory() the rest.
TEST(RungeKuttaStepper, ContinuesADrivenMotionFromItsMemory) {
  const Problem problem = test::driven_rod().problem("driven_rod");
  for (const char* predictor : {"constant", "extrapolated"})
    for (const char* method : {"radau_iia(3)", "pade_block(3,2)", "erk4", "gauss(2)"}) {
      const std::map<std::string, std::string> settings{{"predictor", predictor}};
      Simulation<real50> first(problem, "index1", method, wide(1) / 64, settings);
      Simulation<real50> second(problem, "index1", method, wide(1) / 64, settings);
      ASSERT_EQ(first.run(5), Status::ok);
      second.stepper->start(first.stepper->state(), real50(1) / 64);
      second.stepper->set_memory(first.stepper->memory());
      ASSERT_EQ(first.run(5), Status::ok);
      ASSERT_EQ(second.run(5), Status::ok);
      EXPECT_EQ(first.stepper->state().t, second.stepper->state().t);
      const auto& a = first.stepper->state().y;
      const auto& b = second.stepper->state().y;
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(to_double(real50(a[i] - b[i])), 0, 1e-22) << method;
    }
}

}  // namespace
}  // namespace daemark
