// Structural integrators: their equations written out after a step, their variants beside each
// other, and what a constraint leaves of their accelerations.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/exact/theory/second_order.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/loop/integrator.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// Newmark's formulas and, for the recurrence, the balance of Arnold & Brüls, step by step: with
/// a₀ = v̇₀ the two formulas give a₊ once from q and once from v.
template <class S>
void check_formulas(const std::string& method, const std::string& formulation, const rational& am,
                    const rational& af, const rational& gamma, const rational& beta,
                    double tolerance) {
  SCOPED_TRACE(method + " on " + formulation);
  MethodBench<S> bench("two_link", formulation, method, "1/64", "1");
  const auto stepper = bench.started();
  const int n = bench.coordinates();
  const S h = bench.step();
  const auto number = [](const rational& x) { return from_wide<S>(wide(x)); };
  std::vector<S> a(bench.initial.rate.begin() + n, bench.initial.rate.begin() + 2 * n);
  for (int k = 0; k < 5; ++k) {
    const State<S> before = stepper->state();
    ASSERT_EQ(stepper->step().status, Status::ok);
    const State<S>& after = stepper->state();
    for (int i = 0; i < n; ++i) {
      const S dv = (after.y[n + i] - before.y[n + i]) / h;
      const S from_v = (dv - number(1 - gamma) * a[i]) / number(gamma);
      const S dq = ((after.y[i] - before.y[i]) / h - before.y[n + i]) / h;
      const S from_q = (dq - number(rational(1) / 2 - beta) * a[i]) / number(beta);
      const S balance = (number(1 - af) * after.rate[n + i] + number(af) * before.rate[n + i] -
                         number(am) * a[i]) /
                        number(1 - am);
      EXPECT_NEAR(to_double(S(from_v - balance)), 0, tolerance) << i;
      EXPECT_NEAR(to_double(S(from_q - balance)), 0, tolerance / to_double(h)) << i;
      a[i] = balance;
    }
  }
}

// In 50 digits: differences of positions are divided by h², their roundings stay below 1e-44.
TEST(Structural, StepsObeyTheirFormulas) {
  const rational half = rational(1) / 2, third = rational(1) / 3;
  for (const char* formulation : {"index1", "index2", "index3", "minimal"}) {
    check_formulas<real50>("average_acceleration", formulation, 0, 0, half, half * half, 1e-25);
    check_formulas<real50>("hht(-1/3)", formulation, 0, third, rational(5) / 6, rational(4) / 9,
                           1e-25);
    check_formulas<real50>("generalized_alpha(1/2)", formulation, 0, third, rational(5) / 6,
                           rational(4) / 9, 1e-25);
    check_formulas<real50>("generalized_alpha(0)", formulation, -1, 0, rational(3) / 2, 1, 1e-25);
  }
}

// Constant mass: generalized_alpha(1/2) and hht(-1/3) have the same four parameters.
TEST(Structural, ParametersMeetWhereTheFamiliesDo) {
  const auto step = [](const char* call) {
    return *method_registry().make(call)->as<ExactSecondOrder>();
  };
  const ExactSecondOrder a = step("generalized_alpha(1/2)"), b = step("hht(-1/3)");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(a.next[i][j].constant, b.next[i][j].constant);
      EXPECT_EQ(a.previous[i][j].stiffness, b.previous[i][j].stiffness);
    }
  EXPECT_EQ(linear_order(step("average_acceleration")), 2);
  EXPECT_EQ(linear_order(step("newmark(3/4,25/64)")), 1);
  EXPECT_EQ(linear_order(step("fox_goodwin")), 2);
  EXPECT_EQ(undamped_order(step("fox_goodwin")), 4);  // beta = 1/12 is the fourth-order one
  EXPECT_EQ(undamped_order(step("linear_acceleration")), 2);
}

TEST(Structural, NamesTheVariantItDoesNotHave) {
  const std::string why =
      test::refusal([] { method_registry().make("generalized_alpha(4/5,jay_negrut)"); });
  EXPECT_NE(why.find("could not be read"), std::string::npos) << why;
}

// On a linear equation the variants of generalized-alpha are one method: q and v agree exactly.
TEST(Structural, VariantsAgreeOnTheLinearOscillator) {
  for (const char* rho : {"0", "1/2", "4/5"}) {
    const std::string call = std::string("generalized_alpha(rho=") + rho;
    MethodBench<real50> a("oscillator(omega=3)", "index1", call + ")", "1/10", "2");
    MethodBench<real50> b("oscillator(omega=3)", "index1", call + ",variant=chung_hulbert)", "1/10",
                          "2");
    const auto first = a.started(), second = b.started();
    for (int k = 0; k < 20; ++k) {
      ASSERT_EQ(first->step().status, Status::ok);
      ASSERT_EQ(second->step().status, Status::ok);
      for (int i = 0; i < 2; ++i)  // Newton's ε^0.7, carried through 20 steps
        EXPECT_NEAR(to_double(real50(first->state().y[i] - second->state().y[i])), 0, 1e-22);
    }
  }
}

// Classical index 3 at any step: accelerations along the constraint obey
// β z² + (γ + 1/2 − 2β) z + (β − γ + 1/2), for Fox-Goodwin z = −5 − √24.
TEST(Structural, RootsAlongAPositionConstraint) {
  const auto roots = [](const char* call) {
    return largest_root(method_registry().make(call)->as<ExactSecondOrder>()->position_roots);
  };
  EXPECT_NEAR(roots("fox_goodwin"), 5 + std::sqrt(24.0), 1e-12);
  EXPECT_NEAR(roots("average_acceleration"), 1, 1e-7);  // a double root: √ε
  EXPECT_NEAR(roots("generalized_alpha(1/2)"), 0.5, 1e-5);
  MethodBench<real50> bench("pendulum", "index3", "fox_goodwin", "1/100000", "1");
  bench.initial.rate[2] += real50(1) / 1000000;  // along the bar
  const auto stepper = bench.started();
  std::vector<double> lambda;
  for (int k = 0; k < 9; ++k) {
    ASSERT_EQ(stepper->step().status, Status::ok);
    lambda.push_back(to_double(stepper->state().y[4]));
  }
  const double ratio = (lambda[8] - lambda[7]) / (lambda[7] - lambda[6]);
  // zᵏ beside the other root, zᵏ⁻², and beside λ itself, which is of size h² here.
  EXPECT_NEAR(ratio, -5 - std::sqrt(24.0), 1e-3);
}

TEST(Structural, RefusesWhatItCannotMeet) {
  const auto why = [](const char* call, const char* formulation) {
    return method_registry().make(call)->refusal(Formulation::parse(formulation).info);
  };
  EXPECT_NE(why("central_difference", "index3"), "");
  EXPECT_EQ(why("central_difference", "index2"), "");
  EXPECT_NE(why("average_acceleration", "ggl"), "");
  EXPECT_EQ(why("average_acceleration", "index3"), "");
}

}  // namespace
}  // namespace daemark
