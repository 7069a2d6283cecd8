// Stages whose positions have coefficients of their own (B̄ ≠ B²): one Newmark step, written out.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/stages/stage_system.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

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

}  // namespace
}  // namespace daemark
