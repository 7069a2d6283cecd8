// What a method counts of itself is what it does: evaluations and derivatives counted by the
// mechanism, factorisations by the tally of linear algebra, for every method of the catalogue on
// every formulation it accepts.
#include <gtest/gtest.h>

#include <cmath>

#include "base/linear/lu_tally.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

struct EvaluationTally {
  long residual = 0, jacobian = 0;
};

/// Counts how it is evaluated, as the definition at Counts (methods/core/stepper.hpp) says it: from
/// outside, whatever a stepper counts of itself.
class CountedMechanism final : public MechanicalSystem<double> {
 public:
  /// Adds to `tally`, which must outlive it.
  CountedMechanism(std::shared_ptr<MechanicalSystem<double>> inner, EvaluationTally& tally)
      : MechanicalSystem<double>(*inner), inner_(std::move(inner)), tally_(tally) {}

  void evaluate(const MotionPoint<double>& point, const ConstraintWeights<double>& weights,
                const MotionValues<double>& out) override {
    count(point, out);
    inner_->evaluate(point, weights, out);
  }
  void multiplier_stiffness(const MotionPoint<double>& point, double* stiffness) override {
    inner_->multiplier_stiffness(point, stiffness);
  }
  std::shared_ptr<MechanicalSystem<double>> stiff_part() const override {
    auto part = inner_->stiff_part();
    return part ? std::make_shared<CountedMechanism>(std::move(part), tally_) : nullptr;
  }

  void guess_multipliers(double* lambda) const override { inner_->guess_multipliers(lambda); }
  void initial(double* q, double* v) const override { inner_->initial(q, v); }
  double kinetic_energy(const MotionPoint<double>& p) override { return inner_->kinetic_energy(p); }
  double potential_energy(const MotionPoint<double>& p) override {
    return inner_->potential_energy(p);
  }
  double work(const MotionPoint<double>& p) override { return inner_->work(p); }
  bool has_power() const override { return inner_->has_power(); }
  double power(const MotionPoint<double>& p) override { return inner_->power(p); }
  int chart_size() const override { return inner_->chart_size(); }
  std::vector<int> rotations() const override { return inner_->rotations(); }
  void initial_chart(double* chart) const override { inner_->initial_chart(chart); }
  void rebase(double* chart, const std::vector<ChartPoint<double>>& points) override {
    inner_->rebase(chart, points);
  }

 private:
  /// Derivatives alone, asked once more at a point, belong to those before.
  void count(const MotionPoint<double>& point, const MotionValues<double>& out) {
    const bool equations = out.residual || out.force || out.constraints();
    tally_.residual += equations;
    const bool here = same(point.t, point.q, point.v);
    if (out.derivatives() && (equations || !derived_ || !here)) ++tally_.jacobian;
    derived_ = out.derivatives();
  }

  /// Whether that is the point of the last call, to rounding. Becomes it.
  bool same(double t, const double* q, const double* v) {
    std::vector<double> now{t};
    now.insert(now.end(), q, q + coordinates());
    if (v) now.insert(now.end(), v, v + coordinates());
    bool equal = now.size() == at_.size();
    for (std::size_t k = 0; equal && k < now.size(); ++k)
      equal = std::abs(now[k] - at_[k]) <= 1e-14 * (1 + std::abs(now[k]));
    at_ = std::move(now);
    return equal;
  }

  std::shared_ptr<MechanicalSystem<double>> inner_;
  EvaluationTally& tally_;
  std::vector<double> at_;
  bool derived_ = false;  ///< by the last call
};

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
  EvaluationTally tally;
  const auto mechanism = std::make_shared<CountedMechanism>(bench.cell.mechanism, tally);
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
      if (!test::takes(*method, formulation, problem)) continue;
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
