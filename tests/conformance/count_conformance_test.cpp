// What a method counts of itself is what it does: evaluations and derivatives counted by the
// mechanism, factorisations by the tally of linear algebra, for every method of the catalogue on
// every formulation it accepts.
#include <gtest/gtest.h>

#include "base/linear/lu_tally.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/counted_mechanism.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

struct WorkCounts {
  long residuals, jacobians, factorizations;
};

struct CountedRun {
  Status status = Status::ok;
  long steps = 0;
  WorkCounts counted{}, executed{};
};

/// The bench's run on the same equations of a mechanism that counts.
CountedRun count_steps(test::MethodBench<double>& bench, int steps) {
  test::EvaluationTally tally;
  const auto mechanism = std::make_shared<test::CountedMechanism>(bench.cell.mechanism, tally);
  const auto system = formulate<double>(bench.setup.formulation, mechanism, bench.setup.h);
  Target<double> target = bench.cell.target();
  target.system = target.factor_system = system.get();
  target.mechanism = target.factor_mechanism = mechanism.get();
  const auto stepper = bench.setup.method->stepper(target, bench.setup.settings);
  tally = {};
  LuTally linear;
  CountedRun run;
  stepper->start(bench.initial, bench.step());
  while (run.steps < steps && run.status == Status::ok) {
    run.status = stepper->step().status;
    ++run.steps;
  }
  const Counts& c = stepper->counts();
  run.counted = {c.residual_evals, c.jacobian_evals, c.factorizations};
  run.executed = {tally.residual, tally.jacobian, static_cast<long>(linear.factorizations)};
  return run;
}

bool takes_counted(const Method& method, const Formulation& formulation,
                   const std::string& problem) {
  const FormulationInfo& info = formulation.info;
  const Problem made = problem_registry().make(problem);
  if (info.minimal && !made.has_minimal()) return false;
  return method.refusal(traits_of(info, *made.make<double>(info.minimal))).empty();
}

class CountConformance : public ::testing::TestWithParam<std::string> {};

// Constant and varying mass, one multiplier and several, rotations on a chart.
const std::vector<std::string> counted_problems{"pendulum", "two_link", "double_pendulum",
                                                "heavy_top"};

/// Runs that end after as many steps, over all problems and formulations the method takes.
int compare_counts(const std::string& call, const std::map<std::string, std::string>& settings) {
  const auto method = method_registry().make(call);
  int compared = 0;
  for (const std::string& problem : counted_problems)
    for (const Formulation& formulation : test::formulation_samples()) {
      // Its index-1 solve is an iteration, and counted as one evaluation.
      if (formulation.info.id == "substituted") continue;
      if (!takes_counted(*method, formulation, problem)) continue;
      SCOPED_TRACE(problem + " " + formulation.name());
      std::unique_ptr<test::MethodBench<double>> bench;
      try {
        bench = std::make_unique<test::MethodBench<double>>(problem, formulation.name(), call,
                                                            "1/128", "1", settings);
      } catch (const BadInput&) {  // a setting that it does not take
        continue;
      }
      const CountedRun run = count_steps(*bench, 12);
      EXPECT_EQ(run.counted.residuals, run.executed.residuals);
      EXPECT_EQ(run.counted.jacobians, run.executed.jacobians);
      // Elimination factors G in an evaluation; the algebra of null spaces is dense.
      if (formulation.info.id != "elimination" && call.find("null_space") == std::string::npos) {
        EXPECT_EQ(run.counted.factorizations, run.executed.factorizations);
      }
      compared += run.status == Status::ok && run.steps == 12;
    }
  return compared;
}

TEST_P(CountConformance, CountedIsExecuted) {
  if (method_registry().make(GetParam())->owns_loop())
    GTEST_SKIP() << "its counts are those of SUNDIALS";
  EXPECT_GT(compare_counts(GetParam(), {}), 0) << "no problem here is one the method takes";
  compare_counts(GetParam(), {{"control.tol", "1e-6"}});
  compare_counts(GetParam(), {{"project", "both"}});
  compare_counts(GetParam(), {{"newton.kind", "simplified"}});
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CountConformance,
                         ::testing::ValuesIn(test::method_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

}  // namespace
}  // namespace daemark
