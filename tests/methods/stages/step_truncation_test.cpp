// Newton's iteration that stops by the step (newton.tol=step, the default): the errors of a run are
// those of a strict iteration, with less work and without ends at round-off.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "analysis/run/run.hpp"
#include "methods/stages/stage_system.hpp"
#include "methods/stages/weighted_sum.hpp"
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

// Newton's iteration where a mechanism passes singular positions: what rounding leaves of its
// increments there is no divergence, so that a smaller step does not fail where a larger one works.

RunResult row_of_bars(const char* formulation, const char* method, const char* h) {
  RunRequest r = test::run_request("four_bar(loops=1)", formulation, method, h, "3");
  r.errors = true;
  return run(r);
}

// Six passages to t = 3. Errors of q fall with the order there, or to a floor that the passages
// leave.
TEST(NearSingular, SmallerStepsDoNotFail) {
  struct Case {
    const char *formulation, *method;
    double order;
  };
  for (const auto& [formulation, method, order] :
       {Case{"ggl", "radau_iia(3)", 5}, Case{"index2", "radau_iia(3)", 5},
        Case{"index3", "radau_iia(3)", 5}, Case{"ggl", "gauss(2)", 2},
        Case{"index2", "gauss(2)", 4}}) {
    double last = 0;
    for (const char* h : {"1/100", "1/200", "1/500", "1/1000", "1/2000", "1/4000"}) {
      SCOPED_TRACE(std::string(formulation) + " " + method + " " + h);
      const RunResult found = row_of_bars(formulation, method, h);
      ASSERT_EQ(found.status, "ok") << found.why;
      const double error = found.measures.at("error_q");
      constexpr double floor = 1e-8;
      if (last > 0) {
        EXPECT_LT(error, std::max(floor, last * std::pow(0.5, order - 0.5)));
      }
      last = error;
    }
  }
}

// An iteration that does not converge is not excused: Gauss methods on index 3 lose their
// multipliers, and with them the motion.
TEST(NearSingular, FailuresOfTheMethodStayFailures) {
  EXPECT_NE(row_of_bars("index3", "gauss(2)", "1/100").status, "ok");
}

// Stages whose positions have coefficients of their own (B̄ ≠ B²): one Newmark step, written out.

struct Newmark {
  const char *gamma, *beta;
};

/// One step of `h` on the pendulum with index 3; checks what defines it and returns the iterations.
template <class S>
long check_step(const Newmark& newmark, const S& h, double tolerance) {
  test::MethodBench<S> bench("pendulum", "index3", "radau_iia(2)", "1/100", "1/10");
  const int n = bench.coordinates();
  const wide gamma(newmark.gamma), beta(newmark.beta);
  const S g = from_wide<S>(gamma), b = from_wide<S>(beta);
  StageCoefficients coefficients(DenseMatrix<wide>{{gamma}});
  coefficients.position = {{beta}};
  NewtonSettings settings;
  settings.tol = tolerance;
  StageSystem<S> stage(bench.cell.target(), coefficients, settings);
  const State<S>& start = bench.initial;
  for (int i = 0; i < n; ++i) {
    const S q = start.y[i], v = start.y[n + i], a = start.rate[n + i];
    stage.base(0)[i] = q + h * v + h * h * (S(1) / S(2) - b) * a;
    stage.base(0)[n + i] = v + h * (S(1) - g) * a;
    stage.rate(0)[n + i] = a;
  }
  stage.y(0)[2 * n] = start.y[2 * n];
  stage.time(0) = h;
  Counts counts;
  const StepReport report = stage.solve(h, counts);
  EXPECT_EQ(report.status, Status::ok) << report.why;
  // Sums of three terms of size 10; corrections in extended precision are summed in double, to a
  // thousandth of the tolerance.
  const double roundings = 20 * unit_roundoff<S>() + tolerance / 1000;
  const S *y = stage.y(0), *rate = stage.rate(0);
  for (int i = 0; i < n; ++i) {
    const S a = rate[n + i];
    EXPECT_NEAR(to_double(S(y[i] - stage.base(0)[i] - h * h * b * a)), 0, roundings);
    EXPECT_NEAR(to_double(S(y[n + i] - stage.base(0)[n + i] - h * g * a)), 0, roundings);
    EXPECT_EQ(rate[i], y[n + i]);
    EXPECT_GT(std::abs(to_double(S(a - start.rate[n + i]))), 1e-6) << "the step moves";
  }
  std::vector<S> r(bench.cell.system->unknowns());
  bench.cell.system->evaluate({y, rate, h}, r.data(), nullptr, nullptr);
  // The last increment of a converging iteration bounds the error of the unknowns; rows have
  // entries up to 10.
  for (const S& x : r) EXPECT_LE(std::abs(to_double(x)), 100 * (tolerance + unit_roundoff<S>()));
  return counts.newton_iterations;
}

// With B² in place of B̄ in the matrix the iteration would contract by |1 − B̄/B²| only: 1/3 for
// Fox-Goodwin's 1/12, 1/4, hence some 25 iterations to 1e-13.
TEST(PositionCoefficients, NewmarkStepConvergesQuadratically) {
  for (const Newmark& newmark : {Newmark{"0.5", "0.25"}, Newmark{"0.5", "0.0833333333333333333333"},
                                 Newmark{"0.6", "0.3025"}}) {
    EXPECT_LE(check_step<double>(newmark, 0.05, 1e-12), 6) << newmark.beta;
    EXPECT_LE(check_step<real50>(newmark, real50(1) / 20, 1e-28), 9) << newmark.beta;
  }
}

// Entries are summed over the rows in their order, so a plain loop gives the same bits.
TEST(WeightedSum, IsThePlainSumForAnyLength) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int rows = 5, stride = 16;
  std::vector<double> source(rows * stride), base(stride), weights(rows);
  for (auto* list : {&source, &base, &weights})
    for (double& x : *list) x = uniform(generator);
  const std::vector<int> offsets{3 * stride, 0, 4 * stride};
  for (int length = 0; length < stride; ++length) {
    std::vector<double> sum(stride, 7.0), sparse = sum;
    weighted_sum(sum.data(), base.data(), weights.data(), source.data(), stride, rows, length);
    sparse_weighted_sum(sparse.data(), base.data(), weights.data(), offsets.data(), source.data(),
                        3, length);
    for (int k = 0; k < stride; ++k) {
      double expected = base[k], expected_sparse = base[k];
      for (int j = 0; j < rows; ++j) expected += weights[j] * source[j * stride + k];
      for (int j = 0; j < 3; ++j) expected_sparse += weights[j] * source[offsets[j] + k];
      EXPECT_EQ(sum[k], k < length ? expected : 7.0) << length;
      EXPECT_EQ(sparse[k], k < length ? expected_sparse : 7.0) << length;
    }
  }
}

}  // namespace
}  // namespace daemark
