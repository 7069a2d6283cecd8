// Values inside steps: Hermite's between step ends, published interpolants.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/inside_orders.hpp"
#include "analysis/orders/method_facts.hpp"
#include "analysis/run/run.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/loop/inside_steps.hpp"
#include "methods/runge_kutta/substep_high_order.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The largest error of q, v, λ at three places inside the first step, beside short steps to there.
std::array<double, 3> errors_inside(const std::string& method, const std::string& formulation,
                                    const std::string& h) {
  MethodBench<real50> bench("two_link", formulation, method, h, "1", {{"control.tol", "1e-3"}});
  const auto stepper = bench.started();
  InsideSteps<real50> inside(*bench.setup.method, *stepper, bench.cell.target());
  EXPECT_EQ(inside.orders().q, 6);
  inside.begin();
  EXPECT_EQ(stepper->step().status, Status::ok);
  std::array<double, 3> worst{};
  const int n = bench.coordinates(), size = static_cast<int>(bench.initial.y.size());
  for (const int place : {1, 3, 6}) {
    const real50 theta = real50(place) / real50(8);
    State<real50> at;
    inside.at(theta, at);
    MethodBench<real50> fine("two_link", formulation, "verner_8", h, "1");
    auto truth = fine.fresh();
    constexpr int parts = 32;
    truth->start(bench.initial, theta * bench.step() / real50(parts));
    for (int i = 0; i < parts; ++i) EXPECT_EQ(truth->step().status, Status::ok);
    for (int i = 0; i < size; ++i) {
      double& kind = worst[i < n ? 0 : i < 2 * n ? 1 : 2];
      kind = std::max(kind, std::abs(to_double(real50(at.y[i] - truth->state().y[i]))));
      if (i < 2 * n) {
        EXPECT_NEAR(to_double(real50(at.rate[i] - truth->state().rate[i])), 0, 1e-3) << i;
      }
    }
  }
  return worst;
}

// Degree 5 through q, v, a at both ends: q to h^6, v and with it λ to h^5.
TEST(DenseOutput, PositionsFallWithTheSixthPower) {
  for (const char* formulation : {"index1", "minimal", "elimination"}) {
    SCOPED_TRACE(formulation);
    const auto coarse = errors_inside("dormand_prince_5", formulation, "1/40"),
               fine = errors_inside("dormand_prince_5", formulation, "1/80");
    EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 6, 0.5);
    EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 5, 0.5);
    if (coarse[2] > 0) {
      EXPECT_GT(std::log2(coarse[2] / fine[2]), 4.5);
    }
  }
}

// On charts that carry more than orientations, and of methods whose steps are better than the
// interpolant, steps end at output points.
TEST(DenseOutput, IsNotThereWhereItWouldBeWrong) {
  const auto order = [](const char* problem, const char* method) {
    MethodBench<double> bench(problem, "index1", method, "1/100", "1");
    const auto stepper = bench.started();
    return InsideSteps<double>(*bench.setup.method, *stepper, bench.cell.target()).orders().q;
  };
  EXPECT_EQ(order("pendulum", "verner_8"), 0);
  EXPECT_EQ(order("heavy_top(coordinates=screw)", "bogacki_shampine_3"), 0);
  EXPECT_EQ(order("pendulum", "bogacki_shampine_3"), 6);
}

// On a chart of rotations the whole state comes through the change of chart at the end of a step:
// what is left is the error of the steps, of order 5.
TEST(DenseOutput, OnChartsOfRotations) {
  RunRequest r;
  r.problem = "heavy_top(coordinates=chart)", r.formulation = "index1";
  r.method = "dormand_prince_5", r.precision = Precision::in_real50;
  r.t_end = Expression::parse("1/20", "t");
  std::vector<Expression> h;
  for (const char* step : {"1/2000", "1/4000"}) h.push_back(Expression::parse(step, "h"));
  const std::vector<InsideErrors> found = errors_inside(r, h);
  ASSERT_EQ(found.size(), 2U);
  for (const char* error : {"error_q", "error_v", "error_lambda"}) {
    const double coarse = found[0].errors.at(error), fine = found[1].errors.at(error);
    EXPECT_GT(std::log(coarse / fine) / std::log(found[0].h / found[1].h), 4.5) << error;
  }
}

// With control, output points cost an evaluation each, and no step; values there are as good.
TEST(DenseOutput, OutputPointsCutNoSteps) {
  RunRequest r;
  r.problem = "two_link", r.formulation = "index1", r.method = "dormand_prince_5";
  r.t_end = Expression::parse("1", "t");
  r.settings = {{"control.tol", "1e-8"}};
  r.errors = true;
  r.h = r.t_end;
  const RunResult once = run(r);
  r.h = Expression::parse("1/1000", "h");
  const RunResult often = run(r);
  EXPECT_EQ(often.counts.at("steps"), once.counts.at("steps"));
  EXPECT_LE(often.counts.at("residual_evals"), once.counts.at("residual_evals") + 1000);
  EXPECT_NEAR(often.measures.at("error_q"), once.measures.at("error_q"), 1e-12);
}

// bathe, msstc, mssth: coefficients from their conditions.

const wide rounding("1e-95");

WideTableau tableau(const std::string& call) { return *method_registry().make(call)->tableau(); }

void expect_equal(const WideTableau& a, const WideTableau& b) {
  ASSERT_EQ(a.stages(), b.stages());
  for (int i = 0; i < a.stages(); ++i) {
    EXPECT_LT(abs(a.c[i] - b.c[i]), rounding);
    for (int j = 0; j < a.stages(); ++j) EXPECT_LT(abs(a.A[i][j] - b.A[i][j]), rounding) << i << j;
  }
}

TEST(Substeps, BatheIsMsstcOfTwo) {
  for (const char* rho : {"0", "1/3", "3/5", "1"})
    expect_equal(tableau("bathe(" + std::string(rho) + ")"),
                 tableau("msstc(n=2,rho=" + std::string(rho) + ")"));
}

TEST(Substeps, MsstcIsFlatOnTheAxisWithRadiusRho) {
  for (int n = 2; n <= 8; ++n)
    for (const char* rho : {"0", "3/5", "1"}) {
      const WideTableau t = tableau("msstc(n=" + std::to_string(n) + ",rho=" + rho + ")");
      const WideFunction R = stability_function(t);
      const wide r = static_cast<wide>(rational(rho));
      EXPECT_NEAR(modulus_at_infinity(t), to_double(r), 1e-15);
      EXPECT_EQ(linear_order(t), 2);
      // |N|² = |D|² − (1−ρ²)(γω)²ⁿ at a few frequencies.
      const auto square = [](const std::vector<wide>& p, const wide& omega) {
        wide re = 0, im = 0, power = 1;
        for (std::size_t j = 0; j < p.size(); ++j) {
          (j % 2 ? im : re) += (j % 4 < 2 ? 1 : -1) * p[j] * power;
          power *= omega;
        }
        return wide(re * re + im * im);
      };
      const wide gamma = t.A[1][1];
      for (const wide& omega : {wide(1) / 2, wide(3), wide(20)}) {
        const wide lost = (1 - r * r) * pow(wide(gamma * omega), 2 * n);
        EXPECT_LT(abs(square(R.num, omega) + lost - square(R.den, omega)),
                  rounding * square(R.den, omega))
            << n << rho;
      }
    }
}

TEST(Substeps, CheckDigitsOfMssth) {
  const auto near = [](const wide& x, const char* digits, const char* tolerance) {
    EXPECT_LT(abs(x - wide(digits)), wide(tolerance)) << x.str(25) << " " << digits;
  };
  const WideTableau three = tableau("mssth(3)"), four = tableau("mssth(4)"),
                    five = tableau("mssth(5)");
  near(three.A[1][1], "0.43586652150845899942", "1e-20");
  near(three.c[2], "0.60896663037711474985", "1e-20");
  near(four.A[1][1], "0.57281606248213485541", "1e-20");
  near(four.c[2], "0.55909857542294199422", "1e-20");
  near(four.c[3], "0.74140116648336137322", "1e-20");
  near(five.A[1][1], "0.27805384113645232493", "1e-20");
  near(five.c[3], "0.9673258605", "1e-9");  // an argmin known to its square root only
  near(five.c[4], "1.1401342632", "1e-10");
}

TEST(Substeps, OrderConditionsHoldForEveryRho) {
  for (int n = 3; n <= 5; ++n)
    for (const char* rho : {"0", "3/5", "1"})
      for (const char* id : {"mssth", "mssth_min"}) {
        const WideTableau t =
            tableau(std::string(id) + "(n=" + std::to_string(n) + ",rho=" + rho + ")");
        const MethodFacts facts = facts_of(t);
        EXPECT_EQ(facts.order, n) << id << n << rho;
        EXPECT_GE(facts.stage_order(), 2) << id << n << rho;
        EXPECT_NEAR(modulus_at_infinity(t), to_double(rational(rho)), 1e-15) << id << n << rho;
        EXPECT_EQ(linear_order(t), n);
      }
}

TEST(Substeps, TheTrueMinimiserHasTheSmallerError) {
  for (int n = 4; n <= 5; ++n)
    for (const char* rho : {"0", "3/5", "1"}) {
      const rational r(rho);
      EXPECT_LT(error_norm(high_order_substeps(n, r, Objective::error)),
                error_norm(high_order_substeps(n, r, Objective::published)))
          << n << rho;
    }
  expect_equal(high_order_substeps(3, 0, Objective::error),
               high_order_substeps(3, 0, Objective::published));
}

TEST(Substeps, MssthOfThreeHasTheStabilityFunctionOfKennedyAndCarpenters) {
  const WideFunction a = stability_function(tableau("mssth(3)"));
  const WideFunction b = stability_function(tableau("esdirk_3_2_4l"));
  ASSERT_EQ(a.num.size(), b.num.size());
  for (std::size_t i = 0; i < a.num.size(); ++i) EXPECT_LT(abs(a.num[i] - b.num[i]), rounding);
}

}  // namespace
}  // namespace daemark
